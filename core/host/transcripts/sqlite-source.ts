import { headOfValues } from '../../engine/import/head.ts'
import type { RawLine } from '../../engine/import/source.ts'
import { messageOf } from '../../engine/result.ts'
import { OpenFile } from '../platform/files/open-file.ts'
import type { ByteInput } from '../platform/files/byte-input.ts'
import { FileRefused } from '../platform/files/file-refused.ts'
import type { LineOptions } from '../platform/files/lines.ts'
import type { TableSource } from './parquet-source.ts'
import { UNKNOWN_STORE, hasSqlite, namedTables, withDatabase, type Database } from './sqlite.ts'
import { lackedBy, storeOf, type Store } from './sqlite-stores.ts'

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
): Promise<Omit<TableSource, 'columns'>> {
  if (!hasSqlite()) throw withoutSqlite(await namedTables(input))
  // The copy is made from the path: the file may be replaced while it is held open.
  const file = input instanceof OpenFile ? input.path : input
  const first: unknown[] = []
  let product = ''
  const named = (database: Database): Iterable<unknown> => {
    product = storeOf([...database.tables.keys()])?.product ?? ''
    return sessionsOf(database)
  }
  for await (const value of withDatabase(file, named)) {
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
    for await (const value of withDatabase(file, sessionsOf)) {
      options.signal?.throwIfAborted()
      yield [lineOf(number, value)]
      number += 1
      options.onBytes?.(number)
    }
  }

  return {
    head: headOfValues(first),
    lines,
    text: async (number) => {
      let at = 0
      for await (const value of withDatabase(file, sessionsOf)) {
        if (at === number) return JSON.stringify(value)
        at += 1
      }
      return 'null'
    },
  }
}

function lineOf(number: number, value: unknown): RawLine {
  const text = JSON.stringify(value)
  const rest = { unterminated: false, nul: false, tooLong: false }
  return { text, offset: number, length: text.length, line: number + 1, ...rest }
}

function sessionsOf(database: Database): Iterable<unknown> {
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
function* guarded(store: Store, database: Database): Generator<unknown, void> {
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
    `a SQLite database whose tables no known agent has: ${listed(names)}`,
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
