import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../fixtures/any-character.ts'
import { tokenOf } from './skeleton.ts'
import { createTextFacts, formOf } from './text-facts.ts'

const skeletonOf = (text: string): string => formOf(createTextFacts(text), 'skeleton')

/** The same character by character, of characters that are lower case by themselves. */
const oneByOne = (text: string): string =>
  Array.from(text, (char) => ((char.codePointAt(0) ?? 0) < 0x80 ? char : tokenOf(char))).join('')

const SCRIPTS =
  '\u4fee\u590d\u89e3\u6790\u3002 \u0438\u0441\u043f\u0440\u0430\u0432\u044c, \u0131 \u017f \u0660\u0661 \u2003\u2014'

describe('skeletons of texts', () => {
  it('have one unit for each character above U+007F, which says what it is', () => {
    expect(skeletonOf('a\u00e9\u4fee\u0660\u2003\u2014\u{1d400}\u{1f680}z')).toBe(
      'a\u00e0\u00e0\u00e1\u00e2\u00e3\u00e0\u00e3z',
    )
  })

  it('have the ASCII letters that fold to others', () => {
    expect(skeletonOf('\u0131\u017f\u0130\u212a')).toBe('isik')
  })

  it('are the same for long runs', () => {
    for (const length of [63, 64, 65, 128, 129, 1000])
      for (const char of ['\u4fee', '\u{1f680}', '\u2014', '\u0131'])
        expect(skeletonOf(`${char.repeat(length)}.`)).toBe(`${tokenOf(char).repeat(length)}.`)
  })

  it('take a half of a pair for a character, and leave pairs of the same half what they are', () => {
    expect(skeletonOf('\ud835')).toBe('\u00e3')
    expect(skeletonOf('\u{1d400}\ud835\u{1d400}\ud835')).toBe('\u00e0\u00e3\u00e0\u00e3')
    expect(skeletonOf('\udc00\u{1d400}')).toBe('\u00e3\u00e0')
  })

  it('are what each character says of itself', () => {
    const unit = fc.oneof(
      fc.constantFrom(...Array.from(SCRIPTS)),
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 3 }),
      fc.constantFrom('\ud83d', '\ude80', '\u{1f680}', '\u{10400}'),
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 200 }), (parts) => {
        // Lower-case text is unchanged.
        const text = parts
          .join('')
          .replaceAll('\u0130', 'i')
          .replaceAll('\u03a3', '\u03c3')
          .toLowerCase()
        expect(skeletonOf(text)).toBe(oneByOne(text))
      }),
    )
  })
})
