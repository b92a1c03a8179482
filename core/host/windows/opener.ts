import { existsSync, rm } from '../platform/files/fenced-fs.ts'
import { hash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isAlive, writeFileAtomic } from '../platform/files/atomic-file.ts'
import { readText } from '../platform/files/regular-file.ts'
import { liveFolder } from '../hook/places.ts'
import { jsonAs } from '../platform/json.ts'
import type { Env } from '../platform/trust/place.ts'

/** Entries in the account's state folder about windows that links can open. */
const Serving = z.strictObject({ port: z.int().min(1).max(65_535), pid: z.int().min(1) })
const Desktop = z.strictObject({ program: z.string().min(1).max(4096) })

/**
 * [L109] Folder of the entries about programs that open links. It belongs to the account and is never in a workspace,
 * which another user may own. Null if the account has no such folder.
 */
function openersFolder(env: Env): string | null {
  const live = liveFolder(env)
  return live === null ? null : join(dirname(live), 'openers')
}

function servingFile(env: Env, workspace: string): string | null {
  const folder = openersFolder(env)
  return folder === null
    ? null
    : join(folder, `serve-${hash('sha256', workspace).slice(0, 32)}.json`)
}

function desktopFile(env: Env): string | null {
  const folder = openersFolder(env)
  return folder === null ? null : join(folder, 'desktop.json')
}

/**
 * [L109] Enables links to a served workspace, until the returned function is called. If the disk refuses, nothing
 * changes.
 */
export async function announceServe(
  { workspace, port }: { readonly workspace: string; readonly port: number },
  env: Env = process.env,
): Promise<() => Promise<void>> {
  const path = servingFile(env, workspace)
  if (path === null) return () => Promise.resolve()
  const said = JSON.stringify({ port, pid: process.pid })
  await writeFileAtomic(path, said).catch(() => undefined)
  return async () => {
    // Another one may serve the same workspace since.
    if ((await textOf(path)) === said) await rm(path, { force: true }).catch(() => undefined)
  }
}

/** [L109] The desktop application opens `turnscope://` on this account. */
export async function announceDesktop(program: string, env: Env = process.env): Promise<void> {
  const path = desktopFile(env)
  if (path !== null) await writeFileAtomic(path, JSON.stringify({ program })).catch(() => undefined)
}

type Opener = { readonly kind: 'serve'; readonly port: number } | { readonly kind: 'desktop' }

/**
 * [L109] Finds the program that opens a link now: a window that is served for the workspace, else the desktop
 * application. Null if there is neither.
 */
export async function findOpener(
  workspace: string,
  env: Env = process.env,
): Promise<Opener | null> {
  const serving = jsonAs(Serving, await textOf(servingFile(env, workspace)))
  if (serving !== null && isAlive(serving.pid)) return { kind: 'serve', port: serving.port }
  const desktop = jsonAs(Desktop, await textOf(desktopFile(env)))
  return desktop !== null && existsSync(desktop.program) ? { kind: 'desktop' } : null
}

function textOf(path: string | null): Promise<string> {
  return path === null ? Promise.resolve('') : readText(path).catch(() => '')
}

/** [U224] Names of the configuration of a link. Omitted names are the defaults of the workspace. */
export interface LinkedRun {
  readonly preset?: string
  readonly domains?: string
  readonly profile?: string
}

/** Position in a session. `event` counts from 0, `turn` from 1 as the screen shows it. */
interface Within {
  readonly turn?: number
  readonly event?: number
}

/** A turn of a session of a file. */
export interface LinkedPlace extends Within {
  /** Absolute. */
  readonly path: string
  /** Number from 0, or the id that the session has in the file. */
  readonly session: number | string
}

/** A turn of a session of a table that a batch read: the folder of results (absolute), the source and the session there. */
export interface LinkedRow extends Within {
  readonly results: string
  readonly file: string
  readonly session: string
}

/**
 * [L110] The URL that opens a place. Everything in it is encoded. Null for a name that no URL can contain (with a lone
 * surrogate or a control character). A deep link names only a file, so a row of a table has a URL only if the workspace
 * is served.
 */
export function addressOf(
  opener: Opener,
  place: LinkedPlace | LinkedRow,
  run: LinkedRun = {},
): string | null {
  const names = Object.values({ ...place, ...run }).filter((value) => typeof value === 'string')
  if (names.some((name) => !name.isWellFormed() || /\p{Cc}/u.test(name))) return null
  const { turn, event } = place
  const within = {
    ...(turn === undefined ? {} : { turn: String(turn) }),
    ...(event === undefined ? {} : { event: String(event) }),
    ...run,
  }
  if (opener.kind === 'serve') {
    const query = new URLSearchParams({ ...servedPlace(place), ...within })
    return `http://127.0.0.1:${opener.port}/#${query.toString()}`
  }
  if ('results' in place) return null
  const { path, session } = place
  const which = typeof session === 'string' ? { id: session } : { session: String(session + 1) }
  const query = new URLSearchParams({ path, ...which, ...within })
  return `turnscope://open?${query.toString().replaceAll('+', '%20')}`
}

/** Source and session, as the fragment of the window says them. */
function servedPlace(place: LinkedPlace | LinkedRow): Readonly<Record<string, string>> {
  if ('results' in place)
    return { s: `result:${JSON.stringify([place.results, place.file, place.session])}` }
  const { path, session } = place
  if (typeof session === 'string') return { s: `path:${path}`, id: session }
  return { s: `path:${path}`, ...(session === 0 ? {} : { n: String(session) }) }
}
