import type { ImportLog } from '../shared/import-log.ts'
import type { SessionWriter, SessionWriters } from '../shared/session-writer.ts'

/** The targets of a run's events: its session, and those of the agents it delegated work to. */
export interface Run {
  readonly main: SessionWriter
  /** The session that events belong to now; delegates nest. */
  readonly stack: SessionWriter[]
  readonly writers: SessionWriters
  readonly log: ImportLog
  readonly model: string | null
  /** Call id and tool name by event id: observations name their cause. */
  readonly causes: Map<string, { readonly name: string; readonly callId: string }>
}
