import type { TurnLabel } from '../../schema/label.ts'
import type { PairAgreement, ReaderReport } from '../../schema/readers.ts'
import { isRight } from '../metrics/label.ts'
import { measured } from '../queue/precision.ts'
import { CONSENSUS } from './readings.ts'

/** A reader's label of a turn. */
export type Reading = Pick<TurnLabel, 'by' | 'primary' | 'acceptable'>

/** Reader name shown for labels without a name. */
export const UNSIGNED = '(no name)'

export function readerOf({ by }: Pick<TurnLabel, 'by'>): string {
  return by ?? UNSIGNED
}

/** Readings of individual readers. The consensus is their joint result and not a separate reading. */
function persons(readings: readonly Reading[]): readonly Reading[] {
  return readings.filter(({ by }) => by !== CONSENSUS)
}

/** [L87] Do readers see the turn differently? */
export function differ(readings: readonly Reading[]): boolean {
  return new Set(persons(readings).map(({ primary }) => primary)).size > 1
}

/** [L86] The readings differ and have not been settled. */
export function isOpen(readings: readonly Reading[]): boolean {
  return differ(readings) && !readings.some(({ by }) => by === CONSENSUS)
}

type Both = readonly [Reading, Reading]

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** Expected agreement of two readers who label at random, each with their own label frequencies. */
function chanceOf(both: readonly Both[]): number {
  const [one, other] = [0, 1].map((side) => countsOf(both.map((pair) => pair[side]?.primary ?? '')))
  const products = [...(one ?? [])].map(([name, count]) => count * (other?.get(name) ?? 0))
  return products.reduce((sum, product) => sum + product, 0) / both.length ** 2
}

/**
 * [L87] Cohen's kappa: agreement beyond chance. Its interval is Wilson's of the agreement, taken through the
 * same formula with the chance held fixed.
 */
function kappaOf(both: readonly Both[], same: PairAgreement['same']): PairAgreement['kappa'] {
  const chance = chanceOf(both)
  if (chance >= 1 || same.low === null || same.high === null) return null
  const beyond = (share: number): number => (share - chance) / (1 - chance)
  return {
    value: beyond(same.hits / same.of),
    low: beyond(same.low),
    high: beyond(same.high),
  }
}

function pairOf(readers: readonly [string, string], items: ReadonlyArray<readonly Reading[]>) {
  const both = items.flatMap((readings): Both[] => {
    const [one, other] = readers.map((name) => readings.find((each) => readerOf(each) === name))
    return one === undefined || other === undefined ? [] : [[one, other]]
  })
  if (both.length === 0) return null
  const same = both.filter(([one, other]) => one.primary === other.primary).length
  const accepted = both.filter(
    ([one, other]) => isRight(one, other.primary) || isRight(other, one.primary),
  ).length
  const agreed = measured(same, both.length)
  return {
    readers: [...readers] as [string, string],
    same: agreed,
    accepted: measured(accepted, both.length),
    kappa: kappaOf(both, agreed),
  }
}

/** [L87] Agreement of all pairs of readers over the same turns, and how many turns are to be settled. */
export function readerReport(items: Iterable<readonly Reading[]>): ReaderReport {
  const all = [...items]
  const names = countsOf(all.flatMap((readings) => persons(readings).map(readerOf)))
  const readers = [...names].map(([by, labels]) => ({ by, labels }))
  const pairs = readers.flatMap(({ by: one }, at) =>
    readers.slice(at + 1).flatMap(({ by: other }) => pairOf([one, other], all.map(persons)) ?? []),
  )
  const different = all.filter(differ)
  const open = different.filter(isOpen).length
  return { readers, pairs, open, settled: different.length - open }
}
