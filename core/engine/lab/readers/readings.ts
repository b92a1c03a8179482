import type { TurnLabel } from '../../schema/label.ts'

/** [L86] The reader under whose name stands what readers settled on. */
export const CONSENSUS = 'consensus'

type Signed = Pick<TurnLabel, 'by'>

/** Readings of one turn with one more: what the same reader said before goes. */
export function withReading<T extends Signed>(readings: readonly T[], reading: T): readonly T[] {
  return [...readings.filter(({ by }) => by !== reading.by), reading]
}

/** [L86] Of several labels of a turn: the consensus where there is one, else the later one (T1). */
export function countingLabel<T extends Signed>(readings: readonly T[]): T | undefined {
  return readings.find(({ by }) => by === CONSENSUS) ?? readings.at(-1)
}

/**
 * [L85] What a reader is shown of a turn: the consensus, else the own label, else one that nobody signed.
 * What others said stays unseen: two readings are worth something only where neither knew the other.
 * @param by null = a person without a name sees the label that counts
 */
export function labelFor<T extends Signed>(
  readings: readonly T[],
  by: string | null,
): T | undefined {
  if (by === null) return countingLabel(readings)
  const signed = (name: string | undefined) => readings.find((one) => one.by === name)
  return signed(CONSENSUS) ?? signed(by) ?? signed(undefined)
}
