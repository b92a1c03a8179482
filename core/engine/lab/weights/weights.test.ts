import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { WORD_DOMAINS, corpusOf, finish, labelsOf } from '../../../../fixtures/lab-corpus.ts'
import { createPipeline } from '../../pipeline.ts'
import { patchPipeline } from '../why/patch.ts'
import { createScorer } from '../scoring/score-corpus.ts'
import { recordsOf, weighSignals, weightBy } from './weights.ts'
import { weightsVerdict } from './words.ts'

const pipeline = must(createPipeline(compileFixture(WORD_DOMAINS), loadPreset('recommended'), null))

interface Case {
  readonly text: string
  readonly primary: string
  readonly source: string
}

function weigh(cases: readonly Case[]) {
  const scorer = createScorer(corpusOf(cases.map(({ text }) => [text])))
  const scored = finish(scorer.score(pipeline))
  const labels = labelsOf(Object.fromEntries(cases.map(({ primary }, at) => [at, primary])))
  const sourceOf = (turn: number) => cases[turn]?.source ?? ''
  const rescore: Parameters<typeof weighSignals>[1] = (changed, previous) =>
    scorer.score(changed, { previous })
  return { found: finish(weighSignals({ scored, labels, sourceOf }, rescore)), scored, labels }
}

const SOURCES = ['a', 'b', 'c', 'd', 'e'] as const
/** In every source `cod1` fires on turns labelled bugfix, and loses nothing by counting less. */
const CASES = SOURCES.flatMap((source) =>
  [1, 2, 3].flatMap((nth): Case[] => [
    { text: `cod1 bug1 ${nth}${source}`, primary: 'bugfix', source },
    { text: `bug2 ${nth}${source}`, primary: 'bugfix', source },
    { text: `cod2 ${nth}${source}`, primary: 'coding', source },
    { text: `ls1 ${nth}${source}`, primary: 'file_ops', source },
  ]),
)

describe('fit', () => {
  it('[L96] is 1 for the usual share, more above it, less below it, and bounded', () => {
    expect(weightBy({ fired: 0, right: 0 }, 0.6)).toBe(1)
    expect(weightBy({ fired: 20, right: 12 }, 0.6)).toBe(1)
    const more = weightBy({ fired: 20, right: 20 }, 0.6)
    const less = weightBy({ fired: 20, right: 2 }, 0.6)
    expect(more).toBeGreaterThan(1.3)
    expect(less).toBeLessThan(0.7)
    // A signal that fired rarely stays closer to 1 than one that fired often.
    expect(weightBy({ fired: 2, right: 2 }, 0.6)).toBeLessThan(more)
    expect(weightBy({ fired: 100_000, right: 100_000 }, 0.01)).toBe(3)
    expect(weightBy({ fired: 100_000, right: 0 }, 0.99)).toBe(0.25)
    expect((weightBy({ fired: 7, right: 3 }, 0.5) * 20) % 1).toBeCloseTo(0)
  })

  it('[L96] counts a signal on labelled turns only, and leaves groups and the default domain alone', () => {
    const { scored, labels } = weigh(CASES)
    const some = [...labels.keys()].slice(0, 3)
    const records = recordsOf(scored, labels, some)
    for (const [number, { fired, right }] of records) {
      const own = some.filter((turn) => scored.fired(turn).includes(number))
      expect(fired).toBe(own.length)
      expect(right).toBeLessThanOrEqual(fired)
    }
    const { set } = pipeline.belief
    const first = set.domains[0]
    const grouped = first?.signals[0]
    if (first === undefined || grouped === undefined) throw new Error('no signal')
    const other = createPipeline(
      {
        ...set,
        domains: [{ ...first, signals: [{ ...grouped, group: 'g' }] }, ...set.domains.slice(1)],
      },
      loadPreset('recommended'),
      null,
    )
    const known = recordsOf({ pipeline: must(other), fired: () => [] }, labels, [])
    expect(known.has(first.firstSignal)).toBe(false)
    expect([...known.keys()].some((number) => number > first.firstSignal)).toBe(true)
  })

  it('[K14] [L96] a patched weight counts, and what matches stays', () => {
    const { scored } = weigh(CASES)
    const number = scored.fired(0)[0] ?? -1
    const patched = patchPipeline(pipeline, { weights: new Map([[number, 2.5]]) })
    expect(patched.signals[number]).toMatchObject({ weight: 2.5 })
    expect(patched.signals[number]?.programs).toBe(pipeline.signals[number]?.programs)
    expect(patched.signals.filter((signal, at) => signal !== pipeline.signals[at])).toHaveLength(1)
  })
})

describe('weights', () => {
  it('[L97] win where every fold of sources is better decided without having been seen', () => {
    const { found } = weigh(CASES)
    expect(found).toMatchObject({ labels: 60, sources: 5, folds: 5, note: null })
    expect(found).toMatchObject({ fixes: 15, breaks: 0, won: 5, lost: 0, wins: true })
    expect(found.right.hits).toBe(45)
    expect(found.weighted.hits).toBe(60)
    expect(found.madeFrom).toEqual([...SOURCES])
    const [first] = found.weights
    expect(first).toMatchObject({ domain: 'coding', index: 0, right: 0, fired: 15, now: 1 })
    expect(first?.weight).toBeLessThan(0.5)
    expect(weightsVerdict(found)).toMatch(
      /15 become right, 0 wrong; 5 .* weights win beyond chance/u,
    )
  })

  it('[L97] do not win where only their own source is so, though they fit it', () => {
    const habit = CASES.map((one) =>
      one.text.startsWith('cod1') && one.source !== 'a' ? { ...one, primary: 'coding' } : one,
    )
    const { found } = weigh(habit)
    expect(found.wins).toBe(false)
    expect(found.fixes).toBe(0)
    expect(weightsVerdict(found)).toContain('not better beyond chance')
  })

  it('[L97] one source is measured on nothing, and says so', () => {
    const { found } = weigh(CASES.map((one) => ({ ...one, source: 'a' })))
    expect(found).toMatchObject({ weights: [], wins: false, folds: 0 })
    expect(weightsVerdict(found)).toContain('one source')
  })
})
