import { z } from 'zod'
import type { SessionEvent, TextReader } from './event.ts'
import type { Immutable } from './immutable.ts'

/** One line that could not be used. Its bytes stay readable through offset and length. */
export const LineProblem = z.object({
  line: z.int().min(1),
  offset: z.int().min(0),
  length: z.int().min(0),
  /** Index into the transcript's `files`; absent for the opened file itself. */
  file: z.int().min(0).optional(),
  code: z.enum([
    'bad_json',
    'torn_line',
    'nul_bytes',
    'not_an_object',
    'unknown_shape',
    'unknown_kind',
    'too_long',
  ]),
  message: z.string(),
  preview: z.string(),
})
export type LineProblem = Immutable<z.infer<typeof LineProblem>>

/** One continuous piece of work between a user and an agent. A sub-agent has a separate session. */
export interface Session {
  readonly id: string
  readonly title: string
  /** `main`, or the id of the sub-agent whose thread this is. */
  readonly thread: string
  /** Id of the session that started this one; null for a main thread. */
  readonly parent: string | null
  /** [I102] `callId` of the tool call in `parent` that started this one; absent where nothing says it. */
  readonly startedBy?: string | undefined
  /** [I211] Id of the session that it was forked from: it begins with a copy of that session. */
  readonly forkedFrom?: string | undefined
  readonly startedAt: number | null
  readonly cwd: string | null
  readonly events: readonly SessionEvent[]
  /** Reader for the texts of events that are not stored in the events themselves. */
  readonly texts: TextReader
  /** Fields of the native header that this version does not know. */
  readonly extras?: Readonly<Record<string, unknown>>
}

/** The importer's result for one file. Nothing is lost silently: every unused line is listed or counted. */
export interface Transcript {
  /** Name of the importer, a row of `core/engine/import/table.ts`. */
  readonly format: string
  readonly sessions: readonly Session[]
  /** Members of an archive, or files beside the opened one, that were read with it, by name. */
  readonly files: readonly string[]
  readonly problems: readonly LineProblem[]
  readonly lines: number
  /** Records read and deliberately not shown as events, by type: `{"file-history-snapshot": 3}`. */
  readonly skipped: Readonly<Record<string, number>>
}
