import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '../../fixtures/any-character.ts'
import { segments } from './segments.ts'

const marking = (text: string) =>
  fc
    .tuple(fc.nat(text.length + 5), fc.nat(text.length + 5), fc.constantFrom('coding', 'bugfix'))
    .map(([a, b, domain]) => ({
      span: [Math.min(a, b), Math.max(a, b)],
      domain,
      signal: 0,
    }))

it('joined segments are the text, and every character knows all its marks', () => {
  const input = fc
    .string({ maxLength: 40, unit: anyCharacter })
    .chain((text) => fc.tuple(fc.constant(text), fc.array(marking(text), { maxLength: 6 })))
  fc.assert(
    fc.property(input, ([text, marks]) => {
      const cut = segments(text, marks)
      expect(cut.map((segment) => segment.text).join('')).toBe(text)
      for (const segment of cut)
        for (let at = segment.from; at < segment.from + segment.text.length; at += 1) {
          const here = marks.filter(({ span }) => span[0]! <= at && at < span[1]!)
          expect(segment.marks).toEqual(here)
        }
    }),
  )
})

it('marks what was found, whatever its case', () => {
  const cut = segments('Pull the 10-K filings', [], ['PULL'])
  expect(cut.filter(({ found }) => found).map(({ text }) => text)).toEqual(['Pull'])
})

it('marks nothing found where lower-casing changes lengths', () =>
  expect(segments('İstanbul', [], ['bul']).some(({ found }) => found)).toBe(false))
