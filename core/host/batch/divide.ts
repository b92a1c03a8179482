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
import type { DuckDBAppender } from '@duckdb/node-api'
import { formatProblem } from '../../engine/result.ts'
import { textOf } from '../../engine/schema/event.ts'
import { openTranscript } from '../transcripts/transcript.ts'

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

/** Removes the partial output of a failed statement, which would be read as rows. */
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

/** Rows are sent on in portions, because a transcript may be larger than memory. */
const PORTION = 10_000

interface Row {
  readonly row: number
  readonly session?: string
  readonly seq?: number
  readonly said?: readonly [kind: string | null, message: string | null]
  /** Why it cannot be used. */
  readonly reason?: string
}

function appendText(appender: DuckDBAppender, text: string | null): void {
  if (text === null) appender.appendNull()
  else appender.appendVarchar(text)
}

/**
 * [F114] The events of a transcript as rows of the table `said`: their line is the row (0-based), and their place
 * among the events of the session is the order. A file that cannot be read is one row that says why.
 */
async function appendTranscript(
  { connection }: Database,
  {
    path,
    at,
    formats,
  }: { readonly path: string; readonly at: number; readonly formats: FormatsOf },
): Promise<void> {
  const appender = await connection.createAppender('said')
  const append = ({ row, session, seq = 0, said = [null, null], reason }: Row) => {
    appender.appendInteger(at)
    appender.appendBigInt(BigInt(row))
    appendText(appender, session ?? null)
    // Nothing but its place among the events orders them.
    appender.appendNull()
    appender.appendBigInt(BigInt(seq))
    for (const text of [...said, reason ?? null]) appendText(appender, text)
    appender.endRow()
  }
  const opened = await openTranscript(path, { formats })
  if (!opened.ok) {
    append({ row: 0, reason: formatProblem(opened.error) })
    appender.closeSync()
    return
  }
  const { transcript } = opened.value
  try {
    let count = 0
    for (const { id, events, texts } of transcript.sessions) {
      const session = `${path}#${id}`
      for (const event of events) {
        const { kind, seq, source } = event
        append({ row: source.line - 1, session, seq, said: [kind, textOf(event, texts)] })
        count += 1
        if (count % PORTION === 0) appender.flushSync()
      }
    }
    for (const { line, message } of transcript.problems) append({ row: line - 1, reason: message })
  } finally {
    appender.closeSync()
    opened.value.close()
  }
}
