import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { createLabelFinder, hashOf, parseLabels } from './label-file.ts'
import { createLabelStore } from './label-store.ts'

const sha = (text: string) => hashOf(text).slice(0, 16)

test('[T1] one bad line of a labels file costs one line', () => {
  const lines = parseLabels(
    [
      '# a comment',
      `{"event":0,"sha256":"${sha('a')}","primary":"coding"}`,
      '{"event":0,',
      '{"event":1,"primary":"coding"}',
      '',
      '{"text":"hello","primary":"conversation","colour":"red"}',
      '{"type":"outcome","pass":true}',
      '{"id":"x","text":"hi","primary":"conversation","acceptable":[],"secondary":null}',
    ].join('\r\n'),
  )
  expect(lines.map(({ value }) => value !== null)).toEqual([
    false,
    true,
    false,
    false,
    false,
    false,
    true,
    true,
  ])
  expect(lines.flatMap(({ line, problem }) => (problem === null ? [] : [[line, problem]]))).toEqual(
    [
      [3, 'not a line of JSON'],
      [4, expect.stringContaining('sha256')],
      [6, expect.stringContaining('colour')],
    ],
  )
})

test('[T1] a label is found by number and hash, else by the only text with that hash', () => {
  const finder = createLabelFinder(
    ['same', 'moved', 'same', 'last'].map((text, seq) => ({ seq, text })),
  )
  expect(finder.find({ event: 2, sha256: sha('same') })).toBe(2)
  expect(finder.find({ event: 9, sha256: sha('moved') })).toBe(1)
  expect(finder.find({ event: 3, sha256: hashOf('last') })).toBe(3)
  // Two events have this text, and the number is of neither.
  expect(finder.find({ event: 3, sha256: sha('same') })).toBeNull()
  expect(finder.find({ event: 0, sha256: sha('edited since') })).toBeNull()
})

test('[T3] a sample’s own labels count until the workspace has a file; the first change begins with them', async () => {
  const shipped = '{"event":0,"sha256":"0123456789abcdef","primary":"coding"}\n'
  const root = makeFolder({ 'in/s.jsonl': '', 'in/s.labels.jsonl': shipped })
  const store = createLabelStore(join(root, 'ws'))
  const sample = { path: join(root, 'in/s.jsonl'), name: 'Sample', fixed: 'a sample' }
  expect((await store.read(sample)).map(({ path }) => path)).toEqual([
    join(root, 'in/s.labels.jsonl'),
  ])
  const line = { type: 'outcome', pass: true } as const
  const file = await store.change(sample, { line: () => 'keep', end: () => [line] })
  expect(file).toBe(join(root, 'ws/labels/Sample.labels.jsonl'))
  expect(readFileSync(file, 'utf8')).toBe(`${shipped}${JSON.stringify(line)}\n`)
  expect(readFileSync(join(root, 'in/s.labels.jsonl'), 'utf8')).toBe(shipped)
  expect((await store.read(sample)).map(({ path }) => path)).toEqual([file])
})

test('[T3] labels stand beside a session of one’s own, and in the workspace for samples and uploads', async () => {
  const root = makeFolder({ 'in/a.jsonl': '' })
  const store = createLabelStore(join(root, 'ws'))
  const own = { path: join(root, 'in/a.jsonl'), name: 'a.jsonl', fixed: null }
  const sample = { ...own, name: '../st 003.jsonl', fixed: 'a sample' }
  expect(await store.target(own)).toBe(join(root, 'in/a.labels.jsonl'))
  expect(await store.target(sample)).toBe(join(root, 'ws/labels/st_003.labels.jsonl'))
  mkdirSync(join(root, 'ws/labels'), { recursive: true })
  const kept = '# kept\n{"event":0,"later":"version"}\n'
  writeFileSync(join(root, 'in/a.labels.jsonl'), kept)
  const line = { type: 'outcome', pass: true } as const
  await store.change(own, { line: () => 'keep', end: () => [line] })
  expect(readFileSync(join(root, 'in/a.labels.jsonl'), 'utf8')).toBe(
    `${kept}${JSON.stringify(line)}\n`,
  )
})
