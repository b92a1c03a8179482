import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import {
  WORD_DOMAINS,
  anyLabels,
  anySessions,
  corpusOf,
  labelsOf,
  scoreFromScratch,
} from '../../../../fixtures/lab-corpus.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline } from '../../pipeline.ts'
import type { ModelProfile } from '../../schema/profile.ts'
import type { SessionOutcome } from '../../schema/label.ts'
import { enrichmentEffect } from '../flips/enrichment-effect.ts'
import { isForbidden, isRight } from './label.ts'
import { measureCorpus } from './metrics-corpus.ts'

const set = compileFixture(WORD_DOMAINS)
const score = (sessions: ReadonlyArray<readonly string[]>, profile: ModelProfile | null = null) =>
  scoreFromScratch(
    corpusOf(sessions),
    must(createPipeline(set, loadPreset('recommended'), profile)),
  )

describe('what labels say of a corpus', () => {
  it('[T10] right is the label or what it accepts; forbidden counts for both places', () => {
    const label = { primary: 'coding', acceptable: ['bugfix'], forbidden: ['planning'] }
    expect(['coding', 'bugfix', 'planning'].map((name) => isRight(label, name))).toEqual([
      true,
      true,
      false,
    ])
    expect(isForbidden(label, 'coding', 'planning')).toBe(true)
    expect(isForbidden(label, 'planning', null)).toBe(true)
    expect(isForbidden(label, 'coding', null)).toBe(false)
  })

  it('[T11] each ratio is among the turns that can tell', () => {
    const scored = score([['cod1 bug1'], ['bug1'], ['ls1'], ['nothing']])
    const metrics = measureCorpus(
      scored,
      labelsOf({
        0: { primary: 'bugfix', acceptable: ['coding'], secondary: 'bugfix' },
        1: { primary: 'bugfix', secondary: null, forbidden: ['coding'] },
        2: { primary: 'coding', forbidden: ['file_ops'] },
        99: 'coding',
      }),
    )
    expect(metrics).toMatchObject({
      labelled: 3,
      strict: { hits: 1, of: 3 },
      withAlternatives: { hits: 2, of: 3 },
      forbidden: { hits: 1, of: 2 },
      secondary: { hits: 2, of: 2 },
      mostFrequent: { domain: 'bugfix', hits: 2, of: 3 },
      macroF1: { of: 2 },
    })
  })

  it('[L95] [L100] abstaining and the basis speak of the same folds: sources, not sessions', () => {
    const scored = score([['cod1'], ['bug1'], ['bug1'], ['bug1']])
    const labels = labelsOf({ 0: 'coding', 1: 'coding', 2: 'bugfix', 3: 'bugfix' })
    const sourceOf = (turn: number): string => (turn < 2 ? 'a' : 'b')
    const { basis, abstain } = measureCorpus(scored, labels, { sourceOf, readings: [] })
    expect(basis?.byFold).toMatchObject({ folds: 2, mean: 0.75 })
    expect(abstain?.[0]?.folds).toMatchObject({ of: 2, mean: 0.75 })
    expect(abstain?.[0]?.folds?.deviation).toBe(basis?.byFold?.deviation)
    expect(measureCorpus(scored, labels)).toMatchObject({ basis: null })
  })

  it('[T11] first match goes by priority alone, so it is wrong where counting is right', () => {
    const metrics = measureCorpus(score([['cod1 bug1 bug2']]), labelsOf({ 0: 'bugfix' }))
    expect(metrics.strict).toEqual({ hits: 1, of: 1, value: 1 })
    expect(metrics.firstMatch.strict).toEqual({ hits: 0, of: 1, value: 0 })
  })

  it('[T11] the counts are those of going through the turns one by one', () =>
    fc.assert(
      fc.property(anySessions, anyLabels, (sessions, labels) => {
        const scored = score(sessions)
        const counts = { labelled: 0, strict: 0, lenient: 0, hit: 0, second: 0 }
        for (const [turn, label] of labels) {
          if (turn >= scored.corpus.turns) continue
          const { primary, secondary } = scored.decided(turn)
          const { acceptable = [], forbidden = [] } = label
          counts.labelled += 1
          if (primary.domain === label.primary) counts.strict += 1
          if ([label.primary, ...acceptable].includes(primary.domain)) counts.lenient += 1
          if (forbidden.some((one) => [primary.domain, secondary?.domain].includes(one)))
            counts.hit += 1
          if (label.secondary !== undefined && label.secondary === (secondary?.domain ?? null))
            counts.second += 1
        }
        const metrics = measureCorpus(scored, labels)
        expect({
          labelled: metrics.labelled,
          strict: metrics.strict.hits,
          lenient: metrics.withAlternatives.hits,
          hit: metrics.forbidden.hits,
          second: metrics.secondary.hits,
        }).toEqual(counts)
      }),
      casesOf('lab: metrics'),
    ))
})

describe('outcomes with and without enrichment', () => {
  const sessions = [['cod1'], ['cod1', 'bug1'], ['bug1'], ['bug1'], ['nothing']]
  const outcome = (pass?: boolean, points?: number): SessionOutcome => {
    return {
      type: 'outcome',
      ...(pass === undefined ? {} : { pass }),
      ...(points === undefined ? {} : { score: points }),
    }
  }
  const outcomes = new Map([
    [0, outcome(true, 4)],
    [1, outcome(false, 2)],
    [2, outcome(true)],
    [4, outcome(undefined, 9)],
  ])

  it('[T20] [L12] counts sessions, not turns, and only those with an outcome', () => {
    const [coding, bugfix] = enrichmentEffect(score(sessions), outcomes)
    expect(coding).toMatchObject({
      domain: 'coding',
      with: { sessions: 2, passed: { hits: 1, of: 2, value: 0.5 }, meanScore: 3, scored: 2 },
      without: { sessions: 2, passed: { hits: 1, of: 1 }, meanScore: 9, scored: 1 },
      heldBack: { sessions: 0, passed: { value: null }, meanScore: null, scored: 0 },
    })
    expect(bugfix?.with).toMatchObject({ sessions: 2, passed: { hits: 1, of: 2 } })
  })

  it('[T20] a domain that the profile switches off is held back where it was classified', () => {
    const off = score(sessions, { disabled_domains: ['bugfix'] })
    const bugfix = enrichmentEffect(off, outcomes)[1]
    expect(bugfix?.with.sessions).toBe(0)
    expect(bugfix?.without.sessions).toBe(4)
    expect(bugfix?.heldBack).toMatchObject({ sessions: 2, passed: { hits: 1, of: 2 } })
  })
})
