import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FormatsOf } from '../files/own-formats.ts'
import { type Database, databaseFailure, quoted } from './duckdb.ts'
import { type BatchFolders, fillFolder } from './folders.ts'
import { writeLineStarts } from './line-starts.ts'
import type { Plan } from './plan-schema.ts'
import { REJECTS, type Table, normalized } from './tables.ts'
import { appendTranscript } from './transcript-rows.ts'

/** Rows that cannot be used stand in a part of their own. */
export const UNUSABLE = -1

interface DivideOptions {
  readonly folders: BatchFolders
  readonly plan: Plan
  readonly formats: FormatsOf
  readonly threads: number
}

/** [F116] Divides a file by session into parts, once: a file that was divided before is left as it is. */
export async function divideFile(
  database: Database,
  at: number,
  { folders, plan, formats, threads }: DivideOptions,
): Promise<void> {
  const file = plan.files[at]
  if (file === undefined) return
  await fillFolder(folders.divided(at), async (folder) => {
    try {
      // Read while the database reads it too, and before the folder has its name: it is there for every divided file.
      const starts = writeLineStarts(folders, at, file)
      starts.catch(() => undefined)
      if (file.kind === 'transcript' || file.columns === undefined)
        await divideTranscript(database, { folder, plan, at, path: file.path, formats })
      else
        await divideTable(database, { folder, plan, at, shares: sharesOf(file, threads) }, {
          ...file,
          columns: file.columns,
        } as Table)
      await starts
    } catch (error) {
      throw databaseFailure(error, file.path)
    }
  })
}

interface Into {
  readonly folder: string
  readonly plan: Plan
  readonly at: number
}

/** Below this size a second look at a file costs more than it saves. */
const SHARED_BYTES = 64 * 1024 * 1024
/** Node has four threads for what databases do; one is left for files. */
const MOST_SHARES = 3
/** Rows that one statement takes at a time. */
const SHARE_ROWS = 2048

/**
 * How many statements divide a file at once. Lines are numbered one after the other, for which the database takes one
 * thread, so each statement numbers all of them and looks into its share only: numbering takes a tenth of the time.
 */
function sharesOf({ kind, size }: Plan['files'][number], threads: number): number {
  return kind === 'lines' && size >= SHARED_BYTES ? Math.min(threads, MOST_SHARES) : 1
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

/** Writes rows into a folder with a file for each part. */
async function writeParts(
  database: Database,
  rows: string,
  parts: number,
  folder: string,
): Promise<void> {
  await database.run(`SET partitioned_write_flush_threshold = ${WAITING_ROWS}`)
  await database.run(`COPY (SELECT file, row, session, place, seq, kind, message, reason,
      CASE WHEN reason IS NULL THEN ${partOf('session', parts)} ELSE ${UNUSABLE} END AS part
    FROM (${rows})) TO ${quoted(folder)} (FORMAT parquet, PARTITION_BY (part), COMPRESSION snappy, ROW_GROUP_SIZE ${GROUP_ROWS})`)
}

async function divideTable(
  database: Database,
  into: Into & { readonly shares: number },
  table: Table,
): Promise<void> {
  const { folder, plan, at, shares } = into
  try {
    await inShares(database, shares, async (connection, share) => {
      const where = shares === 1 ? 'true' : `(row // ${SHARE_ROWS}) % ${shares} = ${share}`
      const rows = normalized(table, at, plan.order, where)
      await writeParts(
        connection,
        rows,
        plan.parts,
        join(folder, share === 0 ? 'all' : `all-${share}`),
      )
    })
    if (table.kind === 'csv') await divideRejects(database, into)
  } catch (error) {
    if (table.kind !== 'parquet') throw error
    await forget(join(folder, 'all'))
    await divideGroups(database, into, table, error)
  }
}

/** Runs statements for each share, all at once. One that fails, or is interrupted, ends the others. */
async function inShares(
  database: Database,
  shares: number,
  run: (database: Database, share: number) => Promise<void>,
): Promise<void> {
  const others = await Promise.all(Array.from({ length: shares - 1 }, () => database.sibling()))
  const all = [database, ...others]
  const endAll = (error: unknown): never => {
    for (const { connection } of all) connection.interrupt()
    throw error
  }
  try {
    const ends = await Promise.allSettled(all.map((each, share) => run(each, share).catch(endAll)))
    const failed = ends.find((end) => end.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  } finally {
    for (const other of others) other.close()
  }
}

/** Lines of a CSV file that DuckDB passed over; their rows are counted from the line behind the names. */
async function divideRejects(database: Database, { folder, plan, at }: Into): Promise<void> {
  const rejects = `SELECT DISTINCT ON (line) ${at} AS file, line::BIGINT - 2 AS row, NULL AS session,
      NULL AS place, line::BIGINT AS seq, NULL AS kind, NULL AS message, error_message AS reason
    FROM ${REJECTS} ORDER BY line`
  const [[count] = []] = await database.rows(`SELECT count(*)::INTEGER FROM ${REJECTS}`)
  if (Number(count) > 0) await writeParts(database, rejects, plan.parts, join(folder, 'rejects'))
  for (const name of [REJECTS, `${REJECTS}_scans`])
    await database.run(`DROP TABLE IF EXISTS ${name}`)
}

/** What a statement that failed has written already: half a file, which would be read as rows. */
const forget = (target: string): Promise<void> => rm(target, { recursive: true, force: true })

/** A file that cannot be read as a whole: row group by row group, so that a damaged one costs its rows only. */
async function divideGroups(
  database: Database,
  { folder, plan, at }: Into,
  table: Table,
  failure: unknown,
): Promise<void> {
  const groups = await database
    .rows(
      `SELECT DISTINCT row_group_id::INTEGER AS number, row_group_num_rows::INTEGER
       FROM parquet_metadata(${quoted(table.path)}) ORDER BY number`,
    )
    .catch(() => {
      throw failure
    })
  let from = 0
  let lost = 0
  for (const [number, count] of groups) {
    const end = from + Number(count)
    const rows = normalized(table, at, plan.order, `row >= ${from} AND row < ${end}`)
    const target = join(folder, `group-${Number(number)}`)
    try {
      await writeParts(database, rows, plan.parts, target)
    } catch (error) {
      lost += 1
      await forget(target)
      const reason = `rows ${from} to ${end - 1} cannot be read: ${databaseFailure(error, table.path).what}`
      const unusable = `SELECT ${at} AS file, ${from} AS row, NULL AS session, NULL AS place, ${from} AS seq, NULL AS kind,
          NULL AS message, ${quoted(reason)} AS reason`
      await writeParts(database, unusable, plan.parts, join(folder, `lost-${Number(number)}`))
    }
    from = end
  }
  // Every group is well, so it was something else that failed.
  if (lost === 0) throw failure
}

async function divideTranscript(
  database: Database,
  {
    folder,
    plan,
    at,
    path,
    formats,
  }: Into & { readonly path: string; readonly formats: FormatsOf },
): Promise<void> {
  await database.run(
    `CREATE OR REPLACE TABLE said (file INTEGER, row BIGINT, session VARCHAR, place ${plan.order},
       seq BIGINT, kind VARCHAR, message VARCHAR, reason VARCHAR)`,
  )
  await appendTranscript(database, { path, at, formats })
  await writeParts(database, 'SELECT * FROM said', plan.parts, join(folder, 'all'))
  await database.run('DROP TABLE said')
}
