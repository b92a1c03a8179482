import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReplayColumns } from '../engine/schema/replay.ts'
import { columnsFrom, joinColumns } from './replay-part.ts'

interface Turn {
  readonly primary: number
  readonly scores: readonly number[]
  readonly between: readonly number[] | null
}

const turn = fc.record<Turn>({
  primary: fc.integer({ min: -1, max: 9 }),
  scores: fc.array(fc.nat(9), { maxLength: 4 }),
  between: fc.option(fc.array(fc.nat(9), { minLength: 2, maxLength: 3 })),
})

/** Columns as a replay of these turns has them. */
function columnsOf(turns: readonly Turn[], hasMargin: boolean): ReplayColumns {
  const column = (shift: number) => turns.map(({ primary }, at) => primary * 7 + at * 3 + shift)
  const scorePairs = turns.flatMap(({ scores }) => scores.flatMap((score) => [score, score + 1]))
  const scoreStart = [0]
  for (const { scores } of turns) scoreStart.push((scoreStart.at(-1) ?? 0) + 2 * scores.length)
  const ambiguous = turns.flatMap(({ between }, at) =>
    between === null ? [] : [{ turn: at, between: [...between], lead: at / 2 }],
  )
  return {
    config: { preset: 'p', domains: 'd', profile: null, classify: null },
    domains: ['a', 'b'],
    turns: turns.length,
    seq: column(0),
    primary: column(1),
    secondary: column(2),
    primaryScore: column(3),
    secondaryScore: column(4),
    scoredPrimary: column(5),
    momentum: column(6),
    event: column(7),
    rule: column(8),
    resisted: column(9),
    enriched: column(10),
    scoreStart,
    scorePairs,
    threshold: 3,
    ...(hasMargin ? { ambiguous } : {}),
    cutOffs: [],
    warnings: turns.length > 3 ? ['it was cut off'] : [],
  }
}

test('[U190] a replay that comes in parts is the whole replay, whatever the parts are', () => {
  const ends = fc.array(fc.nat(30), { maxLength: 6 })
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 30 }), ends, fc.boolean(), (turns, cuts, hasMargin) => {
      let shown = columnsOf([], hasMargin)
      for (const end of [...cuts.toSorted((a, b) => a - b), turns.length]) {
        const whole = columnsOf(turns.slice(0, end), hasMargin)
        const part = columnsFrom(whole, shown.turns)
        expect(part.seq).toHaveLength(whole.turns - shown.turns)
        shown = joinColumns(shown, shown.turns, structuredClone(part))
        expect(shown).toEqual(whole)
      }
    }),
  )
})

test('[U190] a part from the first turn on takes the place of what was there', () => {
  const one = (primary: number): Turn => ({ primary, scores: [1], between: null })
  const before = columnsOf([one(1), one(2)], false)
  const after = columnsOf([one(3)], false)
  expect(joinColumns(before, 0, columnsFrom(after, 0))).toEqual(after)
})

test('[U190] fewer turns than were known leave none behind', () => {
  const turns = [1, 2, 3].map((primary): Turn => ({ primary, scores: [primary], between: [1, 2] }))
  const long = columnsOf(turns, true)
  const short = columnsOf(turns.slice(0, 2), true)
  expect(joinColumns(long, 2, columnsFrom(short, 2))).toEqual(short)
})
