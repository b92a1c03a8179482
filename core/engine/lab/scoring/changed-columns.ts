import { addTo } from '../../maps.ts'
import type { Pipeline } from '../../pipeline.ts'
import { commonEnds, placesBetween } from '../corpus/common-ends.ts'
import {
  type Column,
  type CountColumns,
  type Counted,
  type Counts,
  type Firing,
  columnOf,
  numbersByCounted,
  shiftedColumn,
} from './count-columns.ts'

/** An answer as far as its columns go. */
export interface Columned extends Firing {
  readonly columns: CountColumns
}

/** Whether two signals count for the same and were found in one search. */
function isCounterpart(a: Firing, one: number, b: Firing, other: number): boolean {
  return (
    a.plan.slots[one] === b.plan.slots[other] &&
    a.identities[one] === b.identities[other] &&
    a.found[one]?.posting === b.found[other]?.posting
  )
}

/** Signals that only one of two answers has: the other one has none for the same that was found in one search. */
function differing(
  a: Firing,
  b: Firing,
): readonly [a: ReadonlySet<number>, b: ReadonlySet<number>] {
  const lengthA = a.identities.length
  const lengthB = b.identities.length
  const ends = commonEnds(lengthA, lengthB, (one, other) => isCounterpart(a, one, b, other))
  const ofA = placesBetween(ends, lengthA)
  const ofB = placesBetween(ends, lengthB)
  const keyOf = ({ identities, plan }: Firing, number: number): string =>
    `${plan.slots[number] ?? 0} ${identities[number] ?? ''}`
  const there = new Map<string, number[]>()
  for (const number of ofB) addTo(there, keyOf(b, number), number)
  const left = new Set(ofB)
  const alone = ofA.filter((number) => {
    const other = there.get(keyOf(a, number))?.pop()
    if (other === undefined || !isCounterpart(a, number, b, other)) return true
    left.delete(other)
    return false
  })
  return [new Set(alone), left]
}

const stepsOf = ({ found }: Firing, numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + (found[number]?.posting.length ?? 0), 0)

/** An earlier answer of the same scorer, and its pipeline. */
export interface Near extends Columned {
  readonly pipeline: Pipeline
}

/**
 * [L112] The columns of a pipeline. A domain whose signals fire on the same turns reuses the column of the earlier
 * answer. For other domains, the column is shifted by the signals that only one answer has, or rebuilt if that is less
 * work.
 */
export function createColumns(
  pipeline: Pipeline,
  firing: Firing,
  {
    counts,
    near,
    until,
  }: { readonly counts: Counts; readonly near: Near | null; readonly until: number },
): CountColumns {
  const [gone, come] =
    near === null ? [new Set<number>(), new Set<number>()] : differing(near, firing)
  const before = near === null ? null : numbersByCounted(near.pipeline)

  function columnFor(counted: Counted, own: readonly number[]): Column {
    const classes = counts.of(counted)
    const known = near?.columns.get(counted)
    if (near === null || known === undefined) return columnOf(firing, own, { counts, classes })
    const left = before?.get(counted)?.filter((number) => gone.has(number)) ?? []
    const joined = own.filter((number) => come.has(number))
    if (left.length === 0 && joined.length === 0) return known
    if (stepsOf(near, left) + stepsOf(firing, joined) > stepsOf(firing, own))
      return columnOf(firing, own, { counts, classes })
    const shifts = [
      { firing: near, numbers: left, delta: -1 },
      { firing, numbers: joined, delta: 1 },
    ] as const
    return shiftedColumn(known, shifts, classes, until)
  }

  const columns = [...numbersByCounted(pipeline)].map(
    ([counted, own]) => [counted, columnFor(counted, own)] as const,
  )
  return new Map(columns)
}

/** Columns that differ between two answers on at least one turn. */
export function changedColumns(
  before: CountColumns,
  after: CountColumns,
): ReadonlyMap<Counted, readonly [was: Column | undefined, is: Column]> {
  const changed = [...after].flatMap(([counted, is]) => {
    const was = before.get(counted)
    return was === is ? [] : [[counted, [was, is]] as const]
  })
  return new Map(changed)
}
