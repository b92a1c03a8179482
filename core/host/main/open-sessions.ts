import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, isAbsolute, resolve } from 'node:path'
import type { Grown, Opened, OpenSource, Progress, TurnscopeContract } from '../../wire/contract.ts'
import type { z } from 'zod'
import type { Immutable } from '../../engine/schema/immutable.ts'
import { RpcError } from '../../wire/rpc.ts'
import { refusal } from '../shared/names.ts'
import { findSample } from '../files/samples.ts'
import { streamOf } from '../../wire/stream-of.ts'
import type { Uploads } from './uploads.ts'
import type { Lease, WorkerPool } from './worker-pool.ts'

/** A file opened by one window; its transcript lives in a worker. */
export interface OpenSession {
  readonly key: string
  readonly name: string
  /** The file itself, and its path as people know it (null for an upload). */
  readonly path: string
  readonly shownPath: string | null
  readonly lease: Lease
  /** The upload behind it, removed when it closes. */
  readonly upload: string | null
  /** What it is that cannot grow, or null. */
  readonly fixed: string | null
}

type WithTurns<T> = T & { readonly turns: number }
type OpenStep = Immutable<z.infer<typeof Progress> | WithTurns<Opened> | WithTurns<Grown>>
type FollowStep = Immutable<z.infer<TurnscopeContract['session.follow']['out']>>

/** Sessions of one port: closing the port closes them. */
export interface OpenSessions {
  open(source: OpenSource, signal: AbortSignal): AsyncGenerator<OpenStep, void>
  /** [I53] Refused for what cannot grow. */
  follow(key: string, signal: AbortSignal): AsyncGenerator<FollowStep, void>
  get(key: string): OpenSession
  close(key: string): Promise<void>
  closeAll(): Promise<void>
}

interface Places {
  readonly pool: WorkerPool
  readonly uploads: Uploads
  /** Where relative paths start. */
  readonly base: string
  /** Where samples are. */
  readonly shipped: string
  /** Told of every session that closes. */
  readonly onClosed: (key: string) => void
}

interface Located {
  readonly path: string
  readonly shownPath: string | null
  readonly name: string
  readonly upload: string | null
  readonly fixed: string | null
}

export function createOpenSessions(places: Places): OpenSessions {
  const sessions = new Map<string, OpenSession>()

  async function* open(source: OpenSource, signal: AbortSignal): AsyncGenerator<OpenStep, void> {
    const located = await locate(source, places)
    const bytes = await sizeOf(located)
    const lease = places.pool.lease(bytes + 1)
    const key = randomBytes(9).toString('base64url')
    const session: OpenSession = { ...located, key, lease }
    let opened = false
    try {
      const input = { key, path: located.path }
      for await (const value of streamOf(lease.client, 'session.open', input, signal)) {
        if (value.kind !== 'opened') {
          yield value
          continue
        }
        opened = true
        sessions.set(key, session)
        yield { ...value, key, name: located.name, path: located.shownPath }
      }
    } catch (error) {
      throw explain(error, session)
    } finally {
      if (!opened) await forget(session)
    }
  }

  async function forget(session: OpenSession): Promise<void> {
    const close = session.lease.client.call('session.close', { key: session.key })
    // A thread that has ended holds nothing any more.
    await close.catch(() => undefined)
    session.lease.release()
    places.onClosed(session.key)
    if (session.upload !== null) await places.uploads.discard(session.upload)
  }

  const get = (key: string): OpenSession => {
    const session = sessions.get(key)
    if (session) return session
    throw refusal({ what: 'this session is not open', where: key, do: 'Open the file again' })
  }

  const close = async (key: string) => {
    const session = sessions.get(key)
    if (!session) return
    sessions.delete(key)
    await forget(session)
  }

  return {
    open,
    follow: (key, signal) => follow(get(key), signal),
    get,
    close,
    closeAll: async () => {
      await Promise.all([...sessions.keys()].map(close))
    },
  }
}

async function* follow(
  session: OpenSession,
  signal: AbortSignal,
): AsyncGenerator<FollowStep, void> {
  const { key, name, fixed, lease } = session
  if (fixed !== null) {
    const what = `${fixed} does not grow`
    throw refusal({ what, where: name, do: 'Open the file itself by its path' })
  }
  try {
    yield* streamOf(lease.client, 'session.follow', { key }, signal)
  } catch (error) {
    throw explain(error, session)
  }
}

/** What a person is told when the thread behind a session went away; other errors as they are. */
export function explain(error: unknown, session: OpenSession): unknown {
  const lost = session.lease.lost()
  if (!(error instanceof RpcError) || error.code !== 'CLOSED' || lost === null) return error
  return refusal({
    what: `the thread that held this session stopped (${lost})`,
    where: session.name,
    do: 'Open the file again; other sessions are not affected',
  })
}

async function locate(source: OpenSource, places: Places): Promise<Located> {
  if (source.kind === 'upload') {
    const { name, path } = await places.uploads.take(source.upload)
    return { path, shownPath: null, name, upload: source.upload, fixed: 'an upload' }
  }
  if (source.kind === 'sample') {
    const found = await findSample(places.shipped, source.id)
    if (!found.ok) throw refusal(found.error)
    const { path, sample } = found.value
    return { path, shownPath: path, name: sample.title, upload: null, fixed: 'a sample' }
  }
  const path = isAbsolute(source.path) ? source.path : resolve(places.base, source.path)
  return { path, shownPath: path, name: basename(path), upload: null, fixed: null }
}

async function sizeOf({ path, name }: Located): Promise<number> {
  const info = await stat(path).catch(() => null)
  if (!info) throw refusal({ what: 'there is no such file', where: path, do: 'Check the path' })
  if (info.isFile()) return info.size
  throw refusal({ what: 'this is not a file', where: name, do: 'Choose a transcript file' })
}
