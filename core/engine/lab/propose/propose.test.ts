import { describe, expect, it } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { WORD_DOMAINS, corpusOf, finish, labelsOf } from '../../../../fixtures/lab-corpus.ts'
import { createPipeline } from '../../pipeline.ts'
import { FOLDS, foldsBySource } from '../metrics/folds.ts'
import type { Adviser } from '../opinion/opinion.ts'
import { createScorer } from '../scoring/score-corpus.ts'
import { featuresOf, patternOf } from './features.ts'
import { onFolds, wins } from './judge.ts'
import { proposeSignals } from './propose.ts'
import { proposalId, proposalNote } from './words.ts'

const pipeline = must(createPipeline(compileFixture(WORD_DOMAINS), loadPreset('recommended'), null))

interface Case {
  readonly text: string
  readonly primary: string
  readonly source: string
}

/** Labelled texts of several sources, then texts without a label. */
function propose(
  cases: readonly Case[],
  rest: readonly string[] = [],
  adviser: Pick<Adviser, 'share'> | null = null,
) {
  const scorer = createScorer(
    corpusOf([...cases.map(({ text }) => text), ...rest].map((one) => [one])),
  )
  const scored = finish(scorer.score(pipeline))
  const labels = labelsOf(Object.fromEntries(cases.map(({ primary }, at) => [at, primary])))
  const sourceOf = (turn: number) => cases[turn]?.source ?? ''
  const asked = { scored, labels, sourceOf, domain: null, most: 50, adviser }
  return finish(proposeSignals(asked, (changed, previous) => scorer.score(changed, { previous })))
}

const SOURCES = ['a', 'b', 'c', 'd', 'e'] as const
const everywhere = (text: string, primary: string, times = 3): Case[] =>
  SOURCES.flatMap((source) =>
    Array.from({ length: times }, (_, at) => ({
      text: `${text} n${at}${source}`,
      primary,
      source,
    })),
  )

describe('candidates', () => {
  it('[L90] are phrases, verb and object, beginnings, whole texts and what is negated', () => {
    const patterns = [...featuresOf("rename the old header, it doesn't work").values()].map(
      patternOf,
    )
    expect(patterns).toContain('\\brename\\b')
    expect(patterns).toContain('\\bold\\s+header\\b')
    expect(patterns).toContain('\\brename\\s+(?:\\S+\\s+){1,3}header\\b')
    expect(patterns).toContain('^\\s*rename\\s+the\\b')
    expect(patterns).toContain("(?:\\b(?:not|no|never|cannot|without)|n['’]t)\\s+work\\b")
    expect(patterns).not.toContain('\\bthe\\b')
    expect([...featuresOf('Go on').values()].map(patternOf)).toContain('^\\s*go\\s+on\\W*$')
  })

  it('[L90] match the text that they were found in, whatever its apostrophes and case', () => {
    for (const text of [
      "It doesn't work here",
      'Rename the big old file now',
      'Don’t do that',
      'ok',
    ])
      for (const feature of featuresOf(text).values())
        expect(text).toMatch(new RegExp(patternOf(feature), 'iu'))
  })
})

describe('folds', () => {
  it('[L91] never part a source, and are about equally large; one source has none', () => {
    const sources = new Map(Array.from({ length: 60 }, (_, at) => [at, `s${at % 12}`]))
    const folds = foldsBySource(sources)
    const bySource = new Map<string, Set<number>>()
    for (const [turn, source] of sources)
      bySource.set(source, (bySource.get(source) ?? new Set()).add(folds?.get(turn) ?? -1))
    expect([...bySource.values()].every((used) => used.size === 1)).toBe(true)
    const sizes = Array.from({ length: FOLDS }, (_, fold) =>
      [...(folds?.values() ?? [])].filter((each) => each === fold),
    )
    expect(sizes.map(({ length }) => length)).toEqual([15, 15, 10, 10, 10])
    expect(
      foldsBySource(
        new Map([
          [1, 'a'],
          [2, 'a'],
        ]),
      ),
    ).toBeNull()
  })
})

describe('proposals', () => {
  const background = everywhere('cod1 please', 'coding')

  it('[L92] a word that helps on sources it was not made from is proposed, with its figures', () => {
    const { proposals, sources, folds } = propose([
      ...background,
      ...everywhere('squash it', 'bugfix'),
    ])
    expect([sources, folds]).toEqual([5, 5])
    expect(proposals[0]).toMatchObject({
      domain: 'bugfix',
      words: 'squash',
      fixes: 15,
      breaks: 0,
      folds: 5,
      won: 5,
      lost: 0,
      held: 30,
      flips: 15,
      precision: { hits: 15, of: 15 },
    })
  })

  it('[L91] [L92] a habit of one source is no proposal, however often it has it', () => {
    const habit = Array.from({ length: 12 }, (_, at) => ({
      text: `yolo number ${at}`,
      primary: 'bugfix',
      source: 'a',
    }))
    const { proposals } = propose([...background, ...habit])
    expect(proposals.filter(({ words }) => words.includes('yolo'))).toEqual([])
  })

  it('[L92] what breaks as much as it repairs on held folds is never proposed', () => {
    const mixed = [
      ...everywhere('squash it', 'bugfix', 2),
      ...everywhere('squash', 'conversation', 2),
    ]
    const { proposals, refused, tried } = propose([...background, ...mixed])
    expect(proposals.filter(({ words }) => words === 'squash')).toEqual([])
    expect(tried - refused).toBeGreaterThanOrEqual(proposals.length)
    expect(wins({ fixes: 3, breaks: 0, won: 3, lost: 0 })).toBe(false)
    expect(wins({ fixes: 8, breaks: 0, won: 1, lost: 1 })).toBe(false)
    expect(wins({ fixes: 8, breaks: 1, won: 3, lost: 1 })).toBe(true)
  })

  it('[L92] counts nothing on folds that a candidate was made from', () => {
    const changed = { fixed: [0, 1, 2], broken: [3] }
    const foldOf = (turn: number) => turn % 2
    expect(onFolds(changed, foldOf, new Set([0]))).toEqual({ fixes: 2, breaks: 0, won: 1, lost: 0 })
  })

  it('[L94] the second opinion speaks for the turns without a label that a signal flips', () => {
    const cases = [...background, ...everywhere('squash it', 'bugfix')]
    const rest = Array.from({ length: 9 }, (_, at) => `squash the ball ${at}`)
    const says = (share: number) => ({
      share: (_: number, domain: string) => (domain === 'bugfix' ? share : 0.5),
    })
    const squash = (share: number) =>
      propose(cases, rest, says(share)).proposals.find(({ words }) => words === 'squash')
    expect(squash(0.1)).toBeUndefined()
    expect(squash(0.9)?.expected).toBeCloseTo(9 * 0.4, 10)
    expect(propose(cases, rest).proposals[0]?.expected).toBeNull()
  })

  it('[L91] labels of one source propose nothing, and it is said why', () => {
    const one = everywhere('squash it', 'bugfix').map((each) => ({ ...each, source: 'a' }))
    const { proposals, note } = propose(one)
    expect(proposals).toEqual([])
    expect(note).toContain('one source')
  })

  it('[L93] an accepted signal has an id that no other has, and says where it comes from', () => {
    const one = {
      kind: 'negation',
      words: "don't work",
      held: 30,
      fixes: 5,
      breaks: 0,
      folds: 4,
    } as const
    expect(proposalId(one, new Set())).toBe('negation-don-t-work')
    expect(proposalId({ ...one, kind: 'phrase' }, new Set(['don-t-work']))).toBe('don-t-work-2')
    expect(proposalNote(one)).toBe(
      'proposed from labels: right 5, broken 0 of 30 labelled turns in 4 held folds',
    )
  })
})
