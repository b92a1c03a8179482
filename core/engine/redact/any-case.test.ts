import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutModifiers } from './any-case.ts'
import { GITLEAKS } from './gitleaks-table.ts'

const matched = (pattern: string, text: string) => {
  const found = new RegExp(pattern, 'y').exec(text)
  return found === null ? null : [...found]
}

it.each([
  ['(?i:ab)c', '(?:[aA][bB])c'],
  ['(?i:[a-f0-9]{2}(?-i:Q)x)(y)', '(?:[a-fA-F0-9]{2}(?:Q)[xX])(y)'],
  [String.raw`(?i:\x41\d[\w-])`, String.raw`(?:\x41\d[\w-])`],
  ['(?<v>(?i:(k|[^x])))', '(?<v>(?:([kK]|[^xX])))'],
])('%s is %s', (pattern, plain) => expect(withoutModifiers(pattern)).toBe(plain))

it('no rule needs more of a regular expression than Node 20 knows', () => {
  const modified = GITLEAKS.filter(({ shape }) => /\(\?-?i:/u.test(shape))
  expect(modified.length).toBeGreaterThan(50)
  for (const { shape } of modified) expect(withoutModifiers(shape)).not.toMatch(/\(\?-?[ims]/u)
})

it('[F123] every rule without modifiers matches what it matches with them', () => {
  const shapes = GITLEAKS.map(({ shape }) => shape).filter((shape) => shape.includes('(?'))
  const hits = { yes: 0, no: 0 }
  for (const shape of shapes) {
    // Texts that the rule takes, in any case, and what is left when a few letters are changed.
    const texts = fc.tuple(
      fc.stringMatching(new RegExp(withoutModifiers(shape))),
      fc.boolean(),
      fc.nat(),
    )
    fc.assert(
      fc.property(texts, ([text, isUpper, at]) => {
        const cased = isUpper ? text.toUpperCase() : text.toLowerCase()
        const place = at % (text.length + 1)
        for (const each of [text, cased, `${text.slice(0, place)}%${text.slice(place + 1)}`]) {
          const wanted = matched(shape, each)
          expect(matched(withoutModifiers(shape), each)).toEqual(wanted)
          if (wanted === null) hits.no += 1
          else hits.yes += 1
        }
      }),
      { numRuns: 5, seed: 20_261_126 },
    )
  }
  expect(hits.yes).toBeGreaterThan(300)
  expect(hits.no).toBeGreaterThan(100)
})
