import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../fixtures/any-character.ts'
import { cutMiddle, scoredText, stripThinking } from './text.ts'

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
    const options = { maxChars: 8, stripThinking: true }
    expect(scoredText('<think>x</think>0123456789', options)).toEqual({
      text: '012\n\n789',
      cutChars: 4,
      thinkingChars: 16,
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
