import type { CoachColumns } from '../../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { firstAtOrAfter } from '../../ui/sorted.ts'

function sum(column: readonly number[]): number {
  return column.reduce((total, value) => total + value, 0)
}

/** Counts over a session's verdicts. */
export function tallyOf(columns: Immutable<CoachColumns>) {
  return {
    outputs: columns.seq.length,
    back: columns.passes.filter((passes) => passes === 0).length,
    /** Of those sent back: the number after which the agent continued without user input. */
    wentOn: columns.passes.filter((passes, at) => passes === 0 && columns.wentOn[at] === 1).length,
    disagree: sum(columns.disagrees),
    failed: sum(columns.failed),
    labelled: columns.label.filter((label) => label >= 0).length,
  }
}

/** Next or previous output beyond an event; null if none exists. */
export function nextOutput(
  seqs: readonly number[],
  { from, by }: { readonly from: number; readonly by: 1 | -1 },
): number | null {
  const after = firstAtOrAfter(seqs, by === 1 ? from + 1 : from)
  return seqs[by === 1 ? after : after - 1] ?? null
}
