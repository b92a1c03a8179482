import type { TurnLabel } from '../../schema/label.ts'

/** [L86] The reader name under which an agreed label is stored. */
export const CONSENSUS = 'consensus'

type Signed = Pick<TurnLabel, 'by'>

/** Readings of one turn plus a new one, which replaces the same reader's earlier reading. */
export function withReading<T extends Signed>(readings: readonly T[], reading: T): readonly T[] {
  return [...readings.filter(({ by }) => by !== reading.by), reading]
}

/** [L86] Of several labels of a turn: the consensus if it exists, else the latest one (T1). */
export function countingLabel<T extends Signed>(readings: readonly T[]): T | undefined {
  return readings.find(({ by }) => by === CONSENSUS) ?? readings.at(-1)
}

/**
 * [L85] The label of a turn that a reader sees: the consensus, else the reader's own label, else an unsigned one.
 * Labels of other readers stay hidden, because two readings are only useful if they are independent.
 * @param by null for an unnamed reader, who sees the label that counts
 */
export function labelFor<T extends Signed>(
  readings: readonly T[],
  by: string | null,
): T | undefined {
  if (by === null) return countingLabel(readings)
  const signed = (name: string | undefined) => readings.find((one) => one.by === name)
  return signed(CONSENSUS) ?? signed(by) ?? signed(undefined)
}
