import { join } from 'node:path'
import { type Database, quoted } from './duckdb.ts'
import { hasPlaces } from './line-starts.ts'
import type { Plan } from './plan-schema.ts'

/** Unusable rows form a separate part. */
export const UNUSABLE = -1

/** The target of a file's rows. */
export interface Into {
  /** Of this file; it has a folder for each statement. */
  readonly folder: string
  readonly plan: Plan
  /** The number of the file in the plan. */
  readonly at: number
  /** Rows that were written. */
  readonly onRows: (rows: number) => void
}

/**
 * Rows buffered for the files of their parts, and rows per row group of such a file. They determine the database memory
 * while files are divided. The defaults (524,288 and 122,880) take three times the memory and 1.5 times as long.
 */
const WAITING_ROWS = 65_536
const GROUP_ROWS = 2048

/** The part that a session belongs to, as SQL. */
export const partOf = (session: string, parts: number): string =>
  `(hash(${session}) % ${parts})::INTEGER`

/** Writes rows into the files of their parts, in a separate folder. */
export async function writeParts(
  database: Database,
  rows: string,
  { folder, plan, onRows }: Into,
  name: string,
): Promise<void> {
  await database.run(`SET partitioned_write_flush_threshold = ${WAITING_ROWS}`)
  const part = `CASE WHEN reason IS NULL THEN ${partOf('session', plan.parts)} ELSE ${UNUSABLE} END`
  const [[written] = []] = await database.rows(
    `COPY (SELECT file, row, session, place, seq, kind, message, reason, ${part} AS part FROM (${rows}))
      TO ${quoted(join(folder, name))} (FORMAT parquet, PARTITION_BY (part), COMPRESSION snappy, ROW_GROUP_SIZE ${GROUP_ROWS})`,
  )
  onRows(Number(written))
}

/** Below this size a second look at a file costs more than it saves. */
const SHARED_BYTES = 64 * 1024 * 1024
/** Node has four threads for what databases do; one is left for files. */
const MOST_SHARES = 3
/** Rows that one statement takes at a time. */
const SHARE_ROWS = 2048

/**
 * Number of statements that divide a file in parallel. The database numbers lines in one thread, so each statement
 * numbers all lines and parses only its share. Numbering takes a tenth of the time. Compressed files get one statement,
 * because each would decompress the file again.
 */
export function sharesOf({ kind, path, size }: Plan['files'][number], threads: number): number {
  return hasPlaces(kind, path) && size >= SHARED_BYTES ? Math.min(threads, MOST_SHARES) : 1
}

const ASKED_EVERY_MS = 20

const conditionOf = (share: number, shares: number): string =>
  shares === 1 ? 'true' : `(row // ${SHARE_ROWS}) % ${shares} = ${share}`

/**
 * Runs a statement for each share in parallel, each with a condition on `row`. If one fails or is interrupted, all
 * others end.
 */
export async function inShares(
  database: Database,
  shares: number,
  run: (database: Database, share: number, where: string) => Promise<void>,
): Promise<void> {
  const others = await Promise.all(Array.from({ length: shares - 1 }, () => database.sibling()))
  const all = [database, ...others]
  // A statement that is about to begin does not see it: until all have ended, they are asked again.
  const interruptAll = (): void => {
    for (const { connection } of all) connection.interrupt()
  }
  // The first failure and its interrupt timer. Later failures follow from the interrupts.
  const failed: Array<{ readonly error: unknown; readonly asking: NodeJS.Timeout }> = []
  const endAll = (error: unknown): void => {
    if (failed.length === 0)
      failed.push({ error, asking: setInterval(interruptAll, ASKED_EVERY_MS) })
  }
  try {
    await Promise.all(
      all.map((each, share) => run(each, share, conditionOf(share, shares)).catch(endAll)),
    )
    const [first] = failed
    if (first !== undefined) throw first.error
  } finally {
    for (const { asking } of failed) clearInterval(asking)
    for (const other of others) other.close()
  }
}
