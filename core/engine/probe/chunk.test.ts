import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesOf } from '../../../fixtures/cases.ts'
import { chunkDocument, isIndexable } from './chunk.ts'

const words = (count: number, word = 'lorem'): string =>
  Array.from({ length: count }, (_, n) => `${word}${n}`).join(' ')

describe('[D18] chunks of documents', () => {
  test('Markdown: headings start chunks and are kept as a path, fences stay whole', () => {
    const text = [
      '# Places',
      '',
      'Intro.',
      '',
      '## Rogue’s End',
      '',
      'A village.',
      '',
      '```',
      'a',
      '',
      'b',
      '```',
      '',
      '# People',
      '',
      'Rupert.',
    ].join('\n')
    expect(chunkDocument('a.md', text)).toEqual([
      { chunk_idx: 0, heading: 'Places', lines: [1, 3], text: '# Places\n\nIntro.' },
      {
        chunk_idx: 1,
        heading: 'Places > Rogue’s End',
        lines: [5, 13],
        text: '## Rogue’s End\n\nA village.\n\n```\na\n\nb\n```',
      },
      { chunk_idx: 2, heading: 'People', lines: [15, 17], text: '# People\n\nRupert.' },
    ])
  })

  test('a heading that only has headings under it answers nothing: it stands in their path', () =>
    expect(chunkDocument('a.md', '# Places\n\n## Rogue’s End\n\nA village.\n\n# Rest\n')).toEqual([
      {
        chunk_idx: 0,
        heading: 'Places > Rogue’s End',
        lines: [3, 5],
        text: '## Rogue’s End\n\nA village.',
      },
      { chunk_idx: 1, heading: 'Rest', lines: [7, 7], text: '# Rest' },
    ]))

  test('a line of megabytes without a blank is cut piece by piece, and nothing of it is lost', () => {
    const line = 'x'.repeat(3_000_001)
    const chunks = chunkDocument('a.txt', line)
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(line)
    expect(Math.max(...chunks.map((chunk) => chunk.text.length))).toBe(1400)
  })

  test('a long section is cut between lines, and the last lines are repeated', () => {
    const text = Array.from({ length: 40 }, (_, n) => words(10, `w${n}x`)).join('\n')
    const chunks = chunkDocument('a.txt', text)
    expect(chunks.length).toBeGreaterThan(2)
    const [first, second] = chunks
    expect(second?.text.split('\n').slice(0, 2)).toEqual(first?.text.split('\n').slice(-2))
    expect(second?.lines?.[0]).toBe((first?.lines?.[1] ?? 0) - 1)
  })

  test('code: a new definition at the margin after a blank line', () => {
    const text = [
      'import a',
      '',
      'export function one() {',
      `  ${words(90)}`,
      '}',
      '',
      'export function two() {',
      `  ${words(90)}`,
      '}',
    ].join('\n')
    const chunks = chunkDocument('a.ts', text)
    expect(chunks.map((chunk) => chunk.text.includes('function two'))).toEqual([false, true])
  })

  test('JSONL: a record is a chunk; a line that is no JSON is text', () => {
    const chunks = chunkDocument('a.jsonl', '{"title":"One","tags":["x"]}\nnot json\n{"n":2}\n')
    expect(chunks.map((chunk) => chunk.text)).toEqual(['title: One\ntags: x', 'not json', 'n: 2'])
    expect(chunks.map((chunk) => chunk.lines)).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
  })

  test('what is not text is not indexed', () =>
    expect(['a.md', 'b.TXT', 'c.ts', 'd.png', 'e'].map(isIndexable)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]))

  test('every word of a text is in a chunk, no chunk is larger than a model reads', () => {
    const line = fc
      .array(fc.stringMatching(/^[a-z]{1,12}$/u), { maxLength: 60 })
      .map((all) => all.join(' '))
    fc.assert(
      fc.property(
        fc.array(fc.oneof(line, fc.constant(''), fc.constant('# T')), { maxLength: 60 }),
        (lines) => {
          const text = lines.join('\n')
          const chunks = chunkDocument('a.md', text)
          const seen = new Set(chunks.flatMap((chunk) => chunk.text.split(/\s+/u)))
          expect(text.split(/\s+/u).filter((word) => word !== '' && !seen.has(word))).toEqual([])
          for (const chunk of chunks)
            expect(chunk.text.split(/\s+/u).length).toBeLessThanOrEqual(200)
          expect(chunks.map((chunk) => chunk.chunk_idx)).toEqual(chunks.map((_, index) => index))
        },
      ),
      casesOf('probe: chunk'),
    )
  })
})
