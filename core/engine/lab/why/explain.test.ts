import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../../../fixtures/cases.ts'
import {
  WORD_DOMAINS,
  anySessions,
  corpusOf,
  finish,
  labelsOf,
  scoreFromScratch,
} from '../../../../fixtures/lab-corpus.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline, type Pipeline } from '../../pipeline.ts'
import type { Counterfactual } from '../../schema/lab.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { explainTurn } from './explain.ts'
import { nearSignals } from './near.ts'
import { patchPipeline } from './patch.ts'
import type { Rescore } from '../scoring/rescore.ts'
import { createScorer } from '../scoring/score-corpus.ts'
import { signalNames } from '../corpus/signal-name.ts'

const recommended = loadPreset('recommended')
const pipeline = must(createPipeline(compileFixture(WORD_DOMAINS), recommended, null))

function explain(
  scored: ScoredCorpus,
  turn: number,
  domain: string | null,
  labels: CorpusLabels = new Map(),
): readonly Counterfactual[] {
  // The scorer that the app uses. The tests compare its answers with decisions from scratch.
  const scorer = createScorer(scored.corpus)
  const rescore: Rescore = (changed, previous) => scorer.score(changed, { previous })
  const base = finish(scorer.score(scored.pipeline))
  return finish(explainTurn(base, labels, { turn, domain }, rescore))
}

type Edit = Counterfactual['edits'][number]

/** Applies an edit by hand. */
function applied(base: Pipeline, edit: Edit): Pipeline {
  if (edit.kind === 'remove_signals') {
    const names = signalNames(base)
    return patchPipeline(base, {
      without: new Set(edit.what.split(', ').map((name) => names.indexOf(name))),
    })
  }
  const [option = '', domain] = edit.what.split('.')
  const words: Record<string, unknown> = { none: null, true: true, false: false }
  const value = edit.to in words ? words[edit.to] : Number(edit.to)
  if (domain !== undefined)
    return patchPipeline(base, { domains: new Map([[domain, { [option]: value }]]) })
  const options = option === 'antiSignals' ? { antiSignals: [] } : { [option]: value }
  return patchPipeline(base, { options: options })
}

describe('what would have made another domain the primary', () => {
  it('[T14] names matches to add, signals to take away, and options', () => {
    const scored = scoreFromScratch(corpusOf([['cod1 cod2 bug1']]), pipeline)
    const [bugfix, ...rest] = explain(scored, 0, 'bugfix')
    expect(rest).toEqual([])
    expect(bugfix?.edits).toContainEqual({
      kind: 'add_signals',
      what: '2 more matches',
      from: '1',
      to: '3',
      size: 2,
      alsoFlips: null,
      fixed: null,
      broken: null,
    })
    expect(bugfix?.edits).toContainEqual({
      kind: 'remove_signals',
      what: 'coding/1, coding/second',
      from: '3',
      to: '1',
      size: 2,
      alsoFlips: 0,
      fixed: 0,
      broken: 0,
    })
  })

  it('[T14] takes away the signals that the corpus misses least, and counts other turns only', () => {
    const scored = scoreFromScratch(
      corpusOf([
        ['cod1 cod2 bug1 bug2'],
        ['cod1'],
        ['cod1'],
        ['cod1'],
        ['cod2 bug1'],
        ['hello cod2'],
      ]),
      pipeline,
    )
    const labels = labelsOf({ 0: 'bugfix', 4: 'bugfix', 5: 'coding' })
    const [bugfix] = explain(scored, 0, 'bugfix', labels)
    const removal = bugfix?.edits.find((edit) => edit.kind === 'remove_signals')
    expect(removal).toMatchObject({
      what: 'coding/second',
      size: 1,
      alsoFlips: 2,
      fixed: 1,
      broken: 1,
    })
  })

  it('[T14] a removal that would have left momentum elsewhere is not one', () => {
    const session = ['bug2', 'bug2', 'bug1', 'bug1', 'cod2', 'cod2 ls2']
    const scored = scoreFromScratch(corpusOf([session]), pipeline)
    expect(scored.decided(5).primary.domain).toBe('coding')
    // Without cod2 this turn alone goes to file_ops; but then bugfix is still strong and holds it off.
    const [files] = explain(scored, 5, 'file_ops')
    expect(files?.edits.map((edit) => edit.what)).not.toContain('coding/second')
  })

  it('[T14] options of scoring are found, and scored again', () => {
    const polite = [
      ...WORD_DOMAINS.slice(0, 3),
      { name: 'conversation', priority: 9, signals: ['hello', 'thanks'] },
    ]
    const made = must(createPipeline(compileFixture(polite), recommended, null))
    const option = (turns: readonly string[], domain: string, what: string) => {
      const scored = scoreFromScratch(corpusOf([turns]), made)
      const [answer] = explain(scored, turns.length - 1, domain)
      return answer?.edits.find((edit) => edit.what === what)
    }
    const mixed = ['cod1 hello thanks']
    expect(option(mixed, 'conversation', 'defaultDomainYields')).toMatchObject({ to: 'false' })
    const restless = ['cod1 bug1', 'cod1 ls1', 'cod1 bug1', 'cod1 ls1', 'ls1']
    expect(option(restless, 'coding', 'secondaryMinSignals')).toMatchObject({ to: '2', size: 1 })
  })

  it('[T14] an edit holds from the start of the session, not on this turn alone', () =>
    fc.assert(
      fc.property(anySessions, fc.nat({ max: 11 }), (sessions, at) => {
        const scored = scoreFromScratch(corpusOf(sessions), pipeline)
        const turn = Math.min(at, scored.corpus.turns - 1)
        for (const { domain, edits } of explain(scored, turn, null)) {
          expect(domain).not.toBe(scored.decided(turn).primary.domain)
          for (const edit of edits) {
            if (edit.kind === 'add_signals') continue
            const again = scoreFromScratch(scored.corpus, applied(pipeline, edit))
            expect(again.decided(turn).primary.domain).toBe(domain)
            const others = scored.primary.filter(
              (before, other) =>
                other !== turn && scored.domains[before] !== again.domains[again.primary[other]!],
            )
            expect(edit.alsoFlips).toBe(others.length)
          }
        }
      }),
      casesOf('lab: explain edit'),
    ))

  it('[T14] no smaller set of matches would do, by trying every set', () => {
    const words = fc.constantFrom('cod1', 'cod2', 'cod3', 'bug1', 'bug2', 'ls1', 'hello')
    fc.assert(
      fc.property(fc.uniqueArray(words, { maxLength: 6 }), (list) => {
        const scored = scoreFromScratch(corpusOf([[list.join(' ')]]), pipeline)
        const fired = scored.fired(0)
        const least = new Map<string, number>()
        for (let set = 1; set < 1 << fired.length; set += 1) {
          const without = new Set(fired.filter((_, bit) => (set & (1 << bit)) !== 0))
          const again = scoreFromScratch(scored.corpus, patchPipeline(pipeline, { without }))
          const { domain } = again.decided(0).primary
          const known = least.get(domain) ?? Infinity
          // Taking away a domain's own matches is no way to make it win.
          const names = signalNames(pipeline)
          const own = [...without].some((number) => names[number]?.startsWith(`${domain}/`))
          if (!own) least.set(domain, Math.min(known, without.size))
        }
        for (const { domain, edits } of explain(scored, 0, null)) {
          const removal = edits.find((edit) => edit.kind === 'remove_signals')
          expect(removal?.size).toBe(least.get(domain))
        }
      }),
      casesOf('lab: explain matches'),
    )
  })

  it('[T14] no nearer value of a number would do', () =>
    fc.assert(
      fc.property(anySessions, fc.nat({ max: 11 }), (sessions, at) => {
        const scored = scoreFromScratch(corpusOf(sessions), pipeline)
        const turn = Math.min(at, scored.corpus.turns - 1)
        for (const { domain, edits } of explain(scored, turn, null))
          for (const { what, from, size } of edits) {
            if (what !== 'momentumThreshold' && what !== 'secondaryMinSignals') continue
            const least = what === 'momentumThreshold' ? 1 : 0
            for (let step = 1; step < size; step += 1)
              for (const value of [Number(from) - step, Number(from) + step]) {
                if (value < least) continue
                const changed = patchPipeline(pipeline, { options: { [what]: value } })
                const again = scoreFromScratch(scored.corpus, changed)
                expect(again.decided(turn).primary.domain).not.toBe(domain)
              }
          }
      }),
      casesOf('lab: explain number'),
    ))

  it('[T14] finds the smallest threshold with which a held turn would have been free', () => {
    const session = ['cod1', 'cod1', 'cod1', 'cod1', 'ls1']
    const scored = scoreFromScratch(corpusOf([session]), pipeline)
    expect(scored.decided(4).primary.domain).toBe('coding')
    const [files] = explain(scored, 4, 'file_ops')
    expect(files?.edits).toContainEqual({
      kind: 'option',
      what: 'momentumThreshold',
      from: '3',
      to: '5',
      size: 2,
      alsoFlips: 0,
      fixed: 0,
      broken: 0,
    })
    expect(files?.edits.map((edit) => edit.what)).toContain('breakMinSignals.file_ops')
  })
})

describe('signals that did not fire', () => {
  const { domains } = compileFixture([
    {
      name: 'coding',
      signals: [
        { id: 'far', pattern: '\\bzebra\\b' },
        { id: 'part', pattern: '\\brefactoring\\b' },
        { id: 'there', pattern: '\\brename\\s+the\\s+class\\b' },
        { id: 'fired', pattern: 'text' },
        { id: 'wide', pattern: '修正' },
      ],
    },
  ])

  it('[T14] come nearest first, with what is missing and what is there', () => {
    const near = nearSignals(domains[0]!, new Set([3]), 'Refactor the text; rename THE classes')
    expect(near.map((one) => one.id)).toEqual(['there', 'part', 'far', 'wide'])
    expect(near[0]!.missing).toEqual([])
    expect(near[0]!.present).not.toEqual([])
    expect(near[1]!.missing).toEqual(['refactoring'])
    expect(near[3]!.missing).toEqual(['a character above U+007F'])
  })

  it('[T14] of a signal with alternatives the nearest one counts', () => {
    const [either] = compileFixture([
      { name: 'coding', signals: ['\\bzebra\\b|\\brefactoring\\b'] },
    ]).domains
    const [near] = nearSignals(either!, new Set(), 'please refactor')
    expect(near?.missing).toEqual(['refactoring'])
  })

  it('[T14] every place given holds the literal in the text', () => {
    const text = 'Ünïcode first, then Rename  THE  class'
    const [there] = nearSignals(domains[0]!, new Set([0, 1, 3, 4]), text)
    const parts = there!.present.map(([from, to]) => text.slice(from, to).toLowerCase())
    expect(parts.length).toBeGreaterThan(0)
    for (const part of parts) expect('rename the class').toContain(part)
  })
})
