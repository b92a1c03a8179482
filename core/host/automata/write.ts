import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from '../platform/files/fenced-fs.ts'
import { isAbsolute, join } from 'node:path'
import type { OwnAutomata } from '../platform/automata-places.ts'

/** Files of a kind that stay on disk, those written last: an automaton takes one to five megabytes, others a tenth of one. */
const MOST_FILES: Readonly<Record<string, number>> = { bin: 8, kept: 24 }
const NAME = /^[0-9a-f]{64}\.(bin|kept)$/u
/** Larger than any automaton that `automatonBytes` can give. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * [C14] Writes an automaton into the folder atomically, and removes files beyond `MOST_FILES`. Returns whether the file
 * exists afterwards. A folder that cannot be written is not an error.
 */
export function writeAutomaton(folder: string, name: string, bytes: Uint8Array): boolean {
  const kind = NAME.exec(name)?.[1]
  if (kind === undefined || bytes.length > MOST_BYTES) return false
  const temporary = join(folder, `${name}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(temporary, bytes, { mode: 0o600 })
    renameSync(temporary, join(folder, name))
    removeOldest(folder, kind)
    return true
  } catch {
    removeIfThere(temporary)
    return false
  }
}

function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Not even the folder is one.
  }
}

/** Partial files of crashed processes are removed with the oldest. */
function removeOldest(folder: string, kind: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.includes(`.${kind}`))
    .map((name) => ({ path: join(folder, name), time: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.time - a.time)
  for (const { path } of files.slice(MOST_FILES[kind])) rmSync(path, { force: true })
}

/** Null if the account has no cache folder. */
function cacheFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = env
  const home = HOME === undefined ? undefined : join(HOME, '.cache')
  const found = [XDG_CACHE_HOME, LOCALAPPDATA, home].find(
    (folder) => folder !== undefined && isAbsolute(folder),
  )
  return found === undefined ? null : join(found, 'turnscope', 'automata')
}

/**
 * [C14] Folder of this account's automata; undefined if the account has no cache folder. It is never a folder of the
 * workspace, which another user may own.
 */
export function ownAutomata(
  env: Readonly<Record<string, string | undefined>>,
): OwnAutomata | undefined {
  const folder = cacheFolder(env)
  if (folder === null) return undefined
  return { folder, keep: (name, bytes) => writeAutomaton(folder, name, bytes) }
}
