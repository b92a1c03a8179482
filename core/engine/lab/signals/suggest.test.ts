import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  WORD_DOMAINS,
  corpusOf,
  finish,
  rescoreFromScratch,
  scoreFromScratch,
} from '../../../../fixtures/lab-corpus.ts'
import { compileFixture, loadPreset, must } from '../../../../fixtures/load.ts'
import { createPipeline } from '../../pipeline.ts'
import type { TurnLabel } from '../../schema/label.ts'
import type { Rescore } from '../scoring/rescore.ts'
import { createScorer } from '../scoring/score-corpus.ts'
import { isHeldOut, suggestSignals, type Suggestions } from './suggest.ts'
import { tellingPhrases } from './suggest-phrases.ts'

const pipeline = must(createPipeline(compileFixture(WORD_DOMAINS), loadPreset('recommended'), null))
const HELD = '0000000000000003'
const TRAIN = '0000000100000000'

/** Texts with their labels; those whose label begins with "held" are held out. */
function suggest(
  rows: ReadonlyArray<readonly [text: string, label: string]>,
  domain: string | null = null,
): Suggestions {
  const scorer = createScorer(corpusOf(rows.map(([text]) => [text])))
  const rescore: Rescore = (changed, previous) => scorer.score(changed, { previous })
  const scored = finish(scorer.score(pipeline))
  const labels = new Map(
    rows.map(([, label], turn): [number, TurnLabel] => {
      const [primary = '', held] = label.split(' ')
      return [turn, { event: 0, sha256: held === undefined ? TRAIN : HELD, primary }]
    }),
  )
  return finish(suggestSignals({ scored, labels, domain, sourceOf: () => 'one' }, rescore))
}

const many = (count: number, text: string, label: string) =>
  Array.from({ length: count }, (_, at) => [`${text} ${'abcdefgh'[at] ?? ''}`, label] as const)

describe('suggestions', () => {
  const rows = [
    ...many(6, 'please squash everything', 'bugfix'),
    ...many(8, 'please paint everything', 'coding'),
    ...many(2, 'now squash', 'bugfix held'),
    ...many(1, 'now squash', 'coding held'),
    ...many(1, 'cod1 squash', 'coding held'),
  ]

  it('[L102] are judged on sources that they were not found in, never on rows of the same source', () => {
    const sources = ['a', 'b', 'c', 'd', 'e']
    const texts = sources.flatMap((source) =>
      ['squash it', 'paint it'].map((text) => [source, text]),
    )
    const scorer = createScorer(corpusOf(texts.map(([, text = '']) => [text])))
    const scored = finish(scorer.score(pipeline))
    const labels = new Map(
      texts.map(([, text = ''], turn): [number, TurnLabel] => [
        turn,
        { event: 0, sha256: TRAIN, primary: text.startsWith('squash') ? 'bugfix' : 'coding' },
      ]),
    )
    const sourceOf = (turn: number) => texts[turn]?.[0] ?? ''
    const asked = { scored, labels, domain: 'bugfix', sourceOf }
    const found = finish(suggestSignals(asked, rescoreFromScratch))
    // Two folds of the five are held out: two sources with two turns each.
    expect(found).toMatchObject({ train: 6, held: 4, heldSources: 2 })
    expect(suggest(rows, 'bugfix').heldSources).toBeNull()
  })

  it('[T18] come from the train part; the held part says what they gain', () => {
    const { suggestions, train, held } = suggest(rows, 'bugfix')
    expect([train, held]).toEqual([14, 4])
    expect(suggestions[0]).toMatchObject({
      domain: 'bugfix',
      phrase: 'squash',
      pattern: '\\bsquash\\b',
      trainOwn: 6,
      trainOther: 0,
      heldOwn: 2,
      heldOther: 2,
      flips: 9,
      heldBefore: { hits: 1, of: 4 },
      heldAfter: { hits: 3, of: 4 },
    })
    expect(suggestions.map((one) => one.phrase)).not.toContain('please')
  })

  it('[T18] the held part neither chooses nor orders them', () => {
    const phrases = (list: ReadonlyArray<readonly [string, string]>) =>
      suggest(list).suggestions.map((one) => [one.domain, one.phrase])
    const turned = rows.map(([text, label]): readonly [string, string] =>
      label === 'bugfix held' ? [text, 'file_ops held'] : [text, label],
    )
    const loud = many(8, 'holler', 'bugfix held')
    expect(phrases(turned)).toEqual(phrases(rows))
    expect(phrases([...rows, ...loud])).toEqual(phrases(rows))
  })

  it('[T18] no gain is said as the same counts, not hidden', () => {
    const settled = rows.filter(([, label]) => !label.includes('held'))
    const [best] = suggest([...settled, ['bug1 squash', 'bugfix held']], 'bugfix').suggestions
    expect(best?.heldBefore).toEqual(best?.heldAfter)
    expect(best?.heldAfter).toMatchObject({ hits: 1, of: 1 })
  })

  it('[T18] fewer than three turns of a domain suggest nothing', () => {
    const few = [...many(2, 'squash', 'bugfix'), ...many(20, 'paint', 'coding')]
    expect(suggest(few, 'bugfix').suggestions).toEqual([])
  })

  it('[T18] words apart by more than blanks are no phrase, and what others say as often is none', () => {
    const own = ['alpha, beta', 'alpha. beta', 'alpha beta', 'alpha\nbeta x', 'alpha beta y']
    const phrases = (others: readonly string[]) =>
      tellingPhrases(own, others).map(({ words, own: hits }) => [words.join(' '), hits])
    const quiet = Array.from({ length: 20 }, () => 'else')
    // "alpha beta" is in 3 of the 5 only, so it is not the same as "alpha"
    expect(phrases(quiet)).toEqual([
      ['alpha', 5],
      ['beta', 5],
      ['alpha beta', 3],
    ])
    const loud = Array.from({ length: 200 }, (_, at) => (at < 5 ? 'alpha' : 'else'))
    expect(phrases(loud).map(([phrase]) => phrase)).toEqual(['beta', 'alpha beta'])
  })

  it('[T18] turns that may be the domain’s are no evidence against a phrase', () => {
    const accepting = many(8, 'please squash', 'coding')
    const rows2 = [...many(4, 'squash', 'bugfix'), ...accepting, ...many(20, 'paint', 'coding')]
    expect(suggest(rows2, 'bugfix').suggestions).toEqual([])
    const scored = scoreFromScratch(corpusOf(rows2.map(([text]) => [text])), pipeline)
    const labels = new Map(
      rows2.map(([text, primary], turn): [number, TurnLabel] => {
        const acceptable = text.includes('squash') ? ['bugfix'] : []
        return [turn, { event: 0, sha256: TRAIN, primary, acceptable }]
      }),
    )
    const { suggestions } = finish(
      suggestSignals(
        { scored, labels, domain: 'bugfix', sourceOf: () => 'one' },
        rescoreFromScratch,
      ),
    )
    expect(suggestions[0]).toMatchObject({ phrase: 'squash', trainOwn: 4, trainOther: 0 })
  })

  it('[T18] the split is that of fixtures/labelled: by the first 8 digits of the hash', () => {
    expect(isHeldOut({ sha256: '0000000300000001' })).toBe(true)
    expect(isHeldOut({ sha256: '0000000400000003' })).toBe(false)
  })

  it('[T18] every pattern matches at least the own turns that its phrase was counted in', () => {
    const word = fc.constantFrom('α', 'été', 'don', 'bau', 'zug', 'x1', '7')
    const text = fc
      .array(fc.tuple(word, fc.constantFrom(' ', '  ', '\n', ', ', "'")), { maxLength: 8 })
      .map((parts) => parts.flat().join(''))
    fc.assert(
      fc.property(fc.array(text, { minLength: 3 }), fc.array(text), (own, other) => {
        for (const phrase of tellingPhrases(own, other)) {
          const pattern = new RegExp(
            `(?<![\\p{L}\\p{N}_])${phrase.words.join('\\s+')}(?![\\p{L}\\p{N}_])`,
            'iu',
          )
          expect(own.filter((one) => pattern.test(one))).toHaveLength(phrase.own)
          expect(other.filter((one) => pattern.test(one))).toHaveLength(phrase.other)
        }
      }),
    )
  })
})
