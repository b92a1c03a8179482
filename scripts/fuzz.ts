import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { createFuzzer, smallest } from '../core/host/fuzz/run.ts'
import { families, seedsOf } from '../core/host/fuzz/seeds.ts'

// Mutated transcripts by the hundred thousand, by hand: `npm run fuzz -- --runs 200000 --format codex`.
// Every case depends on `--seed` and its number only: `--only 1234` runs one again. Failing files go,
// made small, to `--out`. A case that takes longer than HANG_MS counts as hanging and ends its family.

const HANG_MS = 20_000
const MAX_FAILURES = 10

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
  const fuzzer = await createFuzzer(seedsOf(job.family), job.seed)
  let failures = 0
  for (let index = job.from; index < job.to && failures < MAX_FAILURES; index += 1) {
    Atomics.store(job.at, 0, index)
    const failure = await fuzzer.run(index)
    if (failure === null) continue
    failures += 1
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
    void done.finally(() => {
      clearInterval(timer)
    })
  })
  const failures = await Promise.race([done, hung])
  await worker.terminate()
  return failures
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '10000' },
      format: { type: 'string', multiple: true },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      out: { type: 'string', default: 'fuzz-failures' },
    },
  })
  const only = values.only === undefined ? null : Number(values.only)
  const from = only ?? 0
  const to = only === null ? Number(values.runs) : only + 1
  const seed = Number(values.seed)
  const known = families()
  let failed = 0
  for (const family of values.format ?? known) {
    if (!known.includes(family))
      throw new Error(`no fixtures of ${family}; there are ${known.join(', ')}`)
    const start = performance.now()
    const at = new Int32Array(new SharedArrayBuffer(8))
    const failures = await watch({ family, seed, from, to, out: values.out, at })
    const runs = Atomics.load(at, 0) - from + 1
    const rate = Math.round((runs / (performance.now() - start)) * 1000)
    console.log(`${family}: seed ${seed}, ${runs} runs, ${rate} runs/s, ${failures} failures`)
    failed += failures
  }
  process.exitCode = failed === 0 ? 0 : 1
}

if (isMainThread) await main()
else {
  // The main thread gave it, in `watch`.
  parentPort?.postMessage(await work(workerData as Job))
}
