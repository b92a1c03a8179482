import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atLeast, casesOf } from '../../../../fixtures/cases.ts'
import {
  WORD_DOMAINS,
  anySessions,
  corpusOf,
  finish,
  scoreFromScratch,
} from '../../../../fixtures/lab-corpus.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline } from '../../pipeline.ts'
import { countAmbiguous, type LedTurn, riskCoverage } from './abstain.ts'
import { createScorer } from '../scoring/score-corpus.ts'

function turn(lead: number | null, isRight: boolean, source: string): LedTurn {
  const predicted = isRight ? 'coding' : 'bugfix'
  return { expected: 'coding', alternatives: [], predicted, lead, source, fold: null }
}

const TURNS = [
  turn(0, false, 'a'),
  turn(0, true, 'a'),
  turn(1, true, 'a'),
  turn(3, true, 'b'),
  turn(2, false, 'b'),
  turn(null, true, 'b'),
]

test('[L95] what is answered shrinks with the margin; shares have counts, intervals and folds', () => {
  const rows = riskCoverage(TURNS)
  expect(rows.map(({ margin, answered }) => [margin, answered.hits, answered.of])).toEqual([
    [null, 6, 6] as const,
    [0, 4, 6] as const,
    [1, 4, 6] as const,
    [2, 3, 6] as const,
    [3, 2, 6] as const,
  ])
  expect(rows.map(({ strict }) => [strict.hits, strict.of])).toEqual([
    [4, 6] as const,
    [3, 4] as const,
    [3, 4] as const,
    [2, 3] as const,
    [2, 2] as const,
  ])
  expect(rows[0]?.interval?.low).toBeCloseTo(0.3, 2)
  // At a margin of 2 nothing of source a is answered: one fold is left.
  expect(rows.map(({ folds }) => folds?.of)).toEqual([2, 2, 2, 1, 1])
})

test('[L95] a turn on which nothing competes is answered; nothing answered has no share', () => {
  expect(riskCoverage([turn(null, true, 'a')]).every(({ answered }) => answered.hits === 1)).toBe(
    true,
  )
  expect(riskCoverage([turn(0, true, 'a')])[1]).toMatchObject({
    strict: { hits: 0, of: 0, value: null },
    interval: null,
    folds: null,
  })
})

test('[L95] labels of one source have no folds, so no spread of 0 is shown', () => {
  const rows = riskCoverage(TURNS.filter(({ source }) => source === 'a'))
  expect(rows.map(({ folds }) => folds)).toEqual([null, null, null, null, null])
})

test('[B24] [L103] ambiguous turns are counted by class as turn by turn', () => {
  let counted = 0
  fc.assert(
    fc.property(anySessions, fc.constantFrom(0, 1, 2), (sessions, abstainMargin) => {
      const preset = loadPreset('recommended')
      const belief = { ...preset.belief, abstainMargin }
      const set = compileFixture(WORD_DOMAINS)
      const pipeline = must(createPipeline(set, { ...preset, belief }, null))
      const corpus = corpusOf(sessions)
      const scored = finish(createScorer(corpus).score(pipeline))
      const found = countAmbiguous(scored)
      expect(found).toBe(countAmbiguous(scoreFromScratch(corpus, pipeline)))
      counted += found ?? 0
    }),
    casesOf('lab: abstain'),
  )
  expect(counted).toBeGreaterThan(atLeast('lab: abstain', 20))
})
