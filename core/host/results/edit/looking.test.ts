import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { REPOSITORY } from '../../../../fixtures/host.ts'
import { runCli } from '../../../../fixtures/run-cli.ts'
import { openLab } from '../../../cli/lab/lab-corpus.ts'
import { parseSide } from '../../../cli/lab/lab-side.ts'
import { HOME, THREADS } from '../../../place.ts'
import { openResults } from '../results.ts'
import { editResults } from './edit.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnscope-looking-'))
const at = (name: string) => join(folder, name)
const CONFIG = { preset: 'recommended', domains: 'default', profile: null, classify: null }

const escaped = (text: string) =>
  text.replaceAll(/[A-Za-z]/gu, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)

/** Lines that say a text in every way that JSON has, and lines that say it in none. */
const LINES = [
  (id: string, text: string) => JSON.stringify({ session: id, text }),
  (id: string, text: string) =>
    `  ${JSON.stringify({ session: id, text }, null, 1).replaceAll('\n', ' ')}`,
  (id: string, text: string) => `{"session":"${id}","text":"${escaped(text)}"}`,
  (id: string, text: string) => `{"session":"${id}","text":"${text}","text":"nothing"}`,
  (id: string, text: string) => `{"session":"${id}","text":{"said":"${text}"}}`,
  (id: string, text: string) => `{"session":"${id}","meta":{"text":1},"text":"${text}"}`,
  (id: string, text: string) => `{"session":"${id}","${escaped('text')}":"${text}"}`,
  (id: string, text: string) =>
    JSON.stringify({ session: id, other: text, text: 'Write unit tests' }),
  (id: string, text: string) => `{"session":"${id}","text":"${text}"`,
  () => '',
  // [F134] Lines that DuckDB does not read unchanged.
  (id: string, text: string) => `${JSON.stringify({ session: id, text })}\r`,
  (id: string, text: string) => `{"session":"${id}",\r"text":"${text}"}`,
  (id: string, text: string) => `{"session":"${id}","text":"${text}\rmore"}`,
  (id: string, text: string) => `{"session":"${id}","text":"${text}\u0001"}`,
]
const TEXTS = [
  'a frobnicated widget',
  'FROBNICATED',
  'fix the ſlow widget',
  'fix the <THINK>widget</think>slow<think>er',
  'fro<think>x</think>bnicated parts',
  'Plan the release',
  'ok',
]
/** Columns are found in the first lines. */
const ALIKE = 120
const lines = Array.from({ length: 1400 }, (_, number) =>
  (LINES[number < ALIKE ? 0 : number % LINES.length] ?? LINES[0])?.(
    `s${number % 37}`,
    TEXTS[(number * 3 + Math.floor(number / LINES.length)) % TEXTS.length] ?? '',
  ),
)
const csv = `session,turn,text\n${Array.from({ length: 200 }, (_, number) => `c${number % 7},${number},"${TEXTS[number % TEXTS.length] ?? ''}"\n`).join('')}`

const INPUTS = [at('rows.jsonl'), at('rows.csv'), at('packed.jsonl.gz')]

beforeAll(async () => {
  writeFileSync(at('rows.jsonl'), lines.join('\n'))
  writeFileSync(at('rows.csv'), csv)
  // Some of its last lines cannot be read in compressed form either. Matches found before that count once.
  const packed = lines.map((line) => line?.replaceAll(/"s(?=\d)/gu, '"p')).join('\n')
  writeFileSync(at('packed.jsonl.gz'), gzipSync(packed))
  const made = ['batch', ...INPUTS, '--columns', 'session=session,message=text', '--out', at('out')]
  expect([0, 2]).toContain((await runCli(made)).code)
}, 60_000)

/** The shipped domains with one signal more. */
function sideWith(name: string, pattern: string): string {
  const file = parse(readFileSync(join(REPOSITORY, 'profiles/domains/default.yaml'), 'utf8')) as {
    readonly domains: ReadonlyArray<{ readonly signals: readonly object[] }>
  }
  const [first, ...others] = file.domains
  const signals = [{ id: 'made-up', pattern }, ...(first?.signals ?? [])]
  const path = at(`${name}.json`)
  writeFileSync(
    path,
    JSON.stringify({ ...file, name, domains: [{ ...first, signals }, ...others] }),
  )
  return path
}

async function flipsOf(path: string, from: number, stop = new AbortController()) {
  const lab = await openLab({ ...CONFIG, workspace: HOME } as never)
  const side = await lab.resolve(await parseSide(lab, path, CONFIG))
  const results = await openResults(at('out'))
  try {
    const { scanned } = await editResults(results, side, {
      base: folder,
      formats: () => Promise.resolve([]) as never,
      signal: stop.signal,
      onProgress: () => undefined,
      threads: { url: THREADS.edit, automata: { shipped: HOME, automata: null }, from },
    })
    expect(scanned).toBe(1)
    return await results.ask('SELECT * FROM edited')
  } finally {
    results.close()
  }
}

test.each([
  ['a word', '(?i)\\bfrobnicated\\b'],
  ['a letter that case ties to ASCII', '(?i)\\bslow\\b'],
  ['two ways', '(?i)widget|release'],
  ['a pattern without literals', '^[A-Z]{2,}'],
])(
  '[F132] [F146] %s: threads, this thread and a whole run find the same flips',
  async (name, pattern) => {
    const path = sideWith(name.replaceAll(' ', '-'), pattern)
    const here = await flipsOf(path, Infinity)
    const threads = await flipsOf(path, 0)
    expect(here.length).toBeGreaterThan(0)
    expect(threads).toEqual(here)
    const whole = at(`whole-${name.replaceAll(' ', '-')}`)
    const inputs = [...INPUTS, '--columns', 'session=session,message=text']
    await runCli(['batch', ...inputs, '--out', whole, '--against', path])
    const results = await openResults(whole)
    const expected = await results.ask('SELECT * FROM flips')
    results.close()
    expect(here).toEqual(expected)
  },
  60_000,
)

test('[F132] lines that do not begin where they did are refused', async () => {
  const text = readFileSync(at('rows.jsonl'), 'utf8')
  const path = sideWith('moved', '(?i)\\bfrobnicated\\b')
  // As many bytes, another number of lines.
  writeFileSync(at('rows.jsonl'), text.replaceAll('\n{', ' {'))
  await expect(flipsOf(path, Infinity)).rejects.toMatchObject({
    what: 'the lines of this source do not begin where the batch wrote down that they do',
    where: at('rows.jsonl'),
  })
  writeFileSync(at('rows.jsonl'), text)
})

test('[F146] a thread that cannot go on is told with what it met', async () => {
  const path = sideWith('again', '(?i)\\bfrobnicated\\b')
  const matches = join(at('out'), 'matches', 'part-00000.bin')
  const bytes = readFileSync(matches)
  writeFileSync(matches, bytes.subarray(0, bytes.length - 7))
  await expect(flipsOf(path, 0)).rejects.toMatchObject({ where: matches })
  writeFileSync(matches, bytes)
})

test.each([
  ['threads', 0],
  ['this thread', Infinity],
])('[F146] an edit that is cancelled ends: %s', async (_, from) => {
  const path = sideWith('cancelled', '(?i)\\bfrobnicated\\b')
  const stop = new AbortController()
  const asked = flipsOf(path, from, stop)
  stop.abort()
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  // And the next one has its flips.
  expect((await flipsOf(path, from)).length).toBeGreaterThan(0)
})
