import { existsSync, mkdir, readdir, rm } from '../platform/files/fenced-fs.ts'
import type { Problem } from '../../engine/result.ts'
import { refusal } from '../platform/threads/refusal.ts'
import { classifyParts } from './classify-parts.ts'
import { divideFile } from './divide.ts'
import { measureParts } from './divided-parts.ts'
import { type Database, openDatabase } from './duckdb.ts'
import { type BatchFolders, foldersOf, textOrNull, writeWhole } from './folders.ts'
import { findInputs } from './inputs.ts'
import { type Manifest, readManifest } from './manifest-schema.ts'
import { writeManifest } from './manifest.ts'
import type { BatchOptions } from './options.ts'
import type { Plan } from './plan-schema.ts'
import { makePlan, otherBatch } from './plan.ts'
import { takeFolder } from './running.ts'
import { writeConfig } from './stored-config.ts'

/** What a batch would do. */
export interface BatchPlan {
  readonly plan: Plan
  readonly problems: readonly Problem[]
}

/** Looks at the inputs and says what a batch would do; nothing is written. */
export async function planBatch(database: Database, options: BatchOptions): Promise<BatchPlan> {
  const { inputs, columns, engine, config, against } = options
  const { files, problems: found } = await findInputs(inputs, columns, database)
  const nothing = { what: 'there is no file', where: inputs.join(' '), do: 'Name some' }
  const problems = files.length === 0 && found.length === 0 ? [nothing] : found
  return { plan: await makePlan(database, { files, engine, config, against }), problems }
}

/**
 * [F116] Classifies all rows of the inputs into a folder. Ended at any moment and started again, it goes on with what
 * is not done yet, and the files are byte for byte those of a batch that was not ended.
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
      // Whichever fails first, both have ended before the folder is given free.
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

/** Says what the folder is filled with, or makes sure that it says just that. */
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
