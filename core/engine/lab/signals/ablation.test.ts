import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import {
  WORD_DOMAINS,
  anyLabels,
  anySessions,
  corpusOf,
  finish,
  labelsOf,
  rescoreFromScratch,
  scoreFromScratch,
} from '../../../../fixtures/lab-corpus.ts'
import { isValueOf } from '../../belief/options.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline, type Pipeline } from '../../pipeline.ts'
import { ablate } from './ablation.ts'
import { isRight } from '../metrics/label.ts'
import { patchPipeline } from '../why/patch.ts'
import type { Rescore } from '../scoring/rescore.ts'
import { createScorer } from '../scoring/score-corpus.ts'
import { whatIf } from '../why/what-if.ts'

const preset = loadPreset('recommended')
const make = (domains: readonly unknown[]): Pipeline =>
  must(createPipeline(compileFixture(domains), preset, null))
const pipeline = make(WORD_DOMAINS)

/** The configuration rewritten without one signal. */
function written(domain: string, index: number): Pipeline {
  return make(
    WORD_DOMAINS.map((one) =>
      one.name === domain ? { ...one, signals: one.signals.filter((_, at) => at !== index) } : one,
    ),
  )
}

describe('ablation', () => {
  it('[T16] says what a deletion flips, fixes and breaks', () => {
    const scored = scoreFromScratch(corpusOf([['cod1'], ['bug1 cod2'], ['hello']]), pipeline)
    const labels = labelsOf({ 0: 'coding', 1: 'bugfix', 2: 'coding' })
    const rows = finish(ablate(scored, labels, rescoreFromScratch))
    expect(rows.slice(0, 4)).toMatchObject([
      { domain: 'coding', index: 0, fired: 1, flips: 1, broken: 1, fixed: 0 },
      { domain: 'coding', index: 1, id: 'second', fired: 1, flips: 1, broken: 0, fixed: 1 },
      { domain: 'coding', index: 2, fired: 0, flips: 0, broken: 0, fixed: 0 },
      { domain: 'bugfix', index: 0, fired: 1, flips: 0, broken: 0, fixed: 0 },
    ])
    expect(rows).toHaveLength(8)
  })

  it('[T16] is a replay of the file without the signal, momentum included', () =>
    fc.assert(
      fc.property(anySessions, anyLabels, (sessions, labels) => {
        const corpus = corpusOf(sessions)
        const scorer = createScorer(corpus)
        const rescore: Rescore = (changed, previous) => scorer.score(changed, { previous })
        const scored = finish(scorer.score(pipeline))
        for (const row of finish(ablate(scored, labels, rescore))) {
          const again = scoreFromScratch(corpus, written(row.domain, row.index))
          const turns = Array.from({ length: corpus.turns }, (_, turn) => turn)
          const names = (of: typeof again, turn: number) => of.decided(turn).primary.domain
          const flipped = turns.filter((turn) => names(scored, turn) !== names(again, turn))
          const became = (right: boolean) =>
            flipped.filter((turn) => {
              const label = labels.get(turn)
              return (
                label !== undefined &&
                isRight(label, names(again, turn)) === right &&
                isRight(label, names(scored, turn)) !== right
              )
            }).length
          expect(row).toMatchObject({
            flips: flipped.length,
            fixed: became(true),
            broken: became(false),
          })
        }
      }),
      casesOf('lab: ablation'),
    ))

  it('[T16] a deletion that did not land is an error, not a signal that nobody misses', () => {
    const scored = scoreFromScratch(corpusOf([['cod1']]), pipeline)
    const idle: Rescore = (_, previous) => rescoreFromScratch(pipeline, previous)
    expect(() => finish(ablate(scored, new Map(), idle))).toThrow('did not land')
  })

  it('[T16] taking away an anti-signal leaves the others in place', () => {
    const antiSignals = ['cod1', 'bug1'].map((pattern) => {
      return { pattern, domains: ['coding'], factor: 0.5 }
    })
    const anti = must(
      createPipeline(
        compileFixture(WORD_DOMAINS),
        { ...preset, belief: { ...preset.belief, antiSignals } },
        null,
      ),
    )
    const patched = patchPipeline(anti, { without: new Set([0, 8]) })
    expect(patched.signals.map((signal) => signal.pattern)).toEqual([
      'cod2',
      'cod3',
      'bug1',
      'bug2',
      'ls1',
      'ls2',
      'hello',
      'bug1',
    ])
    expect(patched.preset.belief.antiSignals).toEqual([antiSignals[1]])
  })
})

describe('what-if', () => {
  const sessions = [['cod1', 'cod1', 'cod1', 'bug1', 'nothing', 'nothing', 'bug1']]
  const scored = scoreFromScratch(corpusOf(sessions), pipeline)

  it('[T17] each value is a replay under that value', () => {
    const labels = labelsOf({ 4: 'bugfix', 6: 'bugfix' })
    const values = [1, 2, 3, 4, 5, 6]
    const points = finish(
      whatIf(scored, labels, { option: 'momentumThreshold', values }, rescoreFromScratch),
    )
    for (const point of points) {
      const options = { momentumThreshold: point.value! }
      const again = scoreFromScratch(scored.corpus, patchPipeline(pipeline, { options }))
      const differ = scored.primary.filter((domain, turn) => domain !== again.primary[turn])
      expect(point.flips).toBeGreaterThanOrEqual(differ.length)
      expect(point.direct + point.momentum).toBe(point.flips)
      const right = [...labels].filter(([turn, label]) =>
        isRight(label, again.decided(turn).primary.domain),
      )
      expect(point.withAlternatives).toMatchObject({ hits: right.length, of: 2 })
    }
    expect(points.map((point) => point.value)).toEqual(values)
    expect(points[2]).toMatchObject({ flips: 0, fixed: 0, broken: 0 })
    expect(points.some((point) => point.flips > 0)).toBe(true)
  })

  it('[T17] values that no preset could have are left out', () => {
    expect([0, 1, 1.5, null].map((value) => isValueOf('momentumThreshold', value))).toEqual([
      false,
      true,
      false,
      false,
    ])
    expect([0, 1, null].map((value) => isValueOf('decayAfterTurns', value))).toEqual([
      false,
      true,
      true,
    ])
    const question = { option: 'momentumThreshold', values: [0, null, 4] } as const
    const points = finish(whatIf(scored, new Map(), question, rescoreFromScratch))
    expect(points.map((point) => point.value)).toEqual([4])
  })
})
