import { rmSync } from '../../host/platform/files/fenced-fs.ts'
import { processFolder } from '../../host/platform/files/process-folder.ts'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { InvalidArgumentError } from 'commander'
import { COLUMN_PARTS, type ColumnPart } from '../../engine/rows/column-names.ts'
import { counted, formatProblem } from '../../engine/result.ts'
import type { BatchOptions, BatchProgress } from '../../host/batch/options.ts'
import { openDatabase } from '../../host/batch/duckdb.ts'
import type { Manifest } from '../../host/batch/manifest-schema.ts'
import { planBatch, runBatch } from '../../host/batch/run.ts'
import { samplePlan } from '../../host/batch/sample.ts'
import { workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { configHash } from '../../host/rows/config-hash.ts'
import { ownAutomata } from '../../host/automata/write.ts'
import { notice } from '../../host/platform/terminal.ts'
import { HOME, THREADS } from '../../place.ts'
import { packageVersion } from '../../version.ts'
import { command } from '../kit/command.ts'
import { openLab } from '../lab/lab-corpus.ts'
import { parseSide } from '../lab/lab-side.ts'
import { CONFIG, type Given, configOf, flag, parseCount, parsed, text } from '../kit/options.ts'
import { CommandError, EXIT, createMeter, print } from '../kit/output.ts'
import { TRUST } from '../trust/trust-option.ts'

const OPTIONS = {
  ...CONFIG,
  out: text('--out <folder>', 'folder for the results; it must be new, or one that was begun'),
  against: text('--against <side>', 'also list turns that this preset or domain file flips'),
  columns: parsed(
    '--columns <names>',
    'columns of tables, for example session=chat_id,turn=ts,message=text,kind=role',
    parseColumns,
    {},
  ).default({}, 'found by name'),
  dryRun: flag(
    '--dry-run',
    'say what would be done, with a sample and an estimate; writes nothing',
  ),
  threads: parsed('--threads <count>', 'threads that classify', parseCount, availableParallelism()),
  memory: parsed('--memory <MB>', 'what DuckDB may hold in memory', parseCount, 800),
  ...TRUST,
}

/** [F116] `batch INPUT… --out FOLDER`: every turn of large inputs, on this machine. */
export const batch = command({
  name: 'batch',
  summary: 'classify all turns of Parquet, CSV, JSON lines or transcripts into Parquet files',
  args: [['<input...>', 'files, folders, patterns; what DuckDB reaches by address']],
  options: OPTIONS,
  help: `
Started again after it was ended, it goes on. docs/scale.md says what the files hold; \`turnscope sql\` asks them.`,
  run: runCommand,
})

function parseColumns(value: string): Partial<Record<ColumnPart, string>> {
  const pairs = value.split(',').map((pair): [string, string] => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  })
  const wrong = pairs.find(
    ([part, name]) => name === '' || !COLUMN_PARTS.some((each) => each === part),
  )
  if (wrong !== undefined)
    throw new InvalidArgumentError(`Write PART=NAME for some of ${COLUMN_PARTS.join(', ')}.`)
  return Object.fromEntries(pairs)
}

async function runCommand(given: Given<typeof OPTIONS>, inputs: readonly string[]): Promise<void> {
  const { out, dryRun = false, threads, memory } = given
  if (out === undefined && !dryRun)
    throw new CommandError({
      what: 'a folder for the results is needed',
      where: 'batch',
      do: 'Name one with --out, or try --dry-run',
    })
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  const meter = createMeter()
  const began = performance.now()
  const options = {
    ...(await sidesOf(given)),
    inputs,
    out: out ?? '',
    columns: given.columns,
    threads,
    memoryMb: memory,
    engine: packageVersion(),
    worker: THREADS.batch,
    signal: stop.signal,
    automata: { shipped: HOME, automata: ownAutomata(process.env)?.folder ?? null },
    onProgress: (progress: BatchProgress) =>
      meter.show(progressText(progress, (performance.now() - began) / 1000)),
  }
  try {
    if (dryRun) await dry(options)
    else sayDone(await runBatch(options), out ?? '')
  } catch (error) {
    meter.clear()
    if (!stop.signal.aborted) throw error
    notice('stopped; the same command goes on where it ended')
    process.exitCode = EXIT.usage
  }
  meter.clear()
}

/** Both configurations, as threads are given them. */
async function sidesOf(
  given: Given<typeof OPTIONS>,
): Promise<Pick<BatchOptions, 'base' | 'other' | 'config' | 'against' | 'formats'>> {
  const lab = await openLab(given)
  const { files: base, compiled } = lab.side
  const side =
    given.against === undefined
      ? null
      : await lab.resolve(await parseSide(lab, given.against, configOf(given)))
  for (const warning of compiled.warnings) notice(warning)
  return {
    base,
    config: configHash(base, compiled),
    formats: workspaceFormats(lab.workspace),
    other: side?.files ?? null,
    against: side === null ? null : configHash(side.files, side.compiled),
  }
}

function sayDone({ rows, turns, sessions, flips, unusable, cutOffs }: Manifest, out: string): void {
  for (const line of cutOffs) notice(line)
  if (unusable > 0)
    notice(`${counted(unusable, 'row')} could not be used: ${join(out, 'errors.jsonl')}`)
  notice(
    `${out}: ${counted(turns, 'turn')} of ${counted(rows, 'row')} in ${counted(sessions, 'session')}${flips === null ? '' : `, ${counted(flips, 'flip')}`}`,
  )
  if (unusable + cutOffs.length > 0) process.exitCode = EXIT.usage
}

/** Says what would be done, and how long it may take. */
async function dry(options: BatchOptions): Promise<void> {
  const scratch = processFolder('turnscope-batch')
  const { threads, memoryMb } = options
  const database = await openDatabase({ threads, memoryMb, scratch })
  try {
    const { plan, problems } = await planBatch(database, options)
    for (const problem of problems) notice(formatProblem(problem))
    for (const line of await samplePlan(database, plan, options)) await print(`${line}\n`)
    if (problems.length > 0) process.exitCode = EXIT.usage
  } finally {
    database.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/**
 * [F116] Progress text of a batch. The total of rows is an estimate, and 0 if unknown. If it is unknown, the text has
 * no share and no remaining time.
 */
export function progressText({ stage, done, total }: BatchProgress, seconds: number): string {
  const share = `${Math.floor(100 * Math.min(1, done / Math.max(1, total)))} %`
  if (stage === 'dividing') return `dividing by session ${share}`
  const speed = `${Math.round(done / Math.max(1e-3, seconds))} rows a second`
  if (total === 0) return `classifying, ${speed}`
  const left = (seconds * Math.max(0, total - done)) / Math.max(1, done)
  return `classifying ${share}, ${speed}, about ${Math.ceil(left)} s left`
}
