import { RpcError } from '../../../../wire/rpc.ts'
import { writeFileSync } from '../../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import type { StoreProblem } from '../../ports.ts'
import { damaged } from '../problems.ts'
import { Damage } from './vector-files.ts'
import { readTextSync } from '../../../platform/files/regular-file.ts'

/** Primary result codes of SQLite: https://sqlite.org/rescode.html */
const SQLITE = { error: 1, busy: 5, locked: 6, corrupt: 11, schema: 17, format: 26 } as const

const OF_SQLITE: ReadonlyMap<number, 'damaged' | 'busy'> = new Map([
  [SQLITE.error, 'damaged'],
  [SQLITE.corrupt, 'damaged'],
  [SQLITE.schema, 'damaged'],
  [SQLITE.format, 'damaged'],
  [SQLITE.busy, 'busy'],
  [SQLITE.locked, 'busy'],
])

/** What went wrong with a store on disk, in words and with its kind. Mistakes of ours are thrown on. */
export function problemOf(collection: string, error: unknown): StoreProblem {
  if (error instanceof Damage) return damaged(collection, error.message)
  const where = `store of ${collection}`
  // [F123] It says itself what to do.
  if (error instanceof RpcError && error.code === 'REFUSED')
    return { kind: 'unreachable', what: error.what, where, do: error.do ?? '' }
  const code = codeOf(error)
  if (code === null || !(error instanceof Error)) throw error
  const what = error.message
  if (code === 'ENOENT') return damaged(collection, 'a file of it is missing')
  if (code === 'damaged') return damaged(collection, `its database cannot be read: ${what}`)
  if (code === 'busy') {
    const away = 'Wait until it has finished, then try again'
    return { kind: 'refused', what: 'another process is writing to it', where, do: away }
  }
  return { kind: 'unreachable', what, where, do: 'Check the folder: rights, and space on the disk' }
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('errcode' in error && typeof error.errcode === 'number')
    return OF_SQLITE.get(error.errcode & 0xff) ?? ''
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Says that the store was found damaged while it was open. */
const MARK = 'damaged'

export function markDamaged(folder: string, what: string): void {
  try {
    writeFileSync(join(folder, MARK), what)
  } catch {
    // The folder is gone or full: the next one who opens it will see for themselves.
  }
}

/** Throws Damage where the store was found damaged before. */
export function checkMark(folder: string): void {
  let what: string
  try {
    what = readTextSync(join(folder, MARK))
  } catch {
    return
  }
  throw new Damage(what)
}
