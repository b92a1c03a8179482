/**
 * `npm run bench -- scale`: a batch over many turns from `turn-rows.ts` (TURNSCOPE_BENCH_TURNS, 200,000 by default;
 * 10000000 are about 10 GB), with one and two threads. Also `eval belief` and `pipe` in one process over the first of
 * these turns, and edits of one signal until their flips are complete. The decisions of both batches are compared byte
 * by byte. The flips of the edits are compared with those of batches with `--against`, if that takes less than an hour.
 */
import {
  createReadStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'yaml'
import { z } from 'zod'
import { HOME } from '../core/place.ts'
import { openResults } from '../core/host/results/results.ts'
import { createSources } from '../core/host/results/sources.ts'
import { formatRatio, type Section } from './measure.ts'
import { runPython } from './python.ts'
import { type TurnRows, writeTurnRows } from './turn-rows.ts'
import { type WatchedRun, watchedRun } from './watched-run.ts'

const TURNS = Number(process.env['TURNSCOPE_BENCH_TURNS'] ?? 200_000)
/** Turns of which the slow ways are asked. */
const FEW = Math.min(TURNS, 10_000)
/** Turns processed by two processes at a time. */
const BOUND_TURNS = Math.min(TURNS, 200_000)
/** Maximum turns for which the flips of the edit are compared with a separate batch. */
const MOST_COMPARED = 1_000_000
const PYTHON_MESSAGES = 300
const CLI = join(HOME, 'bin', 'turnscope.cjs')

const DomainsFile = z.object({
  domains: z.array(
    z.object({ name: z.string(), signals: z.array(z.looseObject({ pattern: z.string() })) }),
  ),
})

async function firstRows(path: string, most: number): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(path) })) {
    lines.push(line)
    if (lines.length === most) break
  }
  return lines
}

const writeLines = (path: string, lines: readonly string[]): void =>
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))

/**
 * Throughput of two processes relative to one, on the same rows. It is the upper bound for a second thread here,
 * because processors that share caches and memory slow each other down.
 */
async function boundOfTwo(rows: string, out: (name: string) => string): Promise<number> {
  const run = (name: string) =>
    watchedRun(CLI, ['batch', rows, '--out', out(name), '--threads', '1'])
  const alone = await run('alone')
  const pair = await Promise.all([run('left'), run('right')])
  return (2 * alone.clock) / Math.max(...pair.map(({ clock }) => clock))
}

/** Edits of one signal, each with the pattern that is new in it. */
const EDITS: ReadonlyArray<{
  readonly file: string
  readonly what: string
  readonly added: string | null
}> = [
  { file: 'less', what: 'one signal taken away', added: null },
  { file: 'rare', what: 'one with a pattern in no text', added: String.raw`(?i)\bfrobnicated?\b` },
  {
    file: 'more',
    what: 'one with a pattern in every twelfth text',
    added: String.raw`(?i)\b(?:traceback|exception)\b`,
  },
]

/** The domain file that ships, with one signal less, or with one more. */
function editedDomains(added: string | null): string {
  const file = DomainsFile.loose().parse(
    parse(readFileSync(join(HOME, 'profiles/domains/default.yaml'), 'utf8')),
  )
  const [first, ...others] = file.domains
  if (first === undefined) throw new Error('the domain file has no domain')
  const signals =
    added === null ? first.signals.slice(1) : [{ id: 'added', pattern: added }, ...first.signals]
  const domains = [{ ...first, signals }, ...others]
  return JSON.stringify({ ...file, name: 'edited', domains })
}

const manifestOf = (folder: string) => readFileSync(join(folder, 'manifest.json'), 'utf8')

/** Rows that a batch says it has classified. */
const rowsOf = (folder: string): number =>
  z.object({ rows: z.number() }).parse(JSON.parse(manifestOf(folder))).rows

const ROWS_OPENED = 20

/** Milliseconds until the session of a row of the results was read from its source: the first one, and the slowest of the others. */
async function rowTimes(folder: string): Promise<readonly [first: number, slowest: number]> {
  const results = await openResults(folder)
  const sources = createSources(folder)
  const times: number[] = []
  try {
    const { ask } = results
    for (let at = 0; at < ROWS_OPENED; at += 1) {
      // Far apart in the results, and anywhere in the source.
      const from = Math.floor((TURNS * (at + 0.5)) / ROWS_OPENED)
      const [[file, row, session, turn] = []] = await ask(
        `SELECT file, row::DOUBLE, session, turn FROM turns LIMIT 1 OFFSET ${from}`,
      )
      const place = {
        file: String(file),
        row: Number(row),
        session: String(session),
        turn: Number(turn),
      }
      const start = performance.now()
      await sources.place(results, place)
      times.push(performance.now() - start)
    }
  } finally {
    await sources.close()
    results.close()
  }
  return [times[0] ?? 0, Math.max(...times.slice(1))]
}

const bytesUnder = (folder: string, names: string): number => {
  const Files = z.object({ files: z.array(z.object({ path: z.string(), bytes: z.number() })) })
  return Files.parse(JSON.parse(manifestOf(folder)))
    .files.filter(({ path }) => path.startsWith(names))
    .reduce((sum, { bytes }) => sum + bytes, 0)
}

export async function benchScale(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-bench-scale-'))
  const at = (...names: readonly string[]) => join(folder, ...names)
  const rows = at('rows.jsonl')
  const made = await writeTurnRows(rows, TURNS)
  const few = await firstRows(rows, FEW)
  writeLines(at('few.jsonl'), few)
  writeLines(at('bound.jsonl'), await firstRows(rows, BOUND_TURNS))
  writeFileSync(at('none.jsonl'), '')
  for (const { file, added } of EDITS) writeFileSync(at(`${file}.json`), editedDomains(added))

  const filter = async (
    name: string,
    args: readonly string[],
  ): Promise<[string, number, WatchedRun]> => {
    const start = await watchedRun(CLI, args, { input: at('none.jsonl') })
    const run = await watchedRun(CLI, args, { input: at('few.jsonl'), output: at('out.jsonl') })
    return [name, FEW, { ...run, processor: run.processor - start.processor }]
  }
  const batch = (out: string, threads: number, more: readonly string[] = []) =>
    watchedRun(CLI, ['batch', rows, '--out', at(out), '--threads', String(threads), ...more])
  const runs: ReadonlyArray<readonly [string, number, WatchedRun]> = [
    await filter(`eval belief, ${FEW} turns, without its start`, [
      'eval',
      'belief',
      '--domains',
      'default',
    ]),
    await filter(`pipe, ${FEW} turns, without its start`, ['pipe']),
    ['batch, one thread', TURNS, await batch('one', 1)],
    ['batch, two threads', TURNS, await batch('two', 2)],
  ]
  const bound = await boundOfTwo(at('bound.jsonl'), at)
  const edits: WatchedRun[] = []
  for (const { file } of EDITS)
    edits.push(await watchedRun(CLI, ['results', at('one'), '--edit', at(`${file}.json`)]))
  const [evaluated, , one, two] = runs.map(([, , run]) => run)
  const differ = manifestOf(at('one')) === manifestOf(at('two')) ? 0 : 1
  const opened = await rowTimes(at('one'))
  const lost = TURNS - rowsOf(at('one'))
  const otherFlips = TURNS > MOST_COMPARED ? null : await compareFlips(at, batch)
  const notes = notesOf({
    at,
    made,
    one,
    two,
    edits,
    bound,
    differ,
    lost,
    opened,
    otherFlips,
    python: pythonSeconds(few),
  })
  const codes = [...runs.map(([, , run]) => run), ...edits].map(({ code }) => code)
  const failures = codes.filter((code) => code !== 0)
  rmSync(folder, { recursive: true })
  return {
    title: `Turns at scale: ${TURNS.toLocaleString('en')} turns, ${statOf(made.bytes, TURNS).toFixed(0)} bytes a row`,
    head: [
      '',
      'clock, s',
      'processor, s',
      'turns/s of processor time',
      'eval belief = 1',
      'peak memory, MB',
    ],
    rows: runs.map(([name, turns, { clock, processor, peak }]) => [
      name,
      clock.toFixed(1),
      processor.toFixed(1),
      (turns / processor).toFixed(0),
      formatRatio(turns / processor / (FEW / (evaluated?.processor ?? 1))),
      peak.toFixed(0),
    ]),
    notes,
    failed: failures.length > 0 || differ > 0 || lost !== 0 || (otherFlips ?? 0) > 0,
  }
}

interface Measured {
  readonly at: (...names: readonly string[]) => string
  readonly made: TurnRows
  readonly one: WatchedRun | undefined
  readonly two: WatchedRun | undefined
  readonly edits: readonly WatchedRun[]
  readonly bound: number
  readonly differ: number
  readonly lost: number
  readonly opened: readonly [first: number, slowest: number]
  readonly otherFlips: number | null
  readonly python: number | null
}

function notesOf(measured: Measured): readonly string[] {
  const { at, made, one, two, edits, bound, differ, lost, opened, otherFlips, python } = measured
  const perTurn = (names: string) => (bytesUnder(at('one'), names) / TURNS).toFixed(1)
  return [
    `${made.sessions} sessions, the longest of ${made.longest} turns, ${(made.bytes / 1e9).toFixed(2)} GB of rows, mixed`,
    `bytes a turn: ${perTurn('turns/')} of decisions, ${perTurn('matches/')} of matches`,
    `one thread to two: ${formatRatio((one?.clock ?? 0) / (two?.clock ?? 1))} times as fast by the clock (aim 1.8); two processes at once do ${formatRatio(bound)} times as much as one here (${BOUND_TURNS.toLocaleString('en')} turns each)`,
    ...edits.map(
      ({ said, processor, peak }, number) =>
        `an edit, ${EDITS[number]?.what ?? ''}: ${said.trim().split('\n').at(-1) ?? ''}; ${processor.toFixed(1)} s of processor time, ${peak.toFixed(0)} MB with its start`,
    ),
    `the session of a row, read from its source: ${opened[0].toFixed(0)} ms the first time, at most ${opened[1].toFixed(0)} ms of ${ROWS_OPENED - 1} others`,
    `rows of the source that the results do not have: ${lost}`,
    `results of one and two threads: ${differ === 0 ? 'the same bytes' : 'other bytes'}`,
    otherFlips === null
      ? 'flips of the edits were not compared: a second batch takes as long as the first'
      : `flips of the edits and of batches with --against: ${otherFlips === 0 ? 'the same' : 'others'}`,
    python === null
      ? 'the document’s Python was not run: no ../shared/specs or no python3'
      : `the document’s Python with the same signals, scoring alone: ${Math.round(1 / python)} messages a second of processor time`,
  ]
}

const statOf = (bytes: number, turns: number): number => bytes / Math.max(1, turns)

/** Counts the edits whose flips differ from those of a run over all texts. */
async function compareFlips(
  at: (...names: readonly string[]) => string,
  batch: (out: string, threads: number, more: readonly string[]) => Promise<WatchedRun>,
): Promise<number> {
  const list = ['--list', 'flips', '--most', '100000000', '--json']
  let others = 0
  for (const { file, added } of EDITS) {
    const side = at(`${file}.json`)
    await batch(`against-${file}`, 2, ['--against', side])
    await watchedRun(CLI, ['results', at(`against-${file}`), ...list], {
      output: at('whole.jsonl'),
    })
    await watchedRun(CLI, ['results', at('one'), '--edit', side, ...list], {
      output: at('edited.jsonl'),
    })
    const isSame = readFileSync(at('whole.jsonl')).equals(readFileSync(at('edited.jsonl')))
    // A pattern that is in no text flips nothing.
    const hasFlips = statSync(at('whole.jsonl')).size > 0 || added !== null
    if (!isSame || !hasFlips) others += 1
  }
  return others
}

/** Seconds of processor time a message. */
function pythonSeconds(rows: readonly string[]): number | null {
  const file = DomainsFile.parse(
    parse(readFileSync(join(HOME, 'profiles/domains/default.yaml'), 'utf8')),
  )
  const domains = file.domains.map(({ name, signals }) => ({
    name,
    signals: signals.map(({ pattern }) => pattern),
  }))
  const messages = rows
    .slice(0, PYTHON_MESSAGES)
    .map((row) => z.object({ message: z.string() }).parse(JSON.parse(row)).message)
  const answer = runPython({ domains, messages, rounds: 1 })
  return answer === null ? null : answer.seconds / messages.length
}
