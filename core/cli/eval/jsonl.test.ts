import { Readable } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { compileFixture, loadPreset } from '../../../fixtures/load.ts'
import { evalBelief } from './eval-belief.ts'
import { LINE_TOO_LONG, filterLines, portionsOf } from './jsonl.ts'

async function linesIn(chunks: readonly string[], limit?: number) {
  const lines: unknown[] = []
  for await (const portion of portionsOf(
    Readable.from(chunks.map((each) => Buffer.from(each))),
    limit,
  ))
    lines.push(...portion)
  return lines
}

/** The lines, and the characters that were searched for newlines meanwhile. */
async function searchedIn(chunks: readonly string[]) {
  const spy = vi.spyOn(String.prototype, 'split')
  const lines = await linesIn(chunks)
  const characters = spy.mock.contexts.map(String).join('').length
  spy.mockRestore()
  return { lines, characters }
}

async function* coming<T>(...values: readonly T[]): AsyncGenerator<T, void, undefined> {
  for (const value of values) yield await Promise.resolve(value)
}

it('cuts lines wherever chunks end', async () => {
  expect(await linesIn(['a\n\nb', 'c\u2028d', '\n', 'e'])).toEqual(['a', '', 'bc\u2028d', 'e'])
  expect(await linesIn(['a', '\n'])).toEqual(['a'])
  expect(await linesIn([])).toEqual([])
})

it('a line in many chunks is searched once', async () => {
  const chunks = [...Array.from({ length: 3000 }, () => 'abcdefgh'), '\nx']
  const { lines, characters } = await searchedIn(chunks)
  expect(lines).toEqual(['abcdefgh'.repeat(3000), 'x'])
  expect(characters).toBeLessThan(4 * chunks.join('').length)
})

it('drops a line over the limit, and only that one', async () => {
  const chunks = ['1234', '567', '89\n12345678', '\n123456789\n1', '23456789']
  expect(await linesIn(chunks, 8)).toEqual([null, '12345678', null, null])
})

it('a line over the limit gives an error with what to do', async () => {
  const bad = vi.fn()
  const answers: unknown[] = []
  const source = { lines: coming(null, '{"a":1}'), onBad: bad }
  for await (const line of filterLines(source, z.object({ a: z.number() }), ({ a }) => a))
    answers.push(JSON.parse(line))
  expect(answers).toEqual([{ error: LINE_TOO_LONG }, 1])
  expect(bad).toHaveBeenCalledTimes(1)
})

it('eval belief names the number of a line over the limit', async () => {
  const domains = compileFixture([{ name: 'coding', signals: ['cod1'] }])
  const portions = coming(['', null, '{"message":"cod1"}'])
  const answers: unknown[] = []
  for await (const line of evalBelief(portions, { domains, preset: loadPreset('recommended') }))
    answers.push(JSON.parse(line))
  expect(answers).toEqual([
    { error: `line 2: ${LINE_TOO_LONG}` },
    expect.objectContaining({ momentum: 1 }),
  ])
})
