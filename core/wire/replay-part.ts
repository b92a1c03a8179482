import type { ReplayColumns } from '../engine/schema/replay.ts'

/** Columns with one number a turn. */
const PER_TURN = [
  'seq',
  'primary',
  'secondary',
  'primaryScore',
  'secondaryScore',
  'scoredPrimary',
  'momentum',
  'event',
  'rule',
  'resisted',
  'enriched',
] as const satisfies ReadonlyArray<keyof ReplayColumns>

/**
 * [U190] The columns of a replay from turn `from` on, 0-based. Numbers in it stay those of the whole replay:
 * `turns` counts all turns, and `scoreStart` begins with the end of the scores of the turn before.
 */
export function columnsFrom(whole: ReplayColumns, from: number): ReplayColumns {
  if (from === 0) return whole
  const { scoreStart, scorePairs, ambiguous } = whole
  return {
    ...whole,
    ...each((name) => whole[name].slice(from)),
    scoreStart: scoreStart.slice(from),
    scorePairs: scorePairs.slice(scoreStart[from] ?? scorePairs.length),
    ...(ambiguous === undefined ? {} : { ambiguous: ambiguous.filter(({ turn }) => turn >= from) }),
  }
}

/** [U190] Appends the result of `columnsFrom` to the columns of the earlier turns. Returns the original columns. */
export function joinColumns(
  before: ReplayColumns,
  from: number,
  part: ReplayColumns,
): ReplayColumns {
  if (from === 0) return part
  const { ambiguous } = part
  return {
    ...part,
    ...each((name) => before[name].slice(0, from).concat(part[name])),
    scoreStart: before.scoreStart.slice(0, from).concat(part.scoreStart),
    scorePairs: before.scorePairs.slice(0, before.scoreStart[from]).concat(part.scorePairs),
    ...(ambiguous === undefined
      ? {}
      : {
          ambiguous: [...(before.ambiguous ?? []).filter(({ turn }) => turn < from), ...ambiguous],
        }),
  }
}

type PerTurn = (typeof PER_TURN)[number]

function each(column: (name: PerTurn) => readonly number[]): Record<PerTurn, readonly number[]> {
  const made: Partial<Record<PerTurn, readonly number[]>> = {}
  for (const name of PER_TURN) made[name] = column(name)
  // Every name was given a column.
  return made as Record<PerTurn, readonly number[]>
}
