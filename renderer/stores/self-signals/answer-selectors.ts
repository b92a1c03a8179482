import type { ResponseColumns } from '../../../core/engine/schema/answer-columns.ts'
import { firstAtOrAfter, placeOf } from '../../ui/sorted.ts'

/** The response that belongs to an event, and its position relative to the event. */
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

/** The user message being answered at an event; null before the first one. */
export function queryAt(seqs: readonly number[], selected: number): number | null {
  const at = firstAtOrAfter(seqs, selected)
  return seqs[at] === selected ? selected : (seqs[at - 1] ?? null)
}

/** Row of a response in the columns, by `seq` of its event. */
export function responseAt(responses: ResponseColumns, seq: number): number | undefined {
  return placeOf(responses.seq, seq)
}
