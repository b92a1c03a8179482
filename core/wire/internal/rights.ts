import { z } from 'zod'
import type { Immutable } from '../../engine/schema/immutable.ts'
import { ProblemText } from '../../engine/schema/library.ts'
import { call } from '../method.ts'
import { Revision } from '../drafts.ts'

const Path = z.string().min(1).max(4096)

const FileChange = z.object({
  path: Path,
  /** Fingerprint that the file's text must have. Null if it must not exist; omitted if any text is accepted. */
  before: z.string().nullable().optional(),
  /** Null: the file is removed. */
  text: z.string().nullable(),
})
export type FileChange = Immutable<z.infer<typeof FileChange>>

/** Files that a thread requests to write. All are written, or none if one has changed. */
export const SaveOrder = z.object({
  kind: z.enum(['labels', 'domains', 'coach', 'drafts', 'tours', 'sessions', 'formats']),
  files: z.array(FileChange).min(1).max(4).readonly(),
})
export type SaveOrder = Immutable<z.infer<typeof SaveOrder>>

const SaveAnswer = z.discriminatedUnion('kind', [
  /** Fingerprints of the written files. */
  z.object({ kind: z.literal('saved'), written: z.array(z.string()).readonly() }),
  z.object({ kind: z.literal('changed'), path: Path }),
])
export type SaveAnswer = Immutable<z.infer<typeof SaveAnswer>>

const resultOf = <T extends z.ZodType>(value: T) =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), value }),
    z.object({ ok: z.literal(false), error: ProblemText }),
  ])

const revision = z.string().max(400)

/** [F24] Operations that threads reading transcripts may not do themselves and request from the main process. */
export const rightsContract = {
  'save.files': call('main', SaveOrder, SaveAnswer),
  'save.aside': call('main', { path: Path }, { path: z.string() }),
  /** [C14] An automaton is to be kept under the name; `kept`: it was written. */
  'automata.keep': call(
    'main',
    {
      name: z.string().max(80),
      bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    },
    { kept: z.boolean() },
  ),
  'git.textAt': call('main', { path: Path, revision }, resultOf(z.string())),
  'git.revisionsOf': call('main', { path: Path }, resultOf(z.array(Revision).readonly())),
  'git.inOneRepository': call('main', { paths: z.tuple([Path, Path]) }, { same: z.boolean() }),
  /** Epoch milliseconds of the commit of each line. */
  'git.blame': call(
    'main',
    { path: Path },
    { times: z.array(z.number().nullable()).readonly().nullable() },
  ),
} as const
export type RightsContract = typeof rightsContract
