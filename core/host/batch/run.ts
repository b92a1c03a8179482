import { existsSync, mkdir, readdir, rm, writeFile, stat } from '../platform/files/fenced-fs.ts'
import type { Problem } from '../../engine/result.ts'
import { refusal } from '../platform/threads/refusal.ts'
import { divideFile } from './divide.ts'
import { type Database, openDatabase } from './duckdb.ts'
import { type BatchFolders, foldersOf, textOrNull, writeWhole } from './folders.ts'
import { findInputs } from './inputs.ts'
import { type Manifest, readManifest } from './manifest-schema.ts'
import { writeManifest } from './manifest.ts'
import type { BatchOptions } from './options.ts'
import type { Plan } from './plan-schema.ts'
import { makePlan, otherBatch } from './plan.ts'
import { writeConfig } from './stored-config.ts'
import { join, basename, dirname } from 'node:path'
import { isAlive } from '../platform/files/atomic-file.ts'
import { readText } from '../platform/files/regular-file.ts'
import { Worker } from 'node:worker_threads'
import type { BatchTask, BatchWorkerData, FromBatchWorker } from './worker-protocol.ts'

/** The result of planning a batch. */
interface BatchPlan {
  readonly plan: Plan
  readonly problems: readonly Problem[]
}

/** Inspects the inputs and returns the plan of a batch. Writes nothing. */
export async function planBatch(database: Database, options: BatchOptions): Promise<BatchPlan> {
  const { inputs, columns, engine, config, against } = options
  const { files, problems: found } = await findInputs(inputs, columns, database)
  const nothing = { what: 'there is no file', where: inputs.join(' '), do: 'Name some' }
  const problems = files.length === 0 && found.length === 0 ? [nothing] : found
  return { plan: await makePlan(database, { files, engine, config, against }), problems }
}

/**
 * [F116] Classifies all rows of the inputs into a folder. If it is stopped and started again, it continues with the
 * unfinished parts. The files are byte for byte those of an uninterrupted batch.
 * @throws RpcError with what, where and what to do; AbortError when cancelled
 */
export async function runBatch(options: BatchOptions): Promise<Manifest> {
  const folders = foldersOf(options.out)
  const withDatabase = databases(options, folders)
  try {
    const { plan, problems } = await withDatabase((database) => planBatch(database, options))
    const [problem] = problems
    if (problem !== undefined) throw refusal(problem)
    const known = await readManifest(folders)
    if (known !== null) {
      if (isSame(known.plan, plan)) return known
      throw refusal(otherBatch(options.out))
    }
    await begin(folders, plan)
    const release = await takeFolder(folders)
    try {
      const divided = withDatabase(async (database) => {
        await divide(database, folders, plan, options)
        await database.trim()
        return measureParts(folders)
      })
      const classified = classifyParts({ ...options, folders, plan, divided })
      // Waits for both to end, even after a failure, before the folder is released.
      const [division, classification] = await Promise.allSettled([divided, classified])
      if (division.status === 'rejected') throw division.reason
      if (classification.status === 'rejected') throw classification.reason
      options.signal.throwIfAborted()
      await writeConfig(folders, options.base)
      return await withDatabase((database) => writeManifest(database, folders, plan))
    } finally {
      await release()
    }
  } finally {
    if (existsSync(folders.manifest)) await rm(folders.work, { recursive: true, force: true })
  }
}

/**
 * Opens a database for a step of the batch and closes it behind it: what dividing held in memory is free while the
 * threads classify.
 */
function databases({ threads, memoryMb, signal }: BatchOptions, { scratch }: BatchFolders) {
  return async <T>(step: (database: Database) => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    const database = await openDatabase({ threads, memoryMb, scratch })
    const interrupt = (): void => database.connection.interrupt()
    signal.addEventListener('abort', interrupt, { once: true })
    try {
      return await step(database)
    } finally {
      signal.removeEventListener('abort', interrupt)
      database.close()
    }
  }
}

const isSame = (a: Plan, b: Plan): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Writes the plan of the folder, or verifies that the folder has the same plan. */
async function begin(folders: BatchFolders, plan: Plan): Promise<void> {
  const text = JSON.stringify(plan)
  const before = await textOrNull(folders.plan)
  if (before === text) return
  if (before !== null) throw refusal(otherBatch(folders.out))
  const there = await readdir(folders.out).catch(() => [])
  if (there.some((name) => name !== '.work'))
    throw refusal({
      what: 'the folder is not empty, and holds no batch',
      where: folders.out,
      do: 'Choose another --out',
    })
  await mkdir(folders.scratch, { recursive: true })
  await writeWhole(folders.plan, text)
}

async function divide(
  database: Database,
  folders: BatchFolders,
  plan: Plan,
  { formats, threads, onProgress, signal }: BatchOptions,
): Promise<void> {
  const total = plan.files.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  for (const [at, { size }] of plan.files.entries()) {
    signal.throwIfAborted()
    onProgress({ stage: 'dividing', done, total })
    await divideFile(database, at, { folders, plan, formats, threads, signal })
    done += size
  }
}

/**
 * [F116] Only one batch fills a folder at a time. The lock of a dead process is taken over. `withLock` does not fit: it
 * is for writes of milliseconds, and takes over locks that are a minute old.
 */
async function takeFolder({ work, out }: BatchFolders): Promise<() => Promise<void>> {
  const mark = join(work, 'running')
  for (let attempt = 0; attempt < 2; attempt += 1) {
    // `wx`: fails if the file exists.
    const isOurs = await writeFile(mark, String(process.pid), { flag: 'wx' }).then(
      () => true,
      () => false,
    )
    if (isOurs) return () => rm(mark, { force: true })
    const pid = Number(await readText(mark).catch(() => ''))
    if (pid > 0 && pid !== process.pid && isAlive(pid)) break
    await rm(mark, { force: true })
  }
  throw refusal({
    what: 'another process is filling this folder',
    where: out,
    do: 'Wait for it, or choose another --out',
  })
}

interface PartsOptions extends BatchOptions {
  readonly folders: BatchFolders
  readonly plan: Plan
  /** Settles when all files are divided. */
  readonly divided: Promise<Divided>
}

/** Of the memory that is allowed, threads get this share; the rest is for what divides the files. */
const THREADS_SHARE = 0.6

/**
 * Assigns the unfinished parts to threads until all are done. The largest come first, so that the threads end at about
 * the same time. Threads start immediately, and compile the signals while the files are still being divided.
 */
async function classifyParts(options: PartsOptions): Promise<void> {
  const { folders, plan, threads, signal, divided } = options
  const parts = Array.from({ length: plan.parts }, (_, part) => part)
  const left = parts.filter((part) => !existsSync(folders.counts(part)))
  if (left.length === 0) return
  let done = 0
  let total = 0
  const onRows = (rows: number): void => {
    done += rows
    options.onProgress({ stage: 'classifying', done, total })
  }
  const stop = new AbortController()
  divided.then(
    (all) => {
      // When a batch is resumed, only the remaining rows count.
      total = rowsOf(left, all)
      left.splice(0, Infinity, ...largestFirst(left, all))
    },
    (error: unknown) => stop.abort(error),
  )
  const stopped = AbortSignal.any([signal, stop.signal])
  const running = Array.from({ length: Math.min(threads, left.length) }, () =>
    runThread(options, left, onRows, stopped),
  )
  try {
    await Promise.all(running)
  } catch (error) {
    // One thread failed: stop the others, which would fill an abandoned folder.
    stop.abort(error)
    await Promise.allSettled(running)
    throw error
  }
}

/** One thread, which takes parts from the list until it is empty. */
function runThread(
  { out, memoryMb, threads, base, other, automata, plan, worker, divided }: PartsOptions,
  left: number[],
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const workerData: BatchWorkerData = {
    out,
    base,
    other,
    automata,
    memoryMb: Math.floor((memoryMb * THREADS_SHARE) / threads),
    files: plan.files.map(({ path }) => path),
  }
  const thread = new Worker(worker, { workerData })
  return new Promise<void>((resolve, reject) => {
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', cancel)
      thread.terminate().then(settle, settle)
    }
    const cancel = (): void => end(() => reject(new DOMException('cancelled', 'AbortError')))
    const next = (): void => {
      const part = left.shift()
      if (part === undefined) end(resolve)
      else thread.postMessage({ part } satisfies BatchTask)
    }
    thread.on('message', (message: FromBatchWorker) => {
      if (message.kind === 'rows') onRows(message.rows)
      else if (message.kind === 'failed') end(() => reject(refusal(message.problem)))
      else if (message.kind === 'done') next()
      // If dividing fails, the signal ends this thread.
      else divided.then(next, () => undefined)
    })
    thread.on('error', (error: Error) => end(() => reject(error)))
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })
  })
}

/** Size of the parts. */
interface Divided {
  /** In all parts. */
  readonly rows: number
  /** By part; one that is missing holds none. */
  readonly bytes: ReadonlyMap<number, number>
}

const PART_FOLDER = /^part=(\d+)$/u

/**
 * Rows of the divided parts, for the progress, and bytes of each part, for their order. The rows were counted when they
 * were written; counting the rows of all files again would take longer than many batches.
 */
export async function measureParts(folders: BatchFolders): Promise<Divided> {
  const bytes = new Map<number, number>()
  let rows = 0
  const root = dirname(folders.divided(0))
  for (const file of await readdir(root).catch(() => [])) {
    rows += Number((await textOrNull(folders.dividedRows(join(root, file)))) ?? 0)
    const parts = await readdir(join(root, file), { recursive: true, withFileTypes: true })
    for (const { parentPath, name } of parts.filter((entry) => entry.isFile())) {
      const part = Number(PART_FOLDER.exec(basename(parentPath))?.[1])
      if (!Number.isInteger(part)) continue
      bytes.set(part, (bytes.get(part) ?? 0) + (await stat(join(parentPath, name))).size)
    }
  }
  return { rows, bytes }
}

/** Parts, the largest first. The last parts are then small, so that threads end at about the same time. */
export function largestFirst(parts: readonly number[], { bytes }: Divided): number[] {
  return parts.toSorted((a, b) => (bytes.get(b) ?? 0) - (bytes.get(a) ?? 0))
}

/** About how many rows these parts hold: their share of all rows by bytes. */
export function rowsOf(parts: readonly number[], { rows, bytes }: Divided): number {
  const all = bytesOf([...bytes.keys()], bytes)
  return all === 0 ? 0 : Math.round((rows * bytesOf(parts, bytes)) / all)
}

const bytesOf = (parts: readonly number[], bytes: Divided['bytes']): number =>
  parts.reduce((sum, part) => sum + (bytes.get(part) ?? 0), 0)
