import type { ReceiverCounts } from '../../wire/receiver.ts'

/** [F154] Counts of a receiver. Reasons are ours, so there are few. */
export interface Counting {
  /** An export that was answered with 200. */
  readonly took: (export_: {
    readonly spans: number
    readonly logs: number
    readonly bytes: number
    readonly sessions: readonly string[]
  }) => void
  readonly refused: (why: string, count: number) => void
  readonly now: () => ReceiverCounts
}

/** Sessions that are told apart; more are counted as one. */
const MAX_SESSIONS = 10_000

/** Reasons that are told apart: one may name a record. */
const MAX_REASONS = 100
const OTHERS = 'other reasons, too many to be told apart'

/** @param onChange called after each change */
export function createCounts(clock: () => number, onChange: () => void): Counting {
  const sessions = new Set<string>()
  const refused = new Map<string, { readonly count: number; readonly at: number }>()
  let [exports, spans, logs, bytes] = [0, 0, 0, 0]
  return {
    took(one) {
      exports += 1
      spans += one.spans
      logs += one.logs
      bytes += one.bytes
      for (const session of one.sessions) sessions.add(sessions.size < MAX_SESSIONS ? session : '…')
      onChange()
    },
    refused(said, count) {
      const why = refused.has(said) || refused.size < MAX_REASONS ? said : OTHERS
      refused.set(why, { count: (refused.get(why)?.count ?? 0) + count, at: clock() })
      onChange()
    },
    now: () => ({
      ...{ exports, spans, logs, bytes, sessions: sessions.size },
      refused: [...refused].map(([why, { count, at }]) => ({ why, count, at })),
    }),
  }
}
