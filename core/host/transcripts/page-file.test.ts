import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { looksLikePage, readPageFile } from './page-file.ts'
import { openTranscript } from './transcript.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnscope-page-file-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const HEAD = '<!doctype html>\n<html><head><meta name="generator" content="Turnscope 0.1.0"></head>'
const SESSION = `${JSON.stringify({ type: 'session', schemaVersion: 1, id: 's' })}\n${JSON.stringify({ kind: 'user', text: 'hello' })}\n`

function page(files: unknown, rest = ''): string {
  const packed = deflateRawSync(Buffer.from(JSON.stringify(files))).toString('base64')
  return `${HEAD}<body>${rest}<script type="text/plain" id="files">${packed}</script></body>`
}

const read = (text: string, limits?: Parameters<typeof readPageFile>[2]) =>
  readPageFile(Buffer.from(text), 'page.html', limits)

test('[U125] an exported page opens as its session; what came along is kept apart', async () => {
  const files = {
    '/workspace/notes.jsonl': SESSION,
    '/workspace/notes.labels.jsonl': '{"text":"hello","primary":"planning"}\n',
    '/workspace/profiles/domains/theirs.yaml': 'version: 1',
    '/workspace/.turnscope/drafts/theirs.yaml-0123456789/current.json': '{"text":"draft"}',
    '/shipped/profiles/presets/field.yaml': 'x: 1',
  }
  const path = join(folder, 'page.html')
  writeFileSync(path, page(files, '<script>throw new Error("it ran")</script>'))
  const opened = await openTranscript(path)
  if (!opened.ok) throw new Error(opened.error.what)
  const { transcript, formatLabel, page: contents } = opened.value
  expect(formatLabel).toBe('Exported page')
  expect(transcript.sessions.map(({ id, events }) => [id, events.length])).toEqual([['s', 1]])
  expect(contents?.draft).toEqual({ file: 'theirs.yaml', text: 'draft' })
  expect(contents?.data).toEqual([{ kind: 'domain file', name: 'theirs' }])
  expect(contents?.labels).toContain('planning')
  opened.value.close()
})

test('[U125] only what our exporter writes counts as a page', () => {
  expect(looksLikePage(HEAD)).toBe(true)
  expect(looksLikePage('<!doctype html><meta name="generator" content="Other">')).toBe(false)
  expect(looksLikePage(`{"text":"${HEAD}"}`)).toBe(false)
})

const bomb = { '/workspace/a.jsonl': 'a'.repeat(3_000_000) }
test.each([
  ['cut off', page({}).slice(0, -20), undefined, /cut off/u],
  [
    'not packed',
    `${HEAD}<script type="text/plain" id="files">AAAA</script>`,
    undefined,
    /damaged/u,
  ],
  [
    'a bomb',
    page(bomb),
    { pageBytes: 1e6, unpackedBytes: 1e6, files: 9 },
    /unpack to more than 1 MB/u,
  ],
  ['huge', page({}), { pageBytes: 10, unpackedBytes: 10, files: 9 }, /larger than/u],
  ['no files', page([1, 2]), undefined, /cannot be read/u],
  [
    'many files',
    page({ a: '', b: '' }),
    { pageBytes: 1e6, unpackedBytes: 1e6, files: 1 },
    /more than 1 files/u,
  ],
  [
    'a list of objects in the place of a text',
    page({ '/workspace/a.jsonl': Array.from({ length: 100_000 }, () => ({})) }),
    undefined,
    /cannot be read/u,
  ],
  ['no session', page({ '/workspace/../x.jsonl': SESSION }), undefined, /no session/u],
  [
    'other names',
    page({ __proto__: 'x', '/workspace/constructor': '1' }),
    undefined,
    /no session/u,
  ],
])('[U125] a page that is %s is refused', async (_, text, limits, what) => {
  const answer = await read(text, limits)
  expect(answer.ok).toBe(false)
  expect(answer.ok ? '' : answer.error.what).toMatch(what)
})

test('[F206] a page whose files are many values is refused before they are built', async () => {
  const parse = vi.spyOn(JSON, 'parse')
  const packed = [page({ a: [{}, {}] }), page(Array.from({ length: 6000 }, () => 0))]
  for (const text of packed) expect(await read(text)).toMatchObject({ ok: false })
  const texts = parse.mock.calls.map(([text]) => text)
  parse.mockRestore()
  expect(texts.filter((text) => text !== '')).toEqual([])
})

test('[U125] a page that cannot be read is said as any other file that cannot', async () => {
  const path = join(folder, 'cut.html')
  writeFileSync(path, page({}).slice(0, -20))
  const opened = await openTranscript(path)
  expect(opened).toMatchObject({ ok: false, error: { where: path } })
})
