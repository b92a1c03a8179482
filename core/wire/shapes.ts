import { z } from 'zod'
import { EventKind } from '../engine/schema/event-kind.ts'
import { GateReport } from '../engine/schema/profile.ts'
import { Column } from '../engine/schema/replay.ts'
import { QuotedPart, Span } from '../engine/schema/trace.ts'

/** Names an opened file, an upload. */
export const Key = z.string().min(1).max(200)

/** [I64] A path of the host's file system. Rejects strings that no file can have as its name. */
export const FilePath = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^[^\0]*$/u, 'a path has no NUL in it')

/** Empty input or output: the call takes no arguments, or its answer only confirms that it finished. */
export const nothing = z.object({})

/** One session of an opened file. */
export const session = { key: Key, session: z.int().min(0) }

/** Names a scratch session in the state of the host. */
export const ScratchId = z.string().regex(/^[\w-]{12}$/u, 'no name of a scratch session')

/** [I140] The workspace mapping that the operator chose for the file; if omitted, the content decides. */
const MapName = z.string().min(1).max(200).optional()

const ofTable = {
  results: FilePath,
  file: z.string().min(1).max(4096),
  session: z.string().min(1).max(100_000),
}

/** [F142] The source of a row in batch results: a transcript, or a session of a table. */
export const ResultSource = z.discriminatedUnion('kind', [
  variant('path', { path: FilePath }),
  variant('result', ofTable),
])

/** Source of a transcript: a path that the host can read, a shipped sample, uploaded bytes, or a scratch session. */
export const OpenSource = z.discriminatedUnion('kind', [
  variant('path', { path: FilePath, map: MapName }),
  variant('sample', { id: z.string().min(1).max(100) }),
  variant('upload', { upload: Key, map: MapName }),
  /** [U161] A session that is written by hand, kept in the state of the host. */
  variant('scratch', { id: ScratchId }),
  /** [F142] One session of a table that a batch has read: its rows are taken from the source. */
  variant('result', ofTable),
])
export type OpenSource = z.infer<typeof OpenSource>

/** Work under way: `done` of `total` in the unit of the phase (bytes for reading, finding and downloading, turns for replaying, runs for switching options, files for scanning, records for export, messages for probing, chunks for indexing, queries for measuring, turns for embedding). */
export const Progress = z.object({
  kind: z.literal('progress'),
  phase: z.enum([
    'reading',
    'importing',
    'replaying',
    'comparing',
    'switching',
    'scanning',
    'finding',
    'reviewing',
    'writing',
    'judging',
    'probing',
    'indexing',
    'downloading',
    'measuring',
    'embedding',
  ]),
  done: z.number().min(0),
  total: z.number().min(0),
})

/** One of several answers or commands, told apart by `kind`. */
export function variant<
  const Kind extends string,
  Shape extends Readonly<Record<string, z.ZodType>>,
>(kind: Kind, shape: Shape): z.ZodObject<{ readonly kind: z.ZodLiteral<Kind> } & Shape> {
  return z.object({ kind: z.literal(kind), ...shape })
}

/** Messages of a long-running stream: progress, and the given answers. */
export function steps<const T extends readonly z.core.$ZodTypeDiscriminable[]>(
  ...answers: T
): z.ZodDiscriminatedUnion<readonly [typeof Progress, ...T], 'kind'> {
  return z.discriminatedUnion('kind', [Progress, ...answers])
}

/** One session inside an opened file. */
export const SessionHead = z.object({
  index: z.int().min(0),
  id: z.string(),
  title: z.string(),
  thread: z.string(),
  parent: z.string().nullable(),
  /** [I102] Event of the parent that started it: a tool call. Null if no record says so. */
  startedAtEvent: z.int().min(0).nullable(),
  startedAt: z.number().nullable(),
  cwd: z.string().nullable(),
  events: z.int().min(0),
  /** Events by kind, for kinds that occur. */
  kinds: z.partialRecord(EventKind, z.int()),
})
export type SessionHead = z.infer<typeof SessionHead>

export const Opened = z.object({
  kind: z.literal('opened'),
  key: Key,
  name: z.string(),
  /** Path shown to people; null for an upload. */
  path: z.string().nullable(),
  format: z.string(),
  formatLabel: z.string(),
  bytes: z.number().min(0),
  lines: z.int().min(0),
  sessions: z.array(SessionHead),
  /** Members of an archive, or companions of the file, that were read with it. */
  files: z.array(z.string()),
  problems: z.int().min(0),
  skipped: z.record(z.string(), z.int()),
  /** False while the rest of the file is still being read: `Grown` follows. */
  complete: z.boolean(),
})
export type Opened = z.infer<typeof Opened>

/**
 * An opened file has grown: it is still being read, or its writer appended. Events never change places, unless
 * `generation` changed. In that case the file was replaced and everything is read again.
 */
export const Grown = Opened.pick({
  bytes: true,
  lines: true,
  sessions: true,
  files: true,
  problems: true,
  skipped: true,
  complete: true,
}).extend({ kind: z.literal('grown'), generation: z.int().min(0) })
export type Grown = z.infer<typeof Grown>

/** The light index of a session: one row an event, for the virtual list and the timeline. */
export const EventIndex = z.object({
  /** Index into EventKind.options. */
  kind: Column,
  /** Epoch milliseconds, 0 = unknown. */
  at: Column,
  /** UTF-16 units of the event's text. */
  chars: Column,
  /** 0-based exchange (from one user message to the next); -1 before the first. */
  exchange: Column,
})
export type EventIndex = Readonly<z.infer<typeof EventIndex>>

/** A matched signal in the shown text. */
export const Mark = z.object({ span: Span, domain: z.string(), signal: z.int() })
export type Mark = z.infer<typeof Mark>

/** One event as the list shows it. */
export const EventRow = z.object({
  seq: z.int().min(0),
  kind: EventKind,
  name: z.string().nullable(),
  callId: z.string().nullable(),
  isError: z.boolean(),
  model: z.string().nullable(),
  at: z.number().nullable(),
  line: z.int(),
  /** At most `maxChars` of the request; `chars` is the whole size. */
  text: z.string(),
  chars: z.int(),
  marks: z.array(Mark),
  /** [B26] Stretches of a classified text that are not scored; empty without a configuration. */
  quoted: z.array(QuotedPart),
})
export type EventRow = z.infer<typeof EventRow>

/** A place that a query found: the text around the first match, and the spans that matched in it. */
export const Excerpt = z.object({
  seq: z.int().min(0),
  kind: EventKind,
  name: z.string().nullable(),
  at: z.number().nullable(),
  text: z.string(),
  spans: z.array(Span),
})
export type Excerpt = z.infer<typeof Excerpt>

export const DomainInfo = z.object({
  name: z.string(),
  priority: z.int(),
  signals: z.int(),
  brief: z.string(),
  /** [B1] under the preset in force a domain whose value is null never breaks a strong momentum. */
  breakMinSignals: z.int().nullable(),
})
export type DomainInfo = z.infer<typeof DomainInfo>

export const PresetInfo = z.object({
  name: z.string(),
  title: z.string(),
  help: z.string(),
  /** Options that differ from `recommended`, as text. */
  differs: z.array(z.object({ option: z.string(), value: z.string(), help: z.string() })),
})
export type PresetInfo = z.infer<typeof PresetInfo>

export const ProfileInfo = z.object({
  name: z.string(),
  model: z.string().nullable(),
  gate: GateReport,
  problem: z.string().nullable(),
})
export type ProfileInfo = z.infer<typeof ProfileInfo>

export const HostInfo = z.object({
  version: z.string(),
  /** `page`: an exported HTML file; there is no machine behind it. */
  mode: z.enum(['desktop', 'serve', 'page']),
  /** Last part of the workspace's path. */
  workspace: z.string(),
  formats: z.array(z.object({ name: z.string(), label: z.string() })),
  presets: z.array(PresetInfo),
  domainFiles: z.array(
    z.object({
      name: z.string(),
      problem: z.string().nullable(),
      /** [K10] Absent: a domain file, or one that cannot be read. */
      kind: z.literal('skill-rules').optional(),
      /** Location for display. */
      shown: z.string().optional(),
    }),
  ),
  profiles: z.array(ProfileInfo),
  nativeDialog: z.boolean(),
})
export type HostInfo = z.infer<typeof HostInfo>

export const Sample = z.object({
  id: z.string(),
  title: z.string(),
  about: z.string(),
  /** Recommended configuration of the sample. */
  preset: z.string().nullable(),
  compare: z.string().nullable(),
  profile: z.string().nullable(),
})
export type Sample = z.infer<typeof Sample>

export const RecentFile = z.object({
  path: z.string(),
  name: z.string(),
  format: z.string(),
  openedAt: z.number(),
  turns: z.int(),
  missing: z.boolean(),
})
export type RecentFile = z.infer<typeof RecentFile>

export { Settings, DEFAULT_SETTINGS } from './settings.ts'

const SavedFiles = z.enum(['domains', 'coach', 'drafts', 'labels', 'tours'])
export type SavedFiles = z.infer<typeof SavedFiles>

/** Events from the shell to the window: a file was handed over, a menu item or deep link was used. */
export const HostEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('open'),
    source: OpenSource,
    /** [I97] Paths of files that were named together with it. */
    others: z.array(FilePath).optional(),
    turn: z.int().nullable(),
    tab: z.string().nullable(),
    /** [L108] Session inside the file, from 0; absent: the one with most events. */
    session: z.int().min(0).optional(),
    /** [L108] Id of the session, in the place of its number. */
    id: z.string().optional(),
    /** [L108] Number of an event, from 0, in the place of a turn. */
    event: z.int().min(0).optional(),
    /** [U224] Names of what decides the turns, and of the other side; absent: the defaults of the workspace. */
    preset: z.string().optional(),
    domains: z.string().optional(),
    profile: z.string().optional(),
    compare: z.string().optional(),
  }),
  variant('command', { command: z.string() }),
  /** [L108] A link that the system handed over cannot be used; nothing was opened. */
  variant('refused', { what: z.string(), where: z.string(), do: z.string() }),
  /** A window saved files of the workspace; others look whether they show an older text. */
  variant('saved', { what: SavedFiles }),
  /** The workspace's trust state changed: another window trusted it, or it names a new item. */
  variant('trust', {}),
])
export type HostEvent = z.infer<typeof HostEvent>
