import { readdir, stat } from '../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { type ColumnPart, type TurnColumns, findColumns } from '../../engine/rows/column-names.ts'
import { err, ok, type Problem, type Result } from '../../engine/result.ts'
import { type Database, databaseFailure, quoted } from './duckdb.ts'
import { askTable } from './plain-lines.ts'
import { type TableKind, lineTable, memberPath } from './tables.ts'

/** A file of the input, and how its turns are read. */
export type InputFile = {
  readonly path: string
  readonly size: number
  readonly changed: number
} & ({ readonly kind: TableKind; readonly columns: TurnColumns } | { readonly kind: 'transcript' })

const EXTENSIONS: ReadonlyArray<readonly [RegExp, TableKind]> = [
  [/\.(?:parquet|pq)$/iu, 'parquet'],
  [/\.(?:csv|tsv)(?:\.gz|\.zst)?$/iu, 'csv'],
  [/\.(?:jsonl|ndjson)(?:\.gz|\.zst)?$/iu, 'lines'],
]
const PATTERN = /[*?[\]{}]/u
const ADDRESS = /^[a-z][a-z\d+.-]+:\/\//iu

/** All files that an input names: a file, a folder with all below it, a pattern, an address that DuckDB reaches. */
async function pathsOf(input: string, database: Database): Promise<Result<readonly string[]>> {
  const found = await stat(input).catch(() => null)
  if (found?.isDirectory() === true) {
    const entries = await readdir(input, { recursive: true, withFileTypes: true })
    return ok(
      entries
        .filter((entry) => entry.isFile() && !/(?:^|[/\\])\./u.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        .toSorted(),
    )
  }
  if (found?.isFile() === true) return ok([input])
  // [I60] DuckDB would wait for a pipe for ever.
  if (found !== null)
    return err({
      what: 'this is no regular file',
      where: input,
      do: 'Name a file or a folder; `turnscope pipe` reads standard input',
    })
  const nothing = { what: 'there is no such file', where: input, do: 'Check the path or pattern' }
  if (!PATTERN.test(input) && !ADDRESS.test(input)) return err(nothing)
  try {
    const rows = await database.rows(`SELECT file FROM glob(${quoted(input)}) ORDER BY file`)
    return rows.length === 0 ? err(nothing) : ok(rows.map(([file]) => String(file)))
  } catch (error) {
    const { what, do: advice } = databaseFailure(error, input)
    return err({ what, where: input, do: advice ?? nothing.do })
  }
}

/** Columns of a table file. Of lines: members of the first rows that are texts, numbers or nothing in all of them. */
async function columnNames(
  path: string,
  kind: TableKind,
  database: Database,
): Promise<readonly string[]> {
  const read =
    kind === 'csv'
      ? `read_csv(${quoted(path)}, header = true, all_varchar = true, ignore_errors = true)`
      : `read_parquet(${quoted(path)})`
  const sql =
    kind === 'lines'
      ? membersOfLines(path)
      : `SELECT column_name FROM (DESCRIBE SELECT * FROM ${read})`
  return (await database.rows(sql)).map(([name]) => String(name))
}

function membersOfLines(path: string): string {
  return `WITH sample AS (SELECT line FROM ${lineTable(path)} WHERE json_type(line) = 'OBJECT' LIMIT 100),
    members AS (SELECT line, unnest(json_keys(line)) AS name FROM sample)
    SELECT name FROM members GROUP BY name
    HAVING count(*) = (SELECT count(*) FROM sample)
      AND NOT bool_or(json_type(line, ${memberPath('name')}) IN ('OBJECT', 'ARRAY'))
    ORDER BY name`
}

/** One file: a table if its name and columns indicate one, else a transcript. */
async function fileOf(
  path: string,
  given: Partial<Record<ColumnPart, string>>,
  database: Database,
): Promise<Result<InputFile>> {
  const about = await stat(path).catch(() => null)
  const facts = { path, size: about?.size ?? 0, changed: about?.mtimeMs ?? 0 }
  const kind = EXTENSIONS.find(([pattern]) => pattern.test(path))?.[1]
  if (kind === undefined) return ok({ ...facts, kind: 'transcript' })
  try {
    const columns = findColumns(
      await askTable({ kind, path }, (each) => columnNames(each, kind, database)),
      given,
      path,
    )
    if (columns.ok) return ok({ ...facts, kind, columns: columns.value })
    // Most transcripts are also JSON lines. A table has column names that identify a turn.
    const isGiven = Object.keys(given).length > 0
    return kind === 'lines' && !isGiven ? ok({ ...facts, kind: 'transcript' }) : columns
  } catch (error) {
    const { what, do: advice } = databaseFailure(error, path)
    return err({ what, where: path, do: advice ?? 'Check the file' })
  }
}

/** [F114] All files of the inputs, each once, ordered by path. Unusable files are reported. */
export async function findInputs(
  inputs: readonly string[],
  given: Partial<Record<ColumnPart, string>>,
  database: Database,
): Promise<{ readonly files: readonly InputFile[]; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = []
  const paths = new Set<string>()
  for (const input of inputs) {
    const found = await pathsOf(input, database)
    if (found.ok) for (const path of found.value) paths.add(path)
    else problems.push(found.error)
  }
  const files: InputFile[] = []
  for (const path of [...paths].toSorted()) {
    const file = await fileOf(path, given, database)
    if (file.ok) files.push(file.value)
    else problems.push(file.error)
  }
  return { files, problems }
}
