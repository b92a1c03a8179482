import type * as DuckDb from '@duckdb/node-api'
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { messageOf } from '../../engine/result.ts'
import { RpcError } from '../../wire/rpc.ts'
import { loadOptional } from '../platform/optional-package.ts'
import { refusal } from '../platform/threads/refusal.ts'

/** A database in memory, for one thread of ours. */
export interface Database {
  readonly connection: DuckDBConnection
  /** Runs a statement and forgets its rows. */
  readonly run: (sql: string) => Promise<void>
  readonly rows: (sql: string) => Promise<ReadonlyArray<readonly DuckDBValue[]>>
  /** A separate connection to the same data. Interrupting one does not interrupt the other. */
  readonly sibling: () => Promise<Database>
  /** Gives memory that ended statements took back to the system. */
  readonly trim: () => Promise<void>
  readonly close: () => void
}

interface DatabaseOptions {
  readonly threads: number
  /** Memory limit. Beyond it, the database writes to `scratch`. */
  readonly memoryMb: number
  readonly scratch: string
}

const PACKAGE = '@duckdb/node-api'

/** [F124] The package has native code, so it is stored next to the bundle, not in it. */
function load(): typeof DuckDb {
  try {
    const found = loadOptional(PACKAGE)
    // Batch tests check the types used here against the real package.
    if (found !== null) return found.exports as typeof DuckDb
  } catch (error) {
    throw refusal({ ...MISSING, what: `DuckDB cannot be loaded (${messageOf(error)})` })
  }
  throw refusal(MISSING)
}

const MISSING = {
  what: 'DuckDB is not part of Turnscope, and is not installed beside it',
  where: PACKAGE,
  do: `Install it where Turnscope is: npm install ${PACKAGE} beside a local one, npm install --global ${PACKAGE} beside a global one; without installing either: npx -p turnscope -p ${PACKAGE} turnscope …`,
}

/**
 * [F115] Opens a database. Extensions are neither fetched nor installed, because no data leaves this machine unasked. A
 * missing extension is reported.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const duckdb = load()
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    threads: String(options.threads),
    memory_limit: `${options.memoryMb}MB`,
    temp_directory: options.scratch,
    autoinstall_known_extensions: 'false',
    preserve_insertion_order: 'true',
  })
  const over = (connection: DuckDBConnection, end: () => void): Database => ({
    connection,
    run: async (sql) => {
      await connection.run(sql)
    },
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRows(),
    // DuckDB trims its memory whenever the limit is set, even to the same value.
    trim: async () => {
      await connection.run(`SET memory_limit = '${options.memoryMb}MB'`)
    },
    sibling: async () => over(await instance.connect(), () => undefined),
    close: () => {
      connection.closeSync()
      end()
    },
  })
  return over(await instance.connect(), () => instance.closeSync())
}

/** A text in SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A name in SQL. */
export function named(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * Problem for a database error: the failure as a sentence, the place, and what to do.
 * @param fallback what to do if the kind of the error is unknown
 */
export function databaseFailure(
  error: unknown,
  where: string,
  fallback = 'Check the file',
): RpcError {
  if (error instanceof RpcError) return error
  const first = messageOf(error).split('\n')[0] ?? ''
  const advice = ADVICE.find(({ when }) => when.test(messageOf(error)))
  return refusal({ what: advice?.what ?? first, where, do: advice?.do ?? fallback })
}

interface Advice {
  readonly when: RegExp
  /** Replaces messages of the database that only DuckDB experts understand. */
  readonly what?: string
  readonly do: string
}

const ADVICE: readonly Advice[] = [
  {
    when: /permission error|configuration has been locked|disabled by configuration|disabled through configuration/iu,
    do: 'A statement reads the results and files named with --input. To allow any file and extension, give --unsafe-sql',
  },
  {
    when: /no space left|disk (?:is )?full|write error|could not write/iu,
    do: 'Make room there, and start the same command again: it goes on where it ended',
  },
  {
    when: /maximum line size/iu,
    do: 'That line is longer than 16 MB: shorten it, or take it out of the file',
  },
  {
    when: /state machine reached an invalid state/iu,
    what: 'lines of this file end in different ways, or hold a carriage return',
    do: String.raw`Make them end alike, for example with: sed -i 's/\r//g' FILE`,
  },
  {
    when: /extension/iu,
    do: 'Install the extension once with DuckDB (INSTALL httpfs), or copy the files to this machine',
  },
  {
    when: /out of memory/iu,
    do: 'Give more with --memory, or fewer --threads',
  },
]
