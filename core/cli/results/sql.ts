import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from '../../host/platform/files/fenced-fs.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAY_LACK_ROWS } from '../../engine/schema/results.ts'
import { databaseFailure, openDatabase, quoted } from '../../host/batch/duckdb.ts'
import { foldersOf } from '../../host/batch/folders.ts'
import { mayLackRows, readManifest } from '../../host/batch/manifest-schema.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { JSON_LINE, type Given, text } from '../kit/options.ts'
import { CommandError, print } from '../kit/output.ts'
import { createTable } from '../kit/table.ts'

const OPTIONS = {
  results: text('--results <folder>', 'what `batch` wrote', '.'),
  ...JSON_LINE,
}

/** [F118] `sql QUERY`: DuckDB's own SQL over the results of a batch, as views `turns`, `flips` and `errors`. */
export const sql = command({
  name: 'sql',
  summary: 'ask the results of a batch in SQL',
  args: [['<query>', 'for example: SELECT "primary", count(*) FROM turns GROUP BY ALL']],
  options: OPTIONS,
  run: runSql,
})

async function runSql({ results, json }: Given<typeof OPTIONS>, query: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'turnscope-sql-'))
  const database = await openDatabase({ threads: 2, memoryMb: 800, scratch })
  try {
    await makeViews(results, database.run)
    const manifest = await readManifest(foldersOf(results))
    if (manifest !== null && mayLackRows(manifest)) notice(`${results}: ${MAY_LACK_ROWS}`)
    const reader = await database.connection.runAndReadAll(query)
    const names = reader.columnNames()
    const rows = reader.getRowsJson()
    if (json === true) {
      const objects = rows.map((row) =>
        Object.fromEntries(names.map((name, at) => [name, row[at]])),
      )
      for (const object of objects) await print(`${jsonLine(object)}\n`)
    } else
      await printTable(
        names,
        rows.map((row) => row.map(shown)),
      )
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw databaseFailure(error, 'sql')
  } finally {
    database.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function printTable(
  names: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
): Promise<void> {
  const columns = names.map((title, at) => ({
    title,
    width: rows.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), title.length),
    of: (row: readonly string[]) => row[at] ?? '',
  }))
  const layout = createTable(columns, process.stdout.isTTY ? process.stdout.columns : Infinity)
  await print(`${[layout.head(), ...rows.map((row) => layout.row(row))].join('\n')}\n`)
}

const shown = (cell: unknown): string =>
  typeof cell === 'string' ? cell : cell === null ? '' : jsonLine(cell)

async function makeViews(folder: string, run: (sql: string) => Promise<void>): Promise<void> {
  const has = (name: string) =>
    existsSync(join(folder, name)) && readdirSync(join(folder, name)).length > 0
  if (!has('turns'))
    throw new CommandError({
      what: 'this folder holds no results',
      where: folder,
      do: 'Name the one that `batch --out` filled, with --results',
    })
  for (const name of ['turns', 'flips'])
    if (has(name))
      await run(
        `CREATE VIEW ${name} AS SELECT * FROM read_parquet(${quoted(join(folder, name, '*.parquet'))})`,
      )
}
