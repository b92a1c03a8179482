import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../fixtures/any-character.ts'
import { cutMiddle, originalSpans, scoredText, stripThinking } from './text.ts'

describe('[L7] [B16] the scored text', () => {
  it.each([
    ['a<think>b</think>c', 'ac'],
    ['<THINK>b</Think>c<think>d</think>', 'c'],
    ['a<think>b', 'a'],
    ['a</think>b', 'a</think>b'],
    ['plain', 'plain'],
  ])('strips %s', (text, kept) => expect(stripThinking(text)).toBe(kept))

  it('keeps head and tail, with a seam that no match crosses', () => {
    expect(cutMiddle('0123456789', 8)).toBe('012\n\n789')
    expect(cutMiddle('0123456789', 10)).toBe('0123456789')
  })

  it('counts what it took out', () => {
    const options = { maxChars: 8, stripThinking: true, stripCodes: false }
    expect(scoredText('<think>x</think>0123456789', options)).toEqual({
      text: '012\n\n789',
      cutChars: 4,
      thinkingChars: 16,
      ansiChars: 0,
      quotedChars: 0,
      quoted: [],
      pieces: [
        { from: 16, at: 0, length: 3 },
        { from: 23, at: 5, length: 3 },
      ],
    })
  })

  it('never splits a character and never exceeds the limit', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, minLength: 0, maxLength: 80 }),
        fc.integer({ min: 2, max: 60 }),
        (text, most) => {
          const cut = cutMiddle(text, most)
          expect(cut.length).toBeLessThanOrEqual(
            Math.max(most, text.length <= most ? text.length : 2),
          )
          expect(cut.isWellFormed()).toBe(text.isWellFormed())
        },
      ),
    ))
})

describe('[B25] codes of the terminal in a scored text', () => {
  const options = { maxChars: null, stripThinking: true, stripCodes: true }
  const text = 'a \u001b[31mgit\u001b[1C\u001b[0mpush\u001b[39m<think>x</think> b'

  it('are not scored, and places lead back into the original text', () => {
    const scored = scoredText(text, options)
    expect(scored).toMatchObject({ text: 'a git push b', ansiChars: 18, thinkingChars: 16 })
    const back = originalSpans(scored, 2, 10).map(([from, to]) => text.slice(from, to))
    expect(back).toEqual(['git', 'push'])
    expect(originalSpans(scored, 11, 12)).toEqual([[text.length - 1, text.length]])
  })

  it('stay by default', () => {
    const others = { maxChars: null, stripThinking: true }
    expect(scoredText('\u001b[31mError', others).text).toBe('\u001b[31mError')
  })

  it('every place of the scored text is the same character in the original', () => {
    const part = fc.constantFrom(
      'a',
      'é',
      '😀',
      ' ',
      '\u001b[31m',
      '\u001b[K',
      '<think>',
      '</think>',
    )
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 30 }),
        fc.option(fc.integer({ min: 2, max: 12 })),
        (parts, maxChars) => {
          const whole = parts.join('')
          const scored = scoredText(whole, { ...options, maxChars })
          const { pieces, text: kept } = scored
          expect(pieces === null).toBe(kept === whole)
          for (const [at, unit] of Array.from(
            { length: kept.length },
            (_, index) => kept[index],
          ).entries())
            for (const [from, to] of originalSpans(scored, at, at + 1))
              expect(whole.slice(from, to)).toBe(unit)
          const all = originalSpans(scored, 0, kept.length)
          const sum = all.reduce((chars, [from, to]) => chars + to - from, 0)
          const { cutChars, thinkingChars, ansiChars } = scored
          expect(sum).toBe(whole.length - cutChars - thinkingChars - ansiChars)
        },
      ),
    )
  })
})
