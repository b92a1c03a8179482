import fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesOf } from '../../../../../fixtures/cases.ts'
import { createLineFinder } from './line-finder.ts'

const LITERALS = ['stack trace', 'git', 'ab', '\\u004', 'ſ', 'İ', '<think'] as const

const readerOf = (all: Buffer, portion: number) => async (into: Buffer, at: number) => {
  const bytes = all.subarray(at, at + Math.min(into.length, portion))
  bytes.copy(into)
  return Promise.resolve(bytes.length)
}

const lowerAscii = (text: string) => text.replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase())

const word = fc.oneof(
  fc.constantFrom(
    'Stack Trace',
    'stack  trace',
    'GIT',
    'gi',
    't',
    'a',
    'b',
    'AB',
    'ſ',
    'İı',
    '\u017e',
  ),
  fc.constantFrom(String.raw`\u0041`, String.raw`\u0141`, '<Think>', '\r', '', '好', 'é', '\0'),
  fc.string({ maxLength: 40 }),
)
const line = fc.array(word, { maxLength: 12 }).map((words) => words.join(' ').replaceAll('\n', ' '))

test('[F132] lines are found as they are when each is compared with each literal', async () => {
  const finder = createLineFinder(LITERALS)
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 60 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 300 }),
      fc.nat(1000),
      async (lines, isEnded, portion, first) => {
        const text = lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : '')
        const all = Buffer.from(text)
        const found: Array<readonly [number, string]> = []
        const end = await finder.find(
          readerOf(all, portion),
          { from: 0, to: all.length, line: first },
          (number, bytes) => found.push([number, bytes.toString()]),
        )
        const expected = text
          .split('\n')
          .flatMap((each, at) =>
            LITERALS.some((literal) => lowerAscii(each).includes(literal))
              ? [[first + at, each] as const]
              : [],
          )
        expect(found).toEqual(expected)
        expect(end).toBe(first + text.split('\n').length - 1)
      },
    ),
    casesOf('results: line finder'),
  )
})

test('[F132] without literals every line is visited, blank ones and the last one too', async () => {
  const all = Buffer.from('one\n\nthree\nlast')
  const found: string[] = []
  const stretch = { from: 0, to: all.length, line: 0 }
  await createLineFinder(null).find(readerOf(all, 5), stretch, (number, bytes) =>
    found.push(`${number} ${bytes.toString()}`),
  )
  expect(found).toEqual(['0 one', '1 ', '2 three', '3 last'])
})

test('[F132] lines of many portions are found whole', async () => {
  const finder = createLineFinder(['needle in the middle'])
  const size = 9 * 1024 * 1024
  const long = `${'x'.repeat(size)}Needle in THE middle${'y'.repeat(size / 2)}`
  const all = Buffer.from(`first\n${long}\nlast`)
  const found: Array<readonly [number, number]> = []
  const end = await finder.find(
    readerOf(all, all.length),
    { from: 0, to: all.length, line: 0 },
    (number, bytes) => found.push([number, bytes.length]),
  )
  expect(found).toEqual([[1, long.length]])
  expect(end).toBe(2)
})

test.each([
  ['between others', ['needle 1\n', '\nneedle 3\n'], ['0 needle 1', '2 needle 3'], 3],
  ['at the end', ['needle 1\n', ''], ['0 needle 1'], 1],
  ['before a short end', ['', '\nneedle 2'], ['1 needle 2'], 1],
])(
  '[F134] a line of more than 16 MB is passed over: %s',
  async (_, [before = '', behind = ''], expected, end) => {
    const finder = createLineFinder(['needle'])
    const all = Buffer.concat([
      Buffer.from(before),
      Buffer.alloc(25 * 1024 * 1024, 'needle '),
      Buffer.from(behind),
    ])
    const found: string[] = []
    const stretch = { from: 0, to: all.length, line: 0 }
    expect(
      await finder.find(readerOf(all, all.length), stretch, (number, bytes) =>
        found.push(`${number} ${bytes.toString()}`),
      ),
    ).toBe(end)
    expect(found).toEqual(expected)
  },
)
