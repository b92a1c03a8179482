import { headOfValues } from '../../engine/import/head.ts'
import type { RawLine } from '../../engine/import/source.ts'
import { messageOf } from '../../engine/result.ts'
import { OpenFile } from '../platform/files/open-file.ts'
import type { ByteInput } from '../platform/files/byte-input.ts'
import { FileRefused } from '../platform/files/file-refused.ts'
import type { LineOptions } from '../platform/files/lines.ts'
import type { TableSource } from './parquet-source.ts'
import {
  SQLITE_LIMITS,
  UNKNOWN_STORE,
  allNamedTables,
  hasSqlite,
  leftOutOf,
  namedTables,
  withDatabase,
  type Database,
  type SqliteLimits,
} from './sqlite.ts'
import { lackedBy, storeOf, type Store, type StoreRecord } from './sqlite-stores.ts'

/** Number of sessions that suffice to recognize the content of a database. */
const HEAD_SESSIONS = 20
const MOST_NAMES = 30

/**
 * [I205] Opens a SQLite database so that the formats of JSON lines read its sessions: each session is one line, and
 * `offset` of a line is its number, from 0.
 */
export async function openSqlite(
  input: ByteInput,
  options: LineOptions,
  limits: SqliteLimits = SQLITE_LIMITS,
): Promise<Omit<TableSource, 'columns'>> {
  if (!hasSqlite()) throw withoutSqlite(await namedTables(input))
  const tables = await allNamedTables(input)
  if (tables !== null && storeOf(tables) === null) throw unknownStore(tables)
  // The copy is made from the path: the file may be replaced while it is held open.
  const file = input instanceof OpenFile ? input.path : input
  const first: unknown[] = []
  let product = ''
  const named = (database: Database): Iterable<StoreRecord> => {
    product = storeOf([...database.tables.keys()])?.product ?? ''
    return sessionsOf(database)
  }
  for await (const { value } of withDatabase(file, named, limits)) {
    first.push(value)
    if (first.length >= HEAD_SESSIONS) break
  }
  if (first.length === 0)
    throw new FileRefused(
      'ESQLITE',
      `a SQLite database of ${product}, which holds no session`,
      'Open it again when a conversation has begun',
    )

  async function* lines(): AsyncGenerator<readonly RawLine[]> {
    let number = 0
    for await (const record of withDatabase(file, sessionsOf, limits)) {
      options.signal?.throwIfAborted()
      yield linesOf(number, record, limits)
      number += 1
      options.onBytes?.(number)
    }
  }

  return {
    head: headOfValues(first),
    lines,
    text: async (number) => {
      let at = 0
      for await (const { value } of withDatabase(file, sessionsOf, limits)) {
        if (at === number) return textOf(value).text
        at += 1
      }
      return ''
    },
  }
}

/** [I205] The line of a session, and one that counts what it lacks. */
export function linesOf(
  number: number,
  { value, of }: StoreRecord,
  limits: SqliteLimits = SQLITE_LIMITS,
): readonly RawLine[] {
  const { text, fault } = textOf(value)
  const rest = { unterminated: false, nul: false, tooLong: false }
  const line = { text, offset: number, length: text.length, line: number + 1, ...rest }
  const session = `session ${number + 1}`
  if (fault !== null) return [{ ...line, broken: `${session}: ${fault}` }]
  const count = leftOutOf(of)
  if (count === 0) return [line]
  const above = `above ${Math.floor(limits.value / 1_000_000)} MB`
  const broken = `${session}: ${count === 1 ? `1 value ${above} was` : `${count} values ${above} were`} left out`
  return [line, { ...line, text: '', broken }]
}

interface Written {
  readonly text: string
  /** Why there is no text. */
  readonly fault: string | null
}

function textOf(value: unknown): Written {
  try {
    return { text: JSON.stringify(value), fault: null }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const isLong = error.message.includes('string length')
    return {
      text: '',
      fault: isLong
        ? 'the session is longer than this program can hold as one text'
        : 'a value of the session is nested too deeply',
    }
  }
}

function sessionsOf(database: Database): Iterable<StoreRecord> {
  const names = [...database.tables.keys()]
  const store = storeOf(names)
  if (store === null) throw unknownStore(names)
  const lacking = lackedBy(store, database.tables)
  if (lacking.length > 0)
    throw new FileRefused(
      'ESQLITE',
      `a SQLite database of ${store.product}, of a version that is not known: it lacks ${lacking.join(', ')}; its tables are ${listed(names)}`,
      exportAdvice(store),
    )
  return guarded(store, database)
}

/** A value that cannot be unpacked refuses the file with its reason. */
function* guarded(store: Store, database: Database): Generator<StoreRecord, void> {
  try {
    yield* store.records(database)
  } catch (error) {
    if (error instanceof FileRefused) throw error
    throw new FileRefused(
      'ESQLITE',
      `a SQLite database of ${store.product} that cannot be read: ${messageOf(error).slice(0, 200)}`,
      exportAdvice(store),
    )
  }
}

const exportAdvice = (store: Store): string =>
  `Export the session from ${store.product} (${store.export}), and open that file`

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  return names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ', …' : '')
}

function unknownStore(names: readonly string[]): FileRefused {
  return new FileRefused(
    UNKNOWN_STORE,
    `a SQLite database whose tables no known agent has: ${listed(names.toSorted())}`,
    'Export the conversation as JSON from the program that writes it, and open that file',
  )
}

function withoutSqlite(names: readonly string[]): FileRefused {
  const store = storeOf(names)
  if (store === null) return unknownStore(names)
  return new FileRefused(
    'ESQLITE',
    `a SQLite database of ${store.product}, which Node ${process.versions.node} cannot read`,
    `Use Node 22.13 or newer. Or export the session from ${store.product} (${store.export}), and open that file`,
  )
}
