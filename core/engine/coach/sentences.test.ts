import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskShown, sentencesOf } from './cues.ts'

const said = (text: string) => sentencesOf(text).map((sentence) => sentence.text.trim())

describe('[V3] what the agent says itself', () => {
  it('[V3] code, quoted lines, inline code and quotations are left out, unit for unit', () => {
    const text = 'I ran `npm test`:\n```\nError: boom\n```\n> it should work\nHe said "done". Fine.'
    expect(maskShown(text)).toHaveLength(text.length)
    expect(maskShown(text)).not.toMatch(/Error|should|done|npm/)
    expect(said(text)).toEqual(['I ran           :', 'He said       .', 'Fine.'])
  })

  it('[V3] a fence that is never closed reaches to the end; a longer fence holds a shorter one', () => {
    expect(said('Look:\n```js\nError: x\nstill code')).toEqual(['Look:'])
    expect(said('A.\n````md\n```\nError\n```\n````\nB.')).toEqual(['A.', 'B.'])
  })

  it('[V3] an apostrophe opens no quotation', () =>
    expect(said("I can't go on. It isn't done.")).toEqual(["I can't go on.", "It isn't done."]))

  it('[V3] list items and headings are sentences; versions and paths are not split', () =>
    expect(said('## Done\n- added a.ts\n- bumped to v1.2.3')).toEqual([
      '## Done',
      '- added a.ts',
      '- bumped to v1.2.3',
    ]))

  it('[V3] sentences lie in the text, in order, and masking keeps every line break', () => {
    const piece = fc.constantFrom(
      'Done',
      '. ',
      '\n',
      '```',
      '"',
      '`',
      '> ',
      '?',
      '日本。',
      ' ',
      '“',
      '”',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        const masked = maskShown(text)
        expect(masked).toHaveLength(text.length)
        expect(masked.replaceAll(/[^\n]/g, '')).toBe(text.replaceAll(/[^\n]/g, ''))
        let end = 0
        for (const sentence of sentencesOf(text)) {
          expect(sentence.start).toBeGreaterThanOrEqual(end)
          expect(masked.slice(sentence.start, sentence.end)).toBe(sentence.text)
          end = sentence.end
        }
      }),
    )
  })
})
