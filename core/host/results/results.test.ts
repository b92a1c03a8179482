import { cpSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ResultsFlip, NO_RESULTS_FILTER } from '../../engine/schema/results.ts'
import {
  collect,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  windowOf,
} from '../../../fixtures/host.ts'
import { runCli } from '../../../fixtures/run-cli.ts'
import { foldersOf } from '../batch/folders.ts'
import { readLineStarts } from '../batch/line-starts.ts'
import { resultFiles } from './folder-files.ts'

const TEXTS = [
  'fix the bug in the parser',
  'ok',
  'Write unit tests',
  'Plan the release',
  'git push it',
]
const KINDS = ['user', 'assistant', 'tool', 'user']
/** Sessions whose names are as unkind as names can be. */
const NAMES = ["it's", 'b" OR 1=1 --', 'c;DROP TABLE x', 'd\\n', 'é😀']

/** Mixed rows of five sessions, with blank lines and a bad line between them. */
const rows = Array.from({ length: 200 }, (_, at) => ({
  chat_id: NAMES[at % NAMES.length],
  idx: Math.floor(at / NAMES.length),
  role: KINDS[(at * 3) % 4],
  text: at % 11 === 5 ? null : `${TEXTS[(at * 7) % 5] ?? ''} ${TEXTS[(at * 3) % 5] ?? ''}`,
}))
const lines = rows.map((row) => `${JSON.stringify(row)}\n`)
const csv = [
  'chat_id,idx,role,text\n',
  ...rows.map(
    ({ chat_id, idx, role, text }) =>
      `${[chat_id, String(idx), role, text ?? ''].map((cell) => `"${(cell ?? '').replaceAll('"', '""')}"`).join(',')}\n`,
  ),
]

const folder = makeFolder({
  'rows.jsonl': ['\n', ...lines.slice(0, 50), 'not json\n', ...lines.slice(50)].join(''),
  'rows.csv': csv.join(''),
  'session.jsonl': makeSession(30),
})
const at = (...names: readonly string[]) => join(folder, ...names)
const out = at('out')
const host = makeHost()
const client = windowOf(host)
afterAll(() => host.close())

const SOURCES = ['rows.jsonl', 'rows.csv', 'session.jsonl']

beforeAll(async () => {
  const inputs = SOURCES.map((name) => at(name))
  const run = await runCli(['batch', ...inputs, '--out', out, '--against', 'preset:literal'])
  expect(run).toMatchObject({ code: 2 })
}, 60_000)

const asked = { path: out, filter: NO_RESULTS_FILTER, flips: 'against' } as const
const flipsOf = async (filter: Partial<typeof NO_RESULTS_FILTER>) =>
  (
    await client.call('results.flips', {
      ...asked,
      filter: { ...asked.filter, ...filter },
      from: 0,
      most: 500,
    })
  ).rows

test('[F141] a folder of results, or its manifest, is no transcript: it is asked as results', async () => {
  for (const path of [out, join(out, 'manifest.json')]) {
    const steps = await collect(client, 'session.open', { source: { kind: 'path', path } })
    expect(steps).toEqual([{ kind: 'results', path: out }])
    expect(await client.call('results.at', { path })).toEqual({ path: out })
  }
  expect(await client.call('results.at', { path: folder })).toEqual({ path: null })
  const { recent } = await client.call('library.list', {})
  expect(recent.find(({ path }) => path === out)).toMatchObject({ missing: false })
})

test('[F140] counts are those of the rows; rows without a text are counted apart', async () => {
  const about = await client.call('results.open', { path: out })
  const counts = await client.call('results.counts', { ...asked, by: 'file', of: 'turns' })
  const { rows: turns } = await client.call('results.turns', { ...asked, from: 0, most: 500 })
  expect(turns.length).toBe(about.turns)
  expect(counts.textless).toBe(turns.filter(({ chars }) => chars === 0).length)
  expect(counts.textless).toBeGreaterThan(0)
  expect(counts.turns + counts.textless).toBe(about.turns)
  const said = turns.filter(({ chars }) => chars > 0)
  for (const { domain, turns: number } of counts.domains)
    expect([domain, said.filter(({ primary }) => primary === domain).length]).toEqual([
      domain,
      number,
    ])
  expect(counts.panels.map(({ name }) => name).toSorted()).toEqual(
    SOURCES.map((name) => at(name)).toSorted(),
  )
  const flips = await flipsOf({})
  expect(counts.flips?.total).toBe(flips.length)
  expect(counts.pairs.reduce((sum, { direct, momentum }) => sum + direct + momentum, 0)).toBe(
    flips.length,
  )
})

test('[F140] a filter lets through what the rows say, whatever the names are', async () => {
  const all = await flipsOf({})
  const cases: ReadonlyArray<
    readonly [Partial<typeof NO_RESULTS_FILTER>, (flip: ResultsFlip) => boolean]
  > = [
    [{ cause: 'momentum' }, ({ cause }) => cause === 'momentum'],
    [
      { domain: 'bugfix' },
      ({ primaryWas, primaryIs }) => [primaryWas, primaryIs].includes('bugfix'),
    ],
    [
      { from: 'bugfix', to: 'bugfix' },
      ({ primaryWas, primaryIs }) => primaryWas === 'bugfix' && primaryIs === 'bugfix',
    ],
    [{ file: at('rows.csv') }, ({ file }) => file === at('rows.csv')],
    ...NAMES.map(
      (name) =>
        [
          { session: name },
          ({ session }: ResultsFlip) => session.toLowerCase().includes(name.toLowerCase()),
        ] as const,
    ),
    [{ domain: "x' OR '1'='1" }, () => false],
  ]
  for (const [filter, passes] of cases) expect(await flipsOf(filter)).toEqual(all.filter(passes))
})

test('[F140] pages follow each other without a gap', async () => {
  const all = await flipsOf({})
  const pages = []
  for (let from = 0; from < all.length; from += 7)
    pages.push(...(await client.call('results.flips', { ...asked, from, most: 7 })).rows)
  expect(pages).toEqual(all)
})

test('[F142] every turn leads to its row in the source', async () => {
  const { rows: turns } = await client.call('results.turns', { ...asked, from: 0, most: 500 })
  expect(new Set(turns.map(({ file }) => file)).size).toBe(SOURCES.length)
  const opened = new Map<string, Awaited<ReturnType<typeof openIn>>>()
  for (const turn of turns) {
    const { file, row, session, turn: number } = turn
    const place = await client.call('results.place', {
      path: out,
      place: { file, row, session, turn: number },
    })
    if (place.source.kind === 'path') {
      expect(place).toMatchObject({ source: { path: file }, session: 's1', turn: number - 1 })
      continue
    }
    const key = JSON.stringify(place.source)
    const document = opened.get(key) ?? (await openIn(client, place.source))
    opened.set(key, document)
    const { event } = place
    const { rows: events } = await client.call('session.rows', {
      key: document.key,
      session: 0,
      from: Number(event),
      to: Number(event) + 1,
      maxChars: 1000,
      config: null,
    })
    const isLines = file === at('rows.jsonl')
    const source = rows[isLines ? (row <= 50 ? row - 1 : row - 2) : row]
    expect(events).toMatchObject([{ text: source?.text ?? '', kind: turn.kind }])
    expect(document.sessions[0]?.id).toBe(source?.chat_id)
  }
  expect(opened.size).toBe(2 * NAMES.length)
  for (const { key } of opened.values()) await client.call('session.close', { key })
})

/** A copy of the results in which something is changed. */
function changed(name: string, change: (manifest: string) => string): string {
  const copy = at(name)
  cpSync(out, copy, { recursive: true })
  const path = join(copy, 'manifest.json')
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  return copy
}

const placeIn = (path: string, file: string) =>
  client.call('results.place', { path, place: { file, row: 1, session: NAMES[1] ?? '', turn: 1 } })

test('[F143] a source is opened only where the manifest lists it, as a regular file of this machine', async () => {
  await expect(placeIn(out, '/etc/passwd')).rejects.toMatchObject({
    what: 'the manifest of these results lists no such source',
  })
  const away = changed('away', (text) => text.replaceAll(at('rows.csv'), 's3://bucket/rows.csv'))
  await expect(placeIn(away, 's3://bucket/rows.csv')).rejects.toMatchObject({
    what: 'this source is not on this machine, and nothing is fetched',
  })
  const gone = changed('gone', (text) => text.replaceAll(at('rows.csv'), at('gone.csv')))
  await expect(placeIn(gone, at('gone.csv'))).rejects.toMatchObject({
    what: 'the source of this row is not there any more',
  })
  writeFileSync(at('longer.csv'), 'chat_id,text\n')
  const other = changed('other', (text) => text.replaceAll(at('rows.csv'), at('longer.csv')))
  await expect(placeIn(other, at('longer.csv'))).rejects.toMatchObject({
    what: 'this source has changed since the batch read it, so its rows are others',
  })
})

test.skipIf(process.platform === 'win32')(
  '[F143] a named pipe is neither waited for as a source nor as a part',
  async () => {
    spawnSync('mkfifo', [at('pipe.csv')])
    const piped = changed('piped', (text) => text.replaceAll(at('rows.csv'), at('pipe.csv')))
    await expect(placeIn(piped, at('pipe.csv'))).rejects.toMatchObject({ where: at('pipe.csv') })
    const copy = changed('linked', (text) => text)
    const part = join(copy, 'turns', 'part-00000.parquet')
    rmSync(part)
    symlinkSync(at('pipe.csv'), part)
    await expect(client.call('results.open', { path: copy })).rejects.toMatchObject({
      what: 'a part of the results is no regular file',
      where: part,
    })
  },
)

test('[F143] names of columns in a manifest are names, not statements', async () => {
  const copy = changed('columns', (text) =>
    text.replaceAll('"chat_id"', JSON.stringify(`x" FROM read_csv('/etc/passwd') --`)),
  )
  await expect(placeIn(copy, at('rows.csv'))).rejects.toMatchObject({ code: 'REFUSED' })
  const lines = changed('members', (text) =>
    text.replaceAll('"chat_id"', JSON.stringify(`x') FROM read_csv('/etc/passwd') --`)),
  )
  await expect(placeIn(lines, at('rows.jsonl'))).rejects.toMatchObject({ code: 'REFUSED' })
})

test('[F140] what is no finished batch, and parts that are no results, are said', async () => {
  await expect(client.call('results.open', { path: folder })).rejects.toMatchObject({
    what: 'this folder holds no finished batch',
    where: folder,
  })
  const copy = changed('broken', (text) => text)
  writeFileSync(join(copy, 'turns', 'part-00000.parquet'), 'PAR1 no PAR1')
  await expect(client.call('results.open', { path: copy })).rejects.toMatchObject({
    code: 'REFUSED',
    where: copy,
  })
})

test('[F144] the command line says the same counts, and lists the same rows', async () => {
  const counts = await client.call('results.counts', { ...asked, by: 'file', of: 'turns' })
  const summary = await runCli(['results', out, '--json'])
  expect(JSON.parse(summary.out)).toEqual(counts)
  const listed = await runCli([
    'results',
    out,
    '--list',
    'flips',
    '--cause',
    'momentum',
    '--most',
    '500',
    '--json',
  ])
  expect(
    listed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(await flipsOf({ cause: 'momentum' }))
  const words = await runCli(['results', out])
  expect(words.out).toContain(`rows without text: ${counts.textless}`)
  expect(await runCli(['results', folder])).toMatchObject({ code: 2 })
})

test('[F142] [F143] a batch writes where lines begin; places that cannot be are not used', async () => {
  const size = statSync(at('rows.jsonl')).size
  const { manifest } = await resultFiles(out)
  const number = manifest.plan.files.findIndex(({ path }) => path === at('rows.jsonl'))
  const kept = readFileSync(foldersOf(out).lineStarts(number))
  expect(manifest.files.map(({ path }) => path)).toContain(`lines/file-0000${number}.bin`)
  expect(readLineStarts(kept, size)).toEqual([0])
  const written = (...numbers: readonly number[]) => Buffer.from(new Float64Array(numbers).buffer)
  expect(readLineStarts(written(0, 10, 20), 20)).toEqual([0, 10, 20])
  const wrong = [[], [5], [0, 30], [0, 20, 10], [0, 1.5], [0, Number.NaN], [0, -1]]
  for (const numbers of wrong) expect(readLineStarts(written(...numbers), 20)).toEqual([0])
})

test('[F142] rows that are asked for at once each lead to their place', async () => {
  const { rows: turns } = await client.call('results.turns', { ...asked, from: 0, most: 500 })
  const of = turns.filter(({ file }) => file === at('rows.jsonl'))
  const placesOf = (by: typeof client, some: typeof of) =>
    Promise.all(
      some.map(({ file, row, session, turn }) =>
        by.call('results.place', { path: out, place: { file, row, session, turn } }),
      ),
    )
  const alone = []
  for (const turn of of) alone.push(...(await placesOf(client, [turn])))
  // Another host: it knows no session yet.
  const fresh = makeHost()
  const windows = [windowOf(fresh), windowOf(fresh)] as const
  const together = await Promise.all(windows.map((window) => placesOf(window, of)))
  expect(together).toEqual([alone, alone])
  await fresh.close()
})
