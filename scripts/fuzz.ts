import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker, isMainThread, parentPort } from 'node:worker_threads'
import { FAMILIES } from '../fixtures/fuzz/families.ts'
import type { Failure, Fuzzer } from '../fixtures/fuzz/family.ts'

// Every case depends on the seed and its number only. Failing files go, made small, to `--out`. A case
// that uses more than HANG_CPU_MS of a processor counts as hanging and ends its family: a busy machine makes no case
// hang. One that waits without using a processor is seen after IDLE_LOOKS looks.

const HANG_CPU_MS = 40_000
const LOOK_MS = 5_000
/** Ten minutes. */
const IDLE_LOOKS = 120
const MAX_FAILURES = 10
/** Cases between two lines of the log: so much is run again after a stop. */
const BLOCK = 20_000

const NAMES = FAMILIES.map(({ name }) => name)

const USAGE = `Made-up calls, files, archives and exports, and mutated transcripts, by the hundred thousand.

npm run fuzz -- [options]
  --runs N      cases of each family (10000)
  --family F    only this family; may be given several times (--format is the same)
  --seconds N   so many seconds for all families together, instead of --runs
  --seed N      other cases (1)
  --only N      one case again
  --out DIR     where failing inputs go, made small (fuzz-failures)
  --log FILE    a line for each ${BLOCK} cases; what it already tells of is not run again
  --help        this text
Families: ${NAMES.join(', ')}
`

interface Job {
  readonly family: string
  readonly seed: number
  readonly from: number
  readonly to: number
  readonly out: string
  /** Milliseconds after which no further case begins; null = all of them. */
  readonly ms: number | null
  /** The number of the case that runs, and a count of tries to make one small, for the thread that watches. */
  readonly at: Int32Array<SharedArrayBuffer>
}

async function work(job: Job): Promise<number> {
  // Most cases make exceptions that are caught; collecting their stacks takes longer than the rest.
  Error.stackTraceLimit = 0
  const family = FAMILIES.find(({ name }) => name === job.family)
  if (family === undefined) throw new Error(`there is no family ${job.family}`)
  const fuzzer = await family.open(job.seed)
  const end = job.ms === null ? Infinity : performance.now() + job.ms
  let failures = 0
  let next = job.from
  const lane = async (): Promise<void> => {
    while (next < job.to && failures < MAX_FAILURES && performance.now() < end) {
      const index = next
      next += 1
      Atomics.store(job.at, 0, index)
      const first = await fuzzer.run(index)
      if (first === null) continue
      failures += 1
      await report(job, fuzzer, first)
    }
  }
  await Promise.all(Array.from({ length: family.width ?? 1 }, lane))
  await fuzzer.close?.()
  return failures
}

/** Says what failed and writes down the input, as small as it can be made. */
async function report(job: Job, fuzzer: Fuzzer, first: Failure): Promise<void> {
  Error.stackTraceLimit = 10
  const failure = (await fuzzer.run(first.index)) ?? first
  Error.stackTraceLimit = 0
  const path = join(job.out, `${job.family}-${job.seed}-${first.index}`)
  mkdirSync(job.out, { recursive: true })
  const count = () => Atomics.add(job.at, 1, 1)
  writeFileSync(path, (await fuzzer.smallest?.(failure, count)) ?? failure.bytes)
  const again = `npm run fuzz -- --family ${job.family} --seed ${job.seed} --only ${first.index}`
  console.error(
    `${job.family} case ${first.index} (${failure.seed}): ${failure.what}\n  ${path}\n  ${again}`,
  )
}

/** The thread that runs the families, one after the other; null before the first, and after one that hung. */
let thread: Worker | null = null

/** The thread of the family before, or a new one: each reads the whole engine, which takes a second. */
function takeThread(): Worker {
  thread ??= new Worker(new URL(import.meta.url))
  return thread
}

async function endThread(): Promise<void> {
  const ended = thread
  thread = null
  await ended?.terminate()
}

/** Milliseconds of a processor that this process has used, its threads included. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Failures of a family; a hang is one. */
async function watch(job: Job): Promise<number> {
  const worker = takeThread()
  // Rejects when the thread fails.
  const done = once(worker, 'message') as Promise<[number]>
  let seen = -1
  let used = processorMs()
  let looks = 0
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<[number]>((resolve) => {
    timer = setInterval(() => {
      const at = Atomics.load(job.at, 0)
      const now = at + Atomics.load(job.at, 1)
      if (now !== seen) {
        seen = now
        used = processorMs()
        looks = 0
        return
      }
      looks += 1
      if (processorMs() - used > HANG_CPU_MS || looks > IDLE_LOOKS) {
        console.error(
          `${job.family} case ${at} hangs: --family ${job.family} --seed ${job.seed} --only ${at}`,
        )
        void endThread().then(() => resolve([1]))
      }
    }, LOOK_MS)
  })
  worker.postMessage(job)
  try {
    const [failures] = await Promise.race([done, hung])
    return failures
  } finally {
    clearInterval(timer)
  }
}

type Span = Pick<Job, 'family' | 'seed' | 'from' | 'to' | 'out' | 'ms'>

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
  const end = to === Number.MAX_SAFE_INTEGER ? 'as many as there is time for' : `to ${to}`
  return `${family} seed ${seed} cases ${from} ${end}`
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

/** `seconds`: limit for all of them together. Those not started in time are reported and skipped. */
async function inOrder(all: readonly Span[], seconds: number | null): Promise<number> {
  const end = seconds === null ? Infinity : performance.now() + seconds * 1_000
  let failed = 0
  for (const [index, each] of all.entries()) {
    const left = end - performance.now()
    if (left <= 0) {
      const names = all.slice(index).map(({ family }) => family)
      console.log(`no time left for ${names.join(', ')}`)
      break
    }
    const { failures, line } = await span({ ...each, ms: shareOf(all.slice(index), left) })
    console.log(line)
    failed += failures
  }
  return failed
}

/** Families that are no format of transcripts: there are few of them, and each has a larger share. */
const WIDE: ReadonlySet<string> = new Set(['rpc', 'workspace', 'archives', 'exports'])
/** Starting a family takes about so long. */
const START_MS = 100

/** The share of the remaining milliseconds for the first of several families; null for no limit. */
function shareOf(rest: readonly Span[], left: number): number | null {
  if (left === Infinity) return null
  const weights = rest.map(({ family }) => (WIDE.has(family) ? 8 : 1))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const running = Math.max(0, left - START_MS * rest.length)
  return Math.round((running * (weights[0] ?? 0)) / whole)
}

function readOptions() {
  return parseArgs({
    options: {
      runs: { type: 'string', default: '10000' },
      family: { type: 'string', multiple: true },
      format: { type: 'string', multiple: true },
      seconds: { type: 'string' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      out: { type: 'string', default: 'fuzz-failures' },
      log: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  }).values
}

/** The cases to run and the place of their report, or the reason that the options are invalid. */
function planOf(options: ReturnType<typeof readOptions>): string | readonly Span[] {
  const given = [...(options.family ?? []), ...(options.format ?? [])]
  const names = given.length === 0 ? NAMES : given
  const unknown = names.find((name) => !NAMES.includes(name))
  if (unknown !== undefined) return `there is no family ${unknown}`
  const [runs = 0, seed = 0, only = 0, seconds = 0] = [
    options.runs,
    options.seed,
    options.only ?? '0',
    options.seconds ?? '0',
  ].map(Number)
  if (![runs, seed, only, seconds].every((value) => Number.isSafeInteger(value) && value >= 0))
    return '--runs, --seed, --only and --seconds are whole numbers'
  const { out } = options
  const [from, to] = options.only === undefined ? [0, runs] : [only, only + 1]
  const last = options.seconds === undefined ? to : Number.MAX_SAFE_INTEGER
  return names.map((family) => ({ family, seed, from, to: last, out, ms: null }))
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
  console.log(`seed ${options.seed}`)
  const failed =
    options.log === undefined
      ? await inOrder(plan, options.seconds === undefined ? null : Number(options.seconds))
      : await logged(plan, options.log)
  return failed === 0 ? 0 : 1
}

if (isMainThread) {
  process.exitCode = await main()
  await endThread()
} else {
  // The main thread gives one after the other, in `watch`.
  parentPort?.on(
    'message',
    (job: Job) => void work(job).then((count) => parentPort?.postMessage(count)),
  )
}
