import { diffReplays } from '../../../engine/lab/flips/diff.ts'
import type { Replay } from '../../../engine/replay.ts'
import { EVENT_CODES, type ReplayColumns } from '../../../engine/schema/replay.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'

/** Where a branch leaves the recorded session. */
export interface Fork {
  /** `seq` of the recorded event that was replaced. */
  readonly from: number
  /** Events that stand in its place. */
  readonly written: number
}

/** A turn of the rest that the branch decides otherwise. */
export interface ChangedTurn {
  readonly seq: number
  readonly turn: number
  readonly was: string
  readonly is: string
}

/** Rows that are listed. */
const MOST_ROWS = 200

/**
 * [U163] What the branch decides otherwise behind the place where it leaves: the events there are the same in
 * both, a few numbers apart. The event that was replaced has no counterpart.
 */
export function changedAfter(recorded: SessionReplay, branch: SessionReplay, fork: Fork) {
  const moved = movedBy(recorded, fork)
  const end = fork.from + fork.written
  const turns = branch.columns.seq.filter((seq) => seq >= end).length
  const changed = diffReplays(moved, branch).filter(
    ({ other }) => (branch.columns.seq[other] ?? -1) >= end,
  )
  const rows = changed.slice(0, MOST_ROWS).map(({ turn, other }): ChangedTurn => {
    const seq = branch.columns.seq[other] ?? 0
    return {
      ...{ seq, turn: other },
      was: shownAt(recorded.columns, turn),
      is: shownAt(branch.columns, other),
    }
  })
  return { turns, changed: changed.length, rows }
}

/** The recorded replay with the numbers that its events have in the branch. */
function movedBy({ states, columns }: SessionReplay, { from, written }: Fork): Replay {
  const seq = columns.seq.map((each) => {
    if (each < from) return each
    return each === from ? -1 : each + written - 1
  })
  return { states, columns: { ...columns, seq } }
}

/** Signature in force, and what momentum did. */
function shownAt({ domains, primary, secondary, event }: ReplayColumns, turn: number): string {
  const names = [primary[turn], secondary[turn]].flatMap((place) => domains[place ?? -1] ?? [])
  return `${names.toSorted().join('+')} (${EVENT_CODES[event[turn] ?? 0] ?? ''})`
}
