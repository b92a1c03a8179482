import type { CoachColumns } from '../../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { firstAtOrAfter } from '../../ui/sorted.ts'

/** The agent output that belongs to an event, and its position relative to the event. */
export interface NearestOutput {
  readonly seq: number
  readonly place: 'this' | 'before' | 'after'
}

/**
 * The event itself if it is an output. Else an output placed at the same turn, as in the timeline's lane (an output
 * belongs to the turn before it). Else the last output before, else the first after.
 * @param seqs outputs, ascending
 * @param turnSeq events that are turns, ascending; both are read at every step of a held key
 */
export function nearestOutput(
  seqs: readonly number[],
  selected: number,
  turnSeq: readonly number[] = [],
): NearestOutput | null {
  const nextTurn = firstAtOrAfter(turnSeq, selected + 1)
  const turn = turnSeq[nextTurn - 1] ?? -1
  const afterIt = firstAtOrAfter(seqs, selected + 1)
  const before = seqs[afterIt - 1]
  const beyond = firstAtOrAfter(seqs, turnSeq[nextTurn] ?? Infinity)
  const answer = beyond > afterIt ? seqs[beyond - 1] : undefined
  if (before !== undefined && (before >= turn || answer === undefined))
    return { seq: before, place: before === selected ? 'this' : 'before' }
  const after = answer ?? seqs[0]
  return after === undefined ? null : { seq: after, place: 'after' }
}

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
