import { z } from 'zod'
import { contract } from '../contract.ts'
import { call, stream } from '../method.ts'
import {
  Excerpt,
  Grown,
  HostInfo,
  Key,
  Opened,
  steps,
  variant,
  nothing,
  session,
} from '../shapes.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import { LibraryStats, ProblemText } from '../../engine/schema/library.ts'
import { ProbeOptions } from '../../engine/schema/probe.ts'
import { QueryClassification } from '../../engine/schema/query.ts'
import { ReplayConfig } from '../../engine/schema/replay.ts'

const configs = { config: ReplayConfig, compare: ReplayConfig.nullable() }

/** A file as the main process located it for a thread. */
export const LocatedFile = z.object({
  path: z.string(),
  /** Path as people know it; null for an upload. */
  shown: z.string().nullable(),
  /** File name as people know it; an upload's path says nothing. */
  name: z.string(),
  /** Kind of a file that is not the operator's own and cannot grow, such as "a sample"; null otherwise. */
  fixed: z.string().nullable(),
  /** [I140] Name of the workspace mapping that the operator chose for it; null if the content decides. */
  map: z.string().nullable(),
  /**
   * Name of its labels file in `labels/`, without the ending, if the file has no path that the user knows: the content
   * key of an upload (T86), or the id of a scratch session.
   */
  labelsAs: z
    .string()
    .regex(/^[\w.-]{1,100}$/u)
    .optional(),
})
export type LocatedFile = Readonly<z.infer<typeof LocatedFile>>

/** Turns of the main threads, for the list of recent files. */
const turns = z.int().min(0)
const OpenedTurns = Opened.extend({ turns })
export type OpenedTurns = z.infer<typeof OpenedTurns>
const GrownTurns = Grown.extend({ turns })
export type GrownTurns = z.infer<typeof GrownTurns>

/** A user message. */
export const PersonMessage = z.object({ seq: z.int().min(0), text: z.string() })

/** Texts that the prompts of a message, of the one before and under a second configuration receive. */
const ProbeBlocks = z.object({
  message: z.string().nullable(),
  previous: z.string().nullable(),
  compare: z.string().nullable(),
})
export type ProbeBlocks = Readonly<z.infer<typeof ProbeBlocks>>

/** [F76] The persona in force after a message. */
const FoundPersona = z.object({ seq: z.int().min(0), persona: z.string().nullable() })
export type FoundPersona = Readonly<z.infer<typeof FoundPersona>>
const PersonaRows = z.array(z.tuple([z.int(), z.string()]))
/** Persona of each message by its event; `there` is null if the other side has no rules. */
const Personas = z.object({ here: PersonaRows, there: PersonaRows.nullable() })
export type Personas = Readonly<z.infer<typeof Personas>>

/** Calls from the main process to the thread that holds an opened file, or to any of those threads. */
export const sessionRows = {
  'session.open': stream(
    'session',
    { key: Key, file: LocatedFile },
    steps(OpenedTurns, GrownTurns),
  ),
  'session.close': call('session', { key: Key }, nothing),
  /** With the probe's hits for the messages concerned. */
  'session.prompt': call(
    'session',
    contract['session.prompt'].in.omit({ probe: true }).extend({ blocks: ProbeBlocks }),
    contract['session.prompt'].out,
  ),
  /** The text alone, in chunks: the main process writes files. */
  'export.write': stream(
    'session',
    contract['export.write'].in.omit({ path: true }),
    contract['export.write'].out,
  ),
  'forms.write': stream(
    'session',
    contract['forms.write'].in.omit({ path: true }),
    contract['forms.write'].out,
  ),
  'page.write': stream(
    'session',
    contract['page.write'].in.omit({ path: true }),
    contract['page.write'].out,
  ),
  /** [F76] With the personas of the session's messages, if the query filters by them. */
  'session.find': {
    ...contract['session.find'],
    at: 'session',
    in: contract['session.find'].in.extend({
      personas: z.array(FoundPersona).nullable(),
      /** [F77] Of both sides, if the query filters by their flips. */
      flipPersonas: Personas.nullable(),
    }),
  },
  /** With the personas that the probe gave messages under each side; null if not requested. */
  'session.compare': stream(
    'session',
    contract['session.compare'].in.omit({ probe: true }).extend({ personas: Personas.nullable() }),
    contract['session.compare'].out,
    { packed: true },
  ),
  'session.causes': stream(
    'session',
    contract['session.causes'].in.omit({ probe: true }),
    contract['session.causes'].out,
  ),
  /** Probe options of both sides of a comparison. `there` is null if the other side is a recorded run. */
  'session.probeOptions': call('session', contract['session.causes'].in.omit({ probe: true }), {
    here: ProbeOptions,
    there: ProbeOptions.nullable(),
  }),
  'labels.set': { ...contract['labels.set'], at: 'session' },
  'labels.outcome': { ...contract['labels.outcome'], at: 'session' },
  /** [U161] The file of a scratch session was written. */
  'scratch.again': call('session', { key: Key }, GrownTurns),
  /** [U164] Writes one session as a new file of the workspace, through the rights of the main process. */
  'scratch.save': call('session', { ...session, name: z.string() }, { path: z.string() }),
  /** User messages up to event `to`, or all. Long ones are cut at 200,000 UTF-16 units. */
  'probe.messages': stream(
    'session',
    { ...session, to: z.int().nullable() },
    { messages: z.array(PersonMessage) },
  ),
  /** Classification of a user message without the probe. */
  'probe.query': call(
    'session',
    { ...session, seq: z.int().min(0), preset: z.string() },
    { classification: QueryClassification },
  ),
  /** [U185] Of a file that the main process found. */
  'formats.start': call('workspace', { file: LocatedFile }, contract['formats.start'].out),
  'formats.preview': call(
    'workspace',
    contract['formats.preview'].in.omit({ source: true }).extend({ file: LocatedFile }),
    contract['formats.preview'].out,
  ),
  /** [U187] Compiles a configuration and takes its automaton out of its file, for the session that comes. */
  'workspace.warm': call('workspace', { config: ReplayConfig }, nothing),
  /** Compiling domain files is too slow for the main process, and it does not load the importers. */
  'workspace.describe': call(
    'workspace',
    nothing,
    HostInfo.pick({ presets: true, domainFiles: true, profiles: true, formats: true }),
  ),
} as const

/** Facts from reading a file, independent of the configuration. */
export const LibraryFacts = z.object({
  format: z.string(),
  label: z.string(),
  title: z.string(),
  startedAt: z.number().nullable(),
  sessions: z.int(),
  events: z.int(),
  problems: z.int(),
})

/** Result of reading and replaying a library file. */
const Reading = z.discriminatedUnion('kind', [
  variant('read', {
    ...LibraryFacts.shape,
    /** [I56] Files that were read with it, relative to its folder. */
    companions: z.array(z.string()),
    stats: LibraryStats,
    /** [I148] The thread keeps it: asked again, it reads only what came. */
    kept: z.boolean(),
  }),
  variant('skipped', { reason: z.string() }),
  variant('failed', { problem: ProblemText }),
])
export type Reading = Immutable<z.infer<typeof Reading>>

/** Files of the library, read and closed again. */
export const libraryRows = {
  /** One answer for each path, in their order. */
  'library.read': call(
    'workspace',
    { paths: z.array(z.string()), ...configs },
    { readings: z.array(Reading) },
  ),
  'library.findIn': call(
    'workspace',
    {
      path: z.string(),
      query: z.string(),
      ...configs,
      /** Excerpts of a session at most. */
      most: z.int(),
    },
    {
      sessions: z.int(),
      found: z.array(
        z.object({
          session: z.int(),
          title: z.string(),
          total: z.int(),
          excerpts: z.array(Excerpt),
        }),
      ),
      /** Problem of the query. An unreadable file has no results. */
      problem: ProblemText.nullable(),
      cutOff: z.int(),
    },
  ),
} as const
