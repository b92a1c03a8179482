import type { Ledger } from '../shared/import-log.ts'
import type { Talk, Talks } from '../shared/session-writer.ts'

/** Where a run's events go: its session, and those of the agents it handed work to. */
export interface Run {
  readonly main: Talk
  /** The session that events belong to now; delegates nest. */
  readonly stack: Talk[]
  readonly talks: Talks
  readonly ledger: Ledger
  readonly model: string | null
  /** Call id and tool name by event id: observations name their cause. */
  readonly causes: Map<string, { readonly name: string; readonly callId: string }>
}
