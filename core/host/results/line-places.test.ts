import { existsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { LINE_STEP, createLineStarts } from '../batch/line-starts.ts'
import { openLinePlaces } from './line-places.ts'
import { mayHoldSession } from './source-session.ts'

test('[F142] lines of a large file are found by their numbers', async () => {
  const path = join(makeFolder({}), 'many.jsonl')
  const many = Array.from(
    { length: 30_000 },
    (_, line) => `${line} ${'x'.repeat((line * 37) % 900)}`,
  )
  writeFileSync(path, many.join('\n'))
  const file = await open(path)
  const { starts, lookTo } = createLineStarts(file)
  await lookTo(Number.POSITIVE_INFINITY)
  await file.close()
  expect(starts).toHaveLength(Math.ceil(many.length / LINE_STEP))
  const cases = [
    [0],
    [29_999],
    [5, 6, 7, 2000, 2001, 25_000],
    [LINE_STEP - 1, LINE_STEP, LINE_STEP + 1],
    [29_998, 29_999, 30_000],
    [],
  ]
  // All line starts that a batch wrote, the first of them, and none.
  for (const known of [starts, starts.slice(0, 3), undefined]) {
    const places = await openLinePlaces(path, known)
    for (const wanted of cases) {
      const found = await places.read(wanted)
      expect(found.map(({ number, bytes }) => [number, String(bytes).replace(/\n$/u, '')])).toEqual(
        wanted.flatMap((line) => (many[line] === undefined ? [] : [[line, many[line]]])),
      )
      const even = await places.read(
        wanted,
        (bytes) => Number.parseInt(String(bytes), 10) % 2 === 0,
      )
      expect(even).toEqual(found.filter(({ number }) => number % 2 === 0))
    }
    await places.close()
  }
  const places = await openLinePlaces(path)
  const asked = Array.from({ length: 12 }, (_, at) => [at * 2400, at * 2400 + 1])
  const together = await Promise.all(asked.map((lines) => places.read(lines)))
  expect(together.map((found) => found.map(({ bytes }) => String(bytes)).join(''))).toEqual(
    asked.map((lines) => lines.map((line) => `${many[line] ?? ''}\n`).join('')),
  )
  await places.close()
  expect(existsSync(path)).toBe(true)
})

test.each([
  ['s1', '{"id":"s1"}', true],
  ['s1', '{"id":"s2"}', false],
  ['s1', String.raw`{"id":"\u00731"}`, true],
  ['é😀', '{"id":"anything"}', true],
  ['a-long-b', '{"id":"a\\/long"}', true],
  ['1000.0', '{"id":1e3}', true],
  ['true', '{"id":true}', true],
  ['{"a":1}', '{"id":{"a" : 1}}', true],
])('[F142] whether a line may belong to session %j: %s', (session, line, may) => {
  expect(mayHoldSession(session)(Buffer.from(line))).toBe(may)
})
