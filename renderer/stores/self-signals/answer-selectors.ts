import type { ResponseColumns } from '../../../core/engine/schema/answer-columns.ts'
import { firstAtOrAfter, placeOf } from '../../ui/sorted.ts'

/** The user message being answered at an event; null before the first one. */
export function queryAt(seqs: readonly number[], selected: number): number | null {
  const at = firstAtOrAfter(seqs, selected)
  return seqs[at] === selected ? selected : (seqs[at - 1] ?? null)
}

/** Row of a response in the columns, by `seq` of its event. */
export function responseAt(responses: ResponseColumns, seq: number): number | undefined {
  return placeOf(responses.seq, seq)
}
