import { firstAtOrAfter } from '../ui/sorted.ts'

/**
 * The turn at which an event is placed: the turn before it, or the first if none precedes. Events that are no turns
 * (outputs, steps, hits) have their marks there.
 */
export function turnBefore(turnSeq: readonly number[], seq: number): number {
  return Math.max(0, firstAtOrAfter(turnSeq, seq + 1) - 1)
}

/** Calls back with every event and its turn: one walk over two rising columns. Nothing without turns. */
export function eachPlaced(
  turnSeq: readonly number[],
  seqs: readonly number[],
  visit: (turn: number, at: number) => void,
): void {
  if (turnSeq.length === 0) return
  let turn = 0
  seqs.forEach((seq, at) => {
    while (turn + 1 < turnSeq.length && (turnSeq[turn + 1] ?? Infinity) <= seq) turn += 1
    visit(turn, at)
  })
}

/** Turns that events belong to, each once, rising. */
export function turnsOfEvents(turnSeq: readonly number[], seqs: readonly number[]): Int32Array {
  const turns: number[] = []
  eachPlaced(turnSeq, seqs, (turn) => {
    if (turns.at(-1) !== turn) turns.push(turn)
  })
  return new Int32Array(turns)
}

/** The most frequent value of a column that is not negative, the first to become so; -1 without one. */
export function mostFrequent(column: Int8Array): { readonly best: number; readonly total: number } {
  const counts: number[] = []
  let best = -1
  let total = 0
  for (const value of column) {
    if (value < 0) continue
    total += 1
    const count = (counts[value] ?? 0) + 1
    counts[value] = count
    if (best < 0 || count > (counts[best] ?? 0)) best = value
  }
  return { best, total }
}
