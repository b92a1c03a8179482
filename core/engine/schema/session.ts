import { z } from 'zod'
import { SessionEvent } from './event.ts'
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
    'too_long',
  ]),
  message: z.string(),
  preview: z.string(),
})
export type LineProblem = Immutable<z.infer<typeof LineProblem>>

/** One continuous piece of work between a person and an agent. A sub-agent is a session of its own. */
export const Session = z.object({
  id: z.string(),
  title: z.string(),
  /** `main`, or the id of the sub-agent whose thread this is. */
  thread: z.string(),
  /** Id of the session that started this one; null for a main thread. */
  parent: z.string().nullable(),
  startedAt: z.number().nullable(),
  cwd: z.string().nullable(),
  events: z.array(SessionEvent),
  /** Fields of the native header that this version does not know. */
  extras: z.record(z.string(), z.unknown()).optional(),
})
export type Session = Immutable<z.infer<typeof Session>>

/** What an importer makes of one file. Nothing is lost silently: every unused line is listed or counted. */
export const Transcript = z.object({
  /** Name of the importer, a row of `core/engine/import/table.ts`. */
  format: z.string(),
  sessions: z.array(Session),
  /** Members of an archive, or files beside the opened one, that were read with it, by name. */
  files: z.array(z.string()),
  problems: z.array(LineProblem),
  lines: z.int().min(0),
  /** Records read and deliberately not shown as events, by type: `{"file-history-snapshot": 3}`. */
  skipped: z.record(z.string(), z.int()),
})
export type Transcript = Immutable<z.infer<typeof Transcript>>
