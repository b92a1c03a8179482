import { randomBytes } from 'node:crypto'
import { rm, stat } from '../../platform/files/fenced-fs.ts'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { OpenSource } from '../../../wire/contract.ts'
import type { LocatedFile } from '../../../wire/internal/session.ts'
import type { Output } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { fileOfFolder } from '../../transcripts/results-folder.ts'
import { findSample } from '../../transcripts/samples.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import type { Pads } from './pads.ts'
import type { ResultsThread } from '../../threads/main/threads.ts'
import type { Uploads } from '../../uploads/main/uploads.ts'
import { type Link, type WorkerPool, linkOf } from '../../threads/main/worker-pool.ts'

/** Steps reported while a file is opened. */
export type OpenStep = Output<SessionContract, 'session.open'>

/** A file that is read for a window; its transcript lives in a thread. */
export interface OpenSession {
  readonly key: string
  readonly file: LocatedFile
  /** [D70] A shipped file. The people in it are fictional, like those of the sample collections. */
  readonly isSample: boolean
  readonly link: Link<SessionContract>
}

/** Such a file with what gives it back. */
export interface Held extends OpenSession {
  /** Lets go of the thread; the upload behind the session is no longer in use. */
  readonly release: () => Promise<void>
}

/** Locations of files, and the threads that read them. */
export interface Places {
  readonly pool: WorkerPool<SessionContract>
  readonly uploads: Uploads
  readonly pads: Pads
  /** Folder that relative paths start from. */
  readonly base: string
  /**
   * [F142] The thread that knows the rows of tables that a batch has read, and the folder that sessions of them are
   * written to.
   */
  readonly results: { readonly thread: Pick<ResultsThread, 'link'>; readonly folder: string }
  /** Folder of the samples. */
  readonly shipped: string
  /** Called for every file of the operator that is opened. */
  readonly onLocated: (path: string) => void
  /** Told of every session that closes. */
  readonly onClosed: (key: string) => void
}

/** Finds a file and reserves a thread for it; nothing is read yet. Rejects if the file does not exist. */
export async function hold(source: OpenSource, places: Places): Promise<Held> {
  const { pool, uploads, pads, onLocated, onClosed } = places
  const file = await locate(source, places)
  if (source.kind === 'path') onLocated(file.path)
  const lease = pool.lease((await sizeOf(file)) + 1)
  const key = randomBytes(9).toString('base64url')
  const link = linkOf(lease, (why) => ({
    what: `the thread that held this session stopped (${why})`,
    where: file.name,
    do: 'Open the file again; other sessions are not affected',
  }))
  const release = async () => {
    // A thread that has ended holds nothing any more.
    await link.call('session.close', { key }).catch(() => undefined)
    lease.release()
    onClosed(key)
    if (source.kind === 'upload') await uploads.release(source.upload)
    if (source.kind === 'scratch') pads.use(source.id, -1)
    if (source.kind === 'result') await rm(file.path, { force: true })
  }
  if (source.kind === 'scratch') pads.use(source.id, 1)
  return { key, file, isSample: await isMadeUp(source, pads), link, release }
}

/** [U185] A file for one question about it. */
export async function borrow<T>(
  source: OpenSource,
  ask: (file: LocatedFile) => Promise<T>,
  places: Places,
): Promise<T> {
  const file = await locate(source, places)
  try {
    await sizeOf(file)
    return await ask(file)
  } finally {
    if (source.kind === 'upload') await places.uploads.release(source.upload)
    if (source.kind === 'result') await rm(file.path, { force: true })
  }
}

/** [D70] True if it contains no real work of the operator. */
async function isMadeUp(source: OpenSource, pads: Pads): Promise<boolean> {
  if (source.kind === 'scratch') return (await pads.read(source.id)).isSample
  return source.kind === 'sample'
}

/** The path of a source's file. */
async function locate(source: OpenSource, places: Places): Promise<LocatedFile> {
  if (source.kind === 'upload') {
    const { name, path, labelsAs } = await places.uploads.take(source.upload)
    return { path, shown: null, name, fixed: null, map: source.map ?? null, labelsAs }
  }
  if (source.kind === 'sample') {
    const { path, sample } = valueOrRefuse(await findSample(places.shipped, source.id))
    return { path, shown: path, name: sample.title, fixed: 'a sample', map: null }
  }
  if (source.kind === 'result') {
    const { thread, folder } = places.results
    const { results: path, file, session } = source
    return thread.link().call('results.session', { path, file, session, folder })
  }
  if (source.kind === 'scratch') {
    const { title } = await places.pads.read(source.id)
    return {
      path: places.pads.path(source.id),
      shown: null,
      name: title,
      fixed: 'a scratch session',
      map: null,
      labelsAs: `scratch-${source.id}`,
    }
  }
  const { path, name } = await fileOfFolder(wholePath(source.path, places.base))
  return { path, shown: path, name, fixed: null, map: source.map ?? null }
}

/** A path as people write it; relative ones start at `base`. */
export function wholePath(path: string, base: string): string {
  const asked = atHome(path)
  return isAbsolute(asked) ? asked : resolve(base, asked)
}

/** [I87] Expands `~/` to the home folder, as a shell would. */
function atHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
}

async function sizeOf({ path, name }: LocatedFile): Promise<number> {
  const info = await stat(path).catch(() => null)
  if (!info) throw refusal({ what: 'there is no such file', where: path, do: 'Check the path' })
  if (info.isFile()) return info.size
  if (info.isDirectory())
    throw refusal({
      what: 'this folder holds no results of a pipeline',
      where: path,
      do: 'Open one of its files, or add the folder to the library, with a',
    })
  throw refusal({ what: 'this is not a file', where: name, do: 'Choose a transcript file' })
}
