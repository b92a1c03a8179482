import { homedir } from 'node:os'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { realpath, stat } from '../../platform/files/fenced-fs.ts'
import type { z } from 'zod'
import { messageOf } from '../../../engine/result.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { parseQuery } from '../../../engine/find/parse.ts'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { LibraryFolder } from '../../../engine/schema/library.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import type { StateStore } from '../../settings/main/state-store.ts'
import type { WorkerPool } from '../../threads/main/worker-pool.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { spread } from './spread-jobs.ts'
import { fingerprintsOf, type IndexStore } from './index-file.ts'
import { entriesOf, listed } from './listing.ts'
import { type KeptPlaces, readFiles } from './read-files.ts'
import { indexAfter, planScan, shownNow, takeReading, type ScanPlan } from './scan.ts'
import { type SeenFile, type Walk, walkFolder } from '../../platform/files/walk.ts'

type Scan = TurnscopeContract['library.scan']
type ScanStep = Immutable<z.output<Scan['out']>>
type Find = TurnscopeContract['library.find']
type FindStep = Immutable<z.output<Find['out']>>

type Asked = Readonly<z.output<TurnscopeContract['library.entries']['in']>>

/** Dependencies of the library. */
interface LibraryParts {
  readonly pool: WorkerPool<SessionContract>
  /** Jobs at the same time. */
  readonly threads: number
  readonly workspace: Workspace
  readonly state: StateStore
  readonly indexes: IndexStore
  readonly version: string
  readonly clock: () => number
  readonly say: (line: string) => void
}

/** Entries are handed out, and the index saved, so often (milliseconds). */
const BATCH_MS = 250
const SAVE_MS = 10_000
/** Excerpts of one session that a search of the library shows. */
const MOST_EXCERPTS = 20

/** Transcript folders that the operator added. */
export interface Library {
  folders(): Promise<readonly LibraryFolder[]>
  add(path: string): Promise<LibraryFolder>
  remove(path: string): Promise<void>
  entries(asked: Asked): Promise<ReturnType<typeof entriesOf>>
  scan(asked: Asked, signal: AbortSignal): AsyncGenerator<ScanStep, void>
  find(
    asked: Asked & { readonly query: string },
    signal: AbortSignal,
  ): AsyncGenerator<FindStep, void>
  /** Its files, as the index has them, else as they are on disk. */
  files(folder: string, signal: AbortSignal): Promise<readonly SeenFile[]>
}

/** [K1 to K7] The library of one host. */
export function createLibrary(parts: LibraryParts): Library {
  const { state, indexes, workspace, version } = parts
  const busy = new Map<string, Promise<void>>()
  const places: KeptPlaces = new Map()

  async function describe(path: string): Promise<LibraryFolder> {
    const index = await indexes.load(path)
    const info = await stat(path).catch(() => null)
    const files = listed(index.records).records.length
    const { scannedAt } = index
    return { path, name: basename(path), files, scannedAt, missing: info?.isDirectory() !== true }
  }

  /** One scan of a folder at a time: the next one finds everything done. */
  async function alone(folder: string): Promise<() => void> {
    const before = busy.get(folder) ?? Promise.resolve()
    const { promise, resolve: leave } = Promise.withResolvers<undefined>()
    const after = before.then(() => promise)
    busy.set(folder, after)
    await before
    return () => {
      leave(undefined)
      if (busy.get(folder) === after) busy.delete(folder)
    }
  }

  return {
    folders: async () => Promise.all((await state.folders()).map(describe)),
    add: async (given) => {
      const path = await folderAt(given, workspace.root)
      await state.addFolder(path)
      return describe(path)
    },
    remove: async (path) => {
      await state.removeFolder(path)
      await indexes.forget(path)
    },
    entries: async ({ folder, ...configs }) =>
      entriesOf(await indexes.load(folder), await fingerprintsOf(workspace, version, configs)),
    scan: async function* (asked, signal) {
      const leave = await alone(asked.folder)
      try {
        signal.throwIfAborted()
        yield* scanFolder({ ...parts, places }, asked, signal)
      } finally {
        leave()
      }
    },
    find: (asked, signal) => findInFolder(parts, asked, signal),
    files: (folder, signal) => filesOf(parts, folder, signal),
  }
}

/** A folder by the path that the operator entered; `~` is the home folder. */
async function folderAt(given: string, base: string): Promise<string> {
  const home = given === '~' || /^~[/\\]/u.test(given) ? join(homedir(), given.slice(1)) : given
  const path = isAbsolute(home) ? home : resolve(base, home)
  const info = await stat(path).catch(() => null)
  if (info === null) {
    throw refusal({ what: 'there is no such folder', where: path, do: 'Check the path' })
  }
  if (!info.isDirectory()) {
    throw refusal({ what: 'this is not a folder', where: path, do: 'Open the file itself' })
  }
  return realpath(path)
}

async function walked(folder: string, signal: AbortSignal): Promise<Walk> {
  try {
    return await walkFolder(folder, signal)
  } catch (error) {
    signal.throwIfAborted()
    const what = messageOf(error)
    throw refusal({
      what: `the folder cannot be read (${what})`,
      where: folder,
      do: 'Check that it is there',
    })
  }
}

async function* scanFolder(
  parts: LibraryParts & { readonly places: KeptPlaces },
  asked: Asked,
  signal: AbortSignal,
): AsyncGenerator<ScanStep, void> {
  const { pool, threads, workspace, indexes, version, clock, say, places } = parts
  const { folder, config, compare } = asked
  const index = await indexes.load(folder)
  const fingerprints = await fingerprintsOf(workspace, version, { config, compare })
  const plan = await planScan(index, await walked(folder, signal), fingerprints)
  const save = async (scannedAt: number | null) => {
    try {
      await indexes.save(indexAfter(index, plan, fingerprints, scannedAt))
    } catch (error) {
      const why = messageOf(error)
      say(`the index of ${folder} could not be saved (${why}); the next scan reads it all again`)
    }
  }
  const meter = createMeter(plan.jobs)
  yield { kind: 'entries', entries: shownNow(plan, plan.walk.files, fingerprints) }
  yield* meter.report()
  let saved = performance.now()
  let shown = performance.now()
  let batch: SeenFile[] = []
  let finished = false
  try {
    const around = { pool, threads, signal, places }
    for await (const { file, reading } of readFiles(plan.jobs, asked, around)) {
      takeReading(plan, file, reading, fingerprints)
      batch.push(file)
      meter.add(file)
      const now = performance.now()
      if (now - shown > BATCH_MS) {
        yield { kind: 'entries', entries: shownNow(plan, batch, fingerprints) }
        yield* meter.report()
        batch = []
        shown = now
      }
      if (now - saved > SAVE_MS) {
        await save(null)
        saved = now
      }
    }
    finished = true
  } finally {
    // After a cancellation, files already read are not read again.
    await save(finished ? clock() : null)
  }
  yield { kind: 'entries', entries: shownNow(plan, batch, fingerprints) }
  yield* meter.report()
  yield summary(plan)
}

/** Files and bytes of the files that are read, done and in all. */
function createMeter(jobs: readonly SeenFile[]) {
  const total = jobs.reduce((sum, { bytes }) => sum + bytes, 0)
  let files = 0
  let bytes = 0
  return {
    add: (job: SeenFile) => {
      files += 1
      bytes += job.bytes
    },
    *report(): Generator<ScanStep> {
      yield { kind: 'progress', phase: 'scanning', done: files, total: jobs.length }
      yield { kind: 'progress', phase: 'reading', done: bytes, total }
    },
  }
}

function summary({ records, walk, removed }: ScanPlan): ScanStep {
  const { records: shown, skipped } = listed([...records.values()])
  const all = new Map(walk.skipped)
  for (const [reason, count] of skipped) all.set(reason, (all.get(reason) ?? 0) + count)
  return {
    kind: 'scanned',
    files: shown.length,
    failed: shown.filter(({ problem }) => problem !== null).length,
    skipped: Object.fromEntries(all),
    removed,
  }
}

/** The files in the index. A folder that was never scanned is walked instead. */
async function filesOf(
  { indexes }: Pick<LibraryParts, 'indexes'>,
  folder: string,
  signal: AbortSignal,
): Promise<readonly SeenFile[]> {
  const index = await indexes.load(folder)
  if (index.scannedAt !== null) return listed(index.records).records
  return (await walked(folder, signal)).files
}

async function* findInFolder(
  { pool, threads, indexes }: LibraryParts,
  { folder, query, config, compare }: Asked & { readonly query: string },
  signal: AbortSignal,
): AsyncGenerator<FindStep, void> {
  const parsed = parseQuery(query)
  if (!parsed.ok) {
    yield { kind: 'done', files: 0, sessions: 0, total: 0, problem: parsed.error }
    return
  }
  const files = await filesOf({ indexes }, folder, signal)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const asked = { query, config, compare, most: MOST_EXCERPTS }
  const counts = { files: 0, sessions: 0, total: 0 }
  let done = 0
  for await (const { job, result } of spread(files, {
    pool,
    size: threads,
    signal,
    work: (client, { path }) =>
      client.call('library.findIn', { path: join(folder, path), ...asked }, signal),
    lost: () => ({ sessions: 0, found: [], problem: null, cutOff: 0 }),
  })) {
    if (result.problem !== null) {
      yield { kind: 'done', ...counts, problem: result.problem }
      return
    }
    const at = { path: join(folder, job.path), name: basename(job.path) }
    for (const found of result.found) {
      yield { kind: 'found', ...at, ...found }
      counts.total += found.total
    }
    counts.files += 1
    counts.sessions += result.sessions
    done += job.bytes
    yield { kind: 'progress', phase: 'finding', done, total: bytes }
  }
  yield { kind: 'done', ...counts, problem: null }
}
