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
}

/** [F116] Divides a file by session into parts, once: a file that was divided before is left as it is. */
export async function divideFile(
  database: Database,
  at: number,
  { folders, plan, formats }: DivideOptions,
): Promise<void> {
  const file = plan.files[at]
  if (file === undefined) return
  await fillFolder(folders.divided(at), async (folder) => {
    try {
      // Read while the database reads it too, and before the folder has its name: it is there for every divided file.
      const starts = writeLineStarts(folders, at, file)
      starts.catch(() => undefined)
      await database.run(`SET partitioned_write_flush_threshold = ${WAITING_ROWS}`)
      if (file.kind === 'transcript' || file.columns === undefined)
        await divideTranscript(database, { folder, plan, at, path: file.path, formats })
      else
        await divideTable(database, { folder, plan, at }, {
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

/**
 * Rows that wait for the files of their parts, and rows of a group of such a file: what a database holds in memory
 * while it divides. The defaults (524,288 and 122,880) take three times as much and half as long again.
 */
const WAITING_ROWS = 65_536
const GROUP_ROWS = 2048

/** The part that a session belongs to, as SQL. */
export const partOf = (session: string, parts: number): string =>
  `(hash(${session}) % ${parts})::INTEGER`

function partitioned(rows: string, parts: number, folder: string): string {
  return `COPY (SELECT file, row, session, place, seq, kind, message, reason,
      CASE WHEN reason IS NULL THEN ${partOf('session', parts)} ELSE ${UNUSABLE} END AS part
    FROM (${rows})) TO ${quoted(folder)} (FORMAT parquet, PARTITION_BY (part), COMPRESSION snappy, ROW_GROUP_SIZE ${GROUP_ROWS})`
}

async function divideTable(database: Database, into: Into, table: Table): Promise<void> {
  const { folder, plan, at } = into
  try {
    await database.run(
      partitioned(normalized(table, at, plan.order), plan.parts, join(folder, 'all')),
    )
    if (table.kind === 'csv') await divideRejects(database, into)
  } catch (error) {
    if (table.kind !== 'parquet') throw error
    await forget(join(folder, 'all'))
    await divideGroups(database, into, table, error)
  }
}

/** Lines of a CSV file that DuckDB passed over; their rows are counted from the line behind the names. */
async function divideRejects(database: Database, { folder, plan, at }: Into): Promise<void> {
  const rejects = `SELECT DISTINCT ON (line) ${at} AS file, line::BIGINT - 2 AS row, NULL AS session,
      NULL AS place, line::BIGINT AS seq, NULL AS kind, NULL AS message, error_message AS reason
    FROM ${REJECTS} ORDER BY line`
  const [[count] = []] = await database.rows(`SELECT count(*)::INTEGER FROM ${REJECTS}`)
  if (Number(count) > 0)
    await database.run(partitioned(rejects, plan.parts, join(folder, 'rejects')))
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
      await database.run(partitioned(rows, plan.parts, target))
    } catch (error) {
      lost += 1
      await forget(target)
      const reason = `rows ${from} to ${end - 1} cannot be read: ${databaseFailure(error, table.path).what}`
      await database.run(
        partitioned(
          `SELECT ${at} AS file, ${from} AS row, NULL AS session, NULL AS place, ${from} AS seq, NULL AS kind,
             NULL AS message, ${quoted(reason)} AS reason`,
          plan.parts,
          join(folder, `lost-${Number(number)}`),
        ),
      )
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
  await database.run(partitioned('SELECT * FROM said', plan.parts, join(folder, 'all')))
  await database.run('DROP TABLE said')
}
