import { rm, writeFile } from '../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import type { FormatsOf } from '../transcripts/own-formats.ts'
import { type Database, databaseFailure, quoted } from './duckdb.ts'
import { type BatchFolders, fillFolder } from './folders.ts'
import { writeLineStarts } from './line-starts.ts'
import { readWhole } from './plain-lines.ts'
import type { Plan } from './plan-schema.ts'
import { REJECTS, type Table, normalized } from './tables.ts'
import { type Into, inShares, sharesOf, writeParts } from './write-parts.ts'
import { appendTranscript } from './transcript-rows.ts'

interface DivideOptions {
  readonly folders: BatchFolders
  readonly plan: Plan
  readonly formats: FormatsOf
  readonly threads: number
  readonly signal: AbortSignal
}

/** [F116] Divides a file by session into parts, once: a file that was divided before is left as it is. */
export async function divideFile(
  database: Database,
  at: number,
  { folders, plan, formats, threads, signal }: DivideOptions,
): Promise<void> {
  const file = plan.files[at]
  if (file === undefined) return
  await fillFolder(folders.divided(at), async (folder) => {
    try {
      // Read while the database reads it too, and before the folder has its name: it is there for every divided file.
      const starts = writeLineStarts(folders, at, file)
      starts.catch(() => undefined)
      const written = { rows: 0 }
      const into: Into = { folder, plan, at, onRows: (rows) => (written.rows += rows) }
      if (file.kind === 'transcript' || file.columns === undefined)
        await divideTranscript(database, into, file.path, formats)
      else
        await divideLines(
          database,
          { ...into, shares: sharesOf(file, threads), signal, written },
          { path: file.path, kind: file.kind, columns: file.columns },
          folders.plain(at),
        )
      await writeFile(folders.dividedRows(folder), String(written.rows))
      await starts
    } catch (error) {
      throw databaseFailure(error, file.path)
    }
  })
}

interface IntoShares extends Into {
  readonly shares: number
  readonly signal: AbortSignal
  readonly written: { rows: number }
}

/** [F134] Divides a table; of lines a second time where some of them cannot be read, without these. */
async function divideLines(
  database: Database,
  into: IntoShares,
  table: Table,
  copy: string,
): Promise<void> {
  const undo = async (): Promise<void> => {
    for (let share = 0; share < into.shares; share += 1)
      await forget(join(into.folder, shareName(share)))
    into.written.rows = 0
  }
  await readWhole(table, { to: copy, signal: into.signal, undo }, (each) =>
    divideTable(database, into, each),
  )
}

const shareName = (share: number): string => (share === 0 ? 'all' : `all-${share}`)

async function divideTable(
  database: Database,
  into: Into & { readonly shares: number },
  table: Table,
): Promise<void> {
  const { folder, plan, at, shares } = into
  try {
    await inShares(database, shares, (connection, share, where) => {
      const rows = normalized(table, at, plan.order, where)
      return writeParts(connection, rows, into, shareName(share))
    })
    if (table.kind === 'csv') await divideRejects(database, into)
  } catch (error) {
    if (table.kind !== 'parquet') throw error
    await forget(join(folder, 'all'))
    await divideGroups(database, into, table, error)
  }
}

/** Lines of a CSV file that DuckDB passed over; their rows are counted from the line behind the names. */
async function divideRejects(database: Database, into: Into): Promise<void> {
  const rejects = `SELECT DISTINCT ON (line) ${into.at} AS file, line::BIGINT - 2 AS row, NULL AS session,
      NULL AS place, line::BIGINT AS seq, NULL AS kind, NULL AS message, error_message AS reason
    FROM ${REJECTS} ORDER BY line`
  const [[count] = []] = await database.rows(`SELECT count(*)::INTEGER FROM ${REJECTS}`)
  if (Number(count) > 0) await writeParts(database, rejects, into, 'rejects')
  for (const name of [REJECTS, `${REJECTS}_scans`])
    await database.run(`DROP TABLE IF EXISTS ${name}`)
}

/** What a statement that failed has written already: half a file, which would be read as rows. */
const forget = (target: string): Promise<void> => rm(target, { recursive: true, force: true })

/** A file that cannot be read as a whole: row group by row group, so that a damaged one costs its rows only. */
async function divideGroups(
  database: Database,
  into: Into,
  table: Table,
  failure: unknown,
): Promise<void> {
  const { folder, plan, at } = into
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
    const target = `group-${Number(number)}`
    try {
      await writeParts(database, rows, into, target)
    } catch (error) {
      lost += 1
      await forget(join(folder, target))
      const reason = `rows ${from} to ${end - 1} cannot be read: ${databaseFailure(error, table.path).what}`
      const unusable = `SELECT ${at} AS file, ${from} AS row, NULL AS session, NULL AS place, ${from} AS seq, NULL AS kind,
          NULL AS message, ${quoted(reason)} AS reason`
      await writeParts(database, unusable, into, `lost-${Number(number)}`)
    }
    from = end
  }
  // Every group is well, so it was something else that failed.
  if (lost === 0) throw failure
}

async function divideTranscript(
  database: Database,
  into: Into,
  path: string,
  formats: FormatsOf,
): Promise<void> {
  const { plan, at } = into
  await database.run(
    `CREATE OR REPLACE TABLE said (file INTEGER, row BIGINT, session VARCHAR, place ${plan.order},
       seq BIGINT, kind VARCHAR, message VARCHAR, reason VARCHAR)`,
  )
  await appendTranscript(database, { path, at, formats })
  await writeParts(database, 'SELECT * FROM said', into, 'all')
  await database.run('DROP TABLE said')
}
