import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { runCli } from '../../../fixtures/run-cli.ts'
import { openResults } from '../results/results.ts'
import { createSources } from '../results/sources.ts'
import { isUnreadable, plainLine } from './plain-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnscope-plain-test-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)

const text = (line: Buffer) => plainLine(line).toString()

test.each([
  ['a line that can be read', Buffer.from('{"a": "好"}'), '{"a": "好"}'],
  ['a carriage return at its end', Buffer.from('{"a": 1}\r\r'), '{"a": 1}'],
  ['a carriage return within', Buffer.from('{"a":\r1}\r'), '{"a": 1}'],
  ['a torn character', Buffer.from([0x22, 0xe5, 0xa5, 0x22]), 'not UTF-8'],
  ['the character that divides columns', Buffer.from('{"a": "\u0001"}'), 'not JSON'],
  ['more than 16 MB', Buffer.alloc(16 * 1024 * 1024, 0x61), 'longer than 16 MB'],
])('[F134] %s', (_, line, expected) => {
  expect(text(line)).toBe(expected)
})

const row = (number: number, end: string) =>
  Buffer.from(
    `${JSON.stringify({ session: `s${number % 3}`, turn: number, text: `Fix the bug ${number}` })}${end}`,
  )

/** A file in which the given lines are among valid rows. */
function fileWith(name: string, place: number, bad: readonly Buffer[]): string {
  const rows = Array.from({ length: 60 }, (_, number) =>
    row(number, number % 7 === 3 ? '\r\n' : '\n'),
  )
  const bytes = Buffer.concat([...rows.slice(0, place), ...bad, ...rows.slice(place)])
  const pack = PACKERS.find(([ending]) => name.endsWith(ending))?.[1] ?? ((plain) => plain)
  writeFileSync(at(name), pack(bytes))
  return at(name)
}

const PACKERS: ReadonlyArray<readonly [string, (bytes: Buffer) => Buffer]> = [
  ['.gz', gzipSync],
  ['.zst', zstdCompressSync],
]

const feed = Buffer.from('\n')
const LINES = [
  Buffer.concat([
    Buffer.from('{"session":"s0","turn":900,"text":"'),
    Buffer.of(0xff),
    Buffer.from('"}\n'),
  ]),
  Buffer.from('{"session":"s0","turn":901,"text":"\u0001"}\n'),
  Buffer.concat([Buffer.alloc(17 * 1024 * 1024, 0x61), feed]),
  Buffer.from('{"session":"s1",\r"turn":902,"text":"Write unit tests"}\n'),
  feed,
] as const
const REASONS = ['not UTF-8', 'not JSON', 'longer than 16 MB'] as const

test.each([
  ['at the beginning', 0, ''],
  ['in the middle', 30, ''],
  ['at the end', 60, ''],
  ['in the middle of a file packed by gzip', 30, '.gz'],
  ['in the middle of a file packed by Zstandard', 30, '.zst'],
])(
  '[F134] lines that DuckDB cannot read cost these lines: %s',
  async (name, place, packed) => {
    const path = fileWith(`${place}.jsonl${packed}`, place, LINES)
    const out = at(`out-${place}${packed}`)
    const ran = await runCli(['batch', path, '--out', out])
    expect(ran, `${ran.signal ?? ''} ${ran.err}`).toMatchObject({ code: 2 })
    const errors = readFileSync(join(out, 'errors.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(errors, name).toEqual(
      REASONS.map((error, number) => ({ file: path, row: place + number, error })),
    )
    const results = await openResults(out)
    const sources = createSources(folder)
    try {
      const rows = await results.ask('SELECT row::INTEGER, session, turn FROM turns ORDER BY row')
      const expected = [
        ...Array.from({ length: 60 }, (_, number) =>
          number < place ? number : number + LINES.length,
        ),
        place + 3,
      ]
      expect(rows.map(([number]) => number)).toEqual(expected.toSorted((a, b) => a - b))
      // A row among them opens, too.
      for (const [number, session, turn] of rows)
        await expect(
          sources.place(results, {
            file: path,
            row: Number(number),
            session: String(session),
            turn: Number(turn),
          }),
        ).resolves.toMatchObject({ event: Number(turn) - 1 })
    } finally {
      await sources.close()
      results.close()
    }
  },
  60_000,
)

test.each([
  ['/a/b.jsonl', 'lines', true],
  ['/a/b.jsonl.GZ', 'lines', true],
  ['https://example.org/b.jsonl.gz', 'lines', false],
  ['/a/b.csv', 'csv', false],
])('[F134] whether lines are copied: %s', (path, kind, expected) => {
  const failure = new Error('the state machine reached an invalid state')
  expect(isUnreadable(failure, { kind, path })).toBe(expected)
  expect(isUnreadable(new Error('no space left'), { kind, path })).toBe(false)
})

test('[F134] a trial reads them, too', async () => {
  const path = fileWith('trial.jsonl', 10, LINES)
  const ran = await runCli(['batch', path, '--dry-run'])
  expect(ran).toMatchObject({ code: 0 })
  expect(ran.out).toContain('message = text')
})
