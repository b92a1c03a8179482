import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { createFuzzer, smallest } from '../fixtures/fuzz/run.ts'
import { families, seedsOf } from '../fixtures/fuzz/seeds.ts'

// Every case depends on the seed and its number only. Failing files go, made small, to `--out`. A case
// that takes longer than HANG_MS counts as hanging and ends its family.

const HANG_MS = 20_000
const MAX_FAILURES = 10
/** Cases between two lines of the log: so much is run again after a stop. */
const BLOCK = 20_000

const USAGE = `Mutated transcripts by the hundred thousand.

npm run fuzz -- [options]
  --runs N      cases of each format (10000)
  --format F    only this format; may be given several times
  --seed N      other cases (1)
  --only N      one case again
  --out DIR     where failing files go, made small (fuzz-failures)
  --log FILE    a line for each ${BLOCK} cases; what it already tells of is not run again
  --help        this text
Formats: ${families().join(', ')}
`

interface Job {
  readonly family: string
  readonly seed: number
  readonly from: number
  readonly to: number
  readonly out: string
  /** The number of the case that runs, and a count of tries to make one small, for the thread that watches. */
  readonly at: Int32Array<SharedArrayBuffer>
}

async function work(job: Job): Promise<number> {
  // Most cases make exceptions that are caught; collecting their stacks takes longer than the rest.
  Error.stackTraceLimit = 0
  const fuzzer = await createFuzzer(seedsOf(job.family), job.seed)
  let failures = 0
  for (let index = job.from; index < job.to && failures < MAX_FAILURES; index += 1) {
    Atomics.store(job.at, 0, index)
    if ((await fuzzer.run(index)) === null) continue
    Error.stackTraceLimit = 10
    const failure = await fuzzer.run(index)
    Error.stackTraceLimit = 0
    failures += 1
    if (failure === null) {
      console.error(`${job.family} case ${index} failed once and not again`)
      continue
    }
    const path = join(job.out, `${job.family}-${job.seed}-${index}`)
    mkdirSync(job.out, { recursive: true })
    writeFileSync(path, await smallest(failure, () => Atomics.add(job.at, 1, 1)))
    console.error(`${job.family} case ${index} (${failure.seed}): ${failure.what}\n  ${path}`)
  }
  return failures
}

/** Failures of a family; a hang is one. */
async function watch(job: Job): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), { workerData: job })
  const done = new Promise<number>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  let seen = -1
  const hung = new Promise<number>((resolve) => {
    const timer = setInterval(() => {
      const at = Atomics.load(job.at, 0)
      const now = at + Atomics.load(job.at, 1)
      if (now !== seen) seen = now
      else {
        clearInterval(timer)
        console.error(
          `${job.family} case ${at} hangs: --format ${job.family} --seed ${job.seed} --only ${at}`,
        )
        resolve(1)
      }
    }, HANG_MS)
    void done.finally(() => clearInterval(timer))
  })
  const failures = await Promise.race([done, hung])
  await worker.terminate()
  return failures
}

type Span = Pick<Job, 'family' | 'seed' | 'from' | 'to' | 'out'>

/** Runs a span of cases and says how it went. */
async function span(of: Span): Promise<{ readonly failures: number; readonly line: string }> {
  const start = performance.now()
  const at = new Int32Array(new SharedArrayBuffer(8))
  const failures = await watch({ ...of, at })
  const runs = Atomics.load(at, 0) - of.from + 1
  const seconds = (performance.now() - start) / 1000
  const line = `${keyOf(of)}: ${runs} runs, ${failures} failures, ${seconds.toFixed(1)} s, ${Math.round(runs / seconds)} runs/s`
  return { failures, line }
}

function keyOf({ family, seed, from, to }: Span): string {
  return `${family} seed ${seed} cases ${from} to ${to}`
}

/** Blocks of all formats in turn, so that a run that is stopped has seen each of them. */
function blocksOf(all: readonly Span[]): readonly Span[] {
  const longest = Math.max(0, ...all.map(({ from, to }) => to - from))
  const starts = Array.from({ length: Math.ceil(longest / BLOCK) }, (_, at) => at * BLOCK)
  return starts.flatMap((start) =>
    all
      .map((each) => {
        const from = each.from + start
        return { ...each, from, to: Math.min(from + BLOCK, each.to) }
      })
      .filter(({ from, to }) => from < to),
  )
}

async function logged(all: readonly Span[], log: string): Promise<number> {
  const told = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
  let failed = 0
  for (const block of blocksOf(all)) {
    if (told.some((line) => line.startsWith(`${keyOf(block)}:`))) continue
    const { failures, line } = await span(block)
    appendFileSync(log, `${line}\n`)
    failed += failures
  }
  return failed
}

async function inOrder(all: readonly Span[]): Promise<number> {
  let failed = 0
  for (const each of all) {
    const { failures, line } = await span(each)
    console.log(line)
    failed += failures
  }
  return failed
}

function readOptions() {
  return parseArgs({
    options: {
      runs: { type: 'string', default: '10000' },
      format: { type: 'string', multiple: true },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      out: { type: 'string', default: 'fuzz-failures' },
      log: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  }).values
}

/** What is to be run, where to tell of it; or why the options cannot be used. */
function planOf(options: ReturnType<typeof readOptions>): string | readonly Span[] {
  const known = families()
  const formats = options.format ?? known
  const unknown = formats.find((format) => !known.includes(format))
  if (unknown !== undefined) return `no fixtures of ${unknown}`
  const [runs, seed, only] = [options.runs, options.seed, options.only ?? '0'].map(Number)
  if (runs === undefined || seed === undefined || only === undefined) return 'no numbers'
  if (![runs, seed, only].every((value) => Number.isSafeInteger(value) && value >= 0))
    return '--runs, --seed and --only are whole numbers'
  const { out } = options
  const [from, to] = options.only === undefined ? [0, runs] : [only, only + 1]
  return formats.map((family) => ({ family, seed, from, to, out }))
}

/** 0 when all held, 1 when something failed, 2 when the options cannot be used. */
async function main(): Promise<number> {
  let options: ReturnType<typeof readOptions>
  try {
    options = readOptions()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    return 2
  }
  if (options.help) {
    console.log(USAGE)
    return 0
  }
  const plan = planOf(options)
  if (typeof plan === 'string') {
    console.error(`${plan}\n\n${USAGE}`)
    return 2
  }
  const failed = options.log === undefined ? await inOrder(plan) : await logged(plan, options.log)
  return failed === 0 ? 0 : 1
}

if (isMainThread) process.exitCode = await main()
else {
  // The main thread gave it, in `watch`.
  parentPort?.postMessage(await work(workerData as Job))
}
