import type { ResponseColumns } from '../../core/engine/schema/oracle-columns.ts'
import { remember } from './selectors.ts'

/** The response that belongs to an event, and how it stands to it. */
export interface Nearest {
  readonly seq: number
  readonly place: 'this' | 'after' | 'before'
}

/** The event itself when it is a response, else the first after it, else the last before it. */
export function nearestResponse(seqs: readonly number[], selected: number): Nearest | null {
  const after = firstAtOrAfter(seqs, selected)
  const next = seqs[after]
  if (next === selected) return { seq: selected, place: 'this' }
  if (next !== undefined) return { seq: next, place: 'after' }
  const last = seqs.at(-1)
  return last === undefined ? null : { seq: last, place: 'before' }
}

/** The message of a person that was being answered at an event; null before the first one. */
export function queryAt(seqs: readonly number[], selected: number): number | null {
  const at = firstAtOrAfter(seqs, selected)
  return seqs[at] === selected ? selected : (seqs[at - 1] ?? null)
}

/** Index of the first number that is not below `wanted`, by bisection of a rising column. */
function firstAtOrAfter(seqs: readonly number[], wanted: number): number {
  let low = 0
  let high = seqs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seqs[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Row of a response in the columns, by `seq` of its event. */
export const responsesBySeq = remember(
  (responses: ResponseColumns): ReadonlyMap<number, number> =>
    new Map(responses.seq.map((seq, at) => [seq, at])),
)
