import { join } from 'node:path'
import { type Database, quoted } from './duckdb.ts'
import { hasPlaces } from './line-starts.ts'
import type { Plan } from './plan-schema.ts'

/** Rows that cannot be used stand in a part of their own. */
export const UNUSABLE = -1

/** Where the rows of a file go. */
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
 * Rows that wait for the files of their parts, and rows of a group of such a file: what a database holds in memory
 * while it divides. The defaults (524,288 and 122,880) take three times as much and half as long again.
 */
const WAITING_ROWS = 65_536
const GROUP_ROWS = 2048

/** The part that a session belongs to, as SQL. */
export const partOf = (session: string, parts: number): string =>
  `(hash(${session}) % ${parts})::INTEGER`

/** Writes rows into the files of their parts, in a folder of their own. */
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
 * How many statements divide a file at once. Lines are numbered one after the other, for which the database takes one
 * thread, so each statement numbers all of them and looks into its share only: numbering takes a tenth of the time. (Not
 * where they would have to be unpacked as often.)
 */
export function sharesOf({ kind, path, size }: Plan['files'][number], threads: number): number {
  return hasPlaces(kind, path) && size >= SHARED_BYTES ? Math.min(threads, MOST_SHARES) : 1
}

const ASKED_EVERY_MS = 20

const conditionOf = (share: number, shares: number): string =>
  shares === 1 ? 'true' : `(row // ${SHARE_ROWS}) % ${shares} = ${share}`

/** Runs statements for each share, all at once, each with a condition on `row`. One that fails, or is interrupted, ends the others. */
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
  // The first failure, and what it started: the others were ended for it.
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
