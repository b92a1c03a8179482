import { existsSync, lstatSync, rmSync } from '../../host/platform/files/fenced-fs.ts'
import { processFolder } from '../../host/platform/files/process-folder.ts'
import { dirname, resolve } from 'node:path'
import process from 'node:process'
import { MAY_LACK_ROWS } from '../../engine/schema/results.ts'
import { type Database, databaseFailure, openDatabase, quoted } from '../../host/batch/duckdb.ts'
import { foldersOf } from '../../host/batch/folders.ts'
import { mayLackRows, readManifest } from '../../host/batch/manifest-schema.ts'
import { folderOfResults, partsOf } from '../../host/results/folder-files.ts'
import { literalPaths } from '../../host/results/literal-folder.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { JSON_LINE, type Given, collect, flag, parsed, text } from '../kit/options.ts'
import { CommandError, print } from '../kit/output.ts'
import { createTable } from '../kit/table.ts'
import { checkReads } from './only-reads.ts'

const OPTIONS = {
  results: text('--results <folder>', 'what `batch` wrote', '.'),
  input: parsed(
    '--input <file>',
    'another file that the statement may read (several times)',
    collect,
  ),
  unsafeSql: flag(
    '--unsafe-sql',
    'let the statement read and write any file, load extensions and reach the network',
  ),
  ...JSON_LINE,
}

/** [F118] `sql QUERY`: DuckDB's own SQL over the results of a batch, as views `turns` and `flips`. */
export const sql = command({
  name: 'sql',
  summary: 'ask the results of a batch in SQL',
  args: [['<query>', 'for example: SELECT "primary", count(*) FROM turns GROUP BY ALL']],
  options: OPTIONS,
  run: runSql,
})

async function runSql(given: Given<typeof OPTIONS>, query: string): Promise<void> {
  const folder = folderOfResults(resolve(given.results))
  const scratch = processFolder('turnscope-sql')
  try {
    const database = await openDatabase({ threads: 2, memoryMb: 800, scratch })
    try {
      await makeViews(folder, scratch, database.run)
      const manifest = await readManifest(foldersOf(folder))
      if (manifest !== null && mayLackRows(manifest)) notice(`${given.results}: ${MAY_LACK_ROWS}`)
      const isLocked = given.unsafeSql !== true
      if (isLocked) await lock(database, [folder, scratch], (given.input ?? []).map(regularFile))
      await printRows(await ask(database, query, isLocked), given.json === true)
    } finally {
      database.close()
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** A file that was named; a link may lead anywhere. */
function regularFile(path: string): string {
  const own = resolve(path)
  if (existsSync(own) && lstatSync(own).isFile()) return own
  throw new CommandError({
    what: 'this is no regular file',
    where: path,
    do: 'Name the file itself',
  })
}

/** [F220] From here on, statements read these folders and files, load no extensions, and cannot change that. */
async function lock({ run }: Database, folders: readonly string[], files: readonly string[]) {
  const list = (paths: readonly string[]) => `[${paths.map(quoted).join(', ')}]`
  await run(`SET allowed_directories = ${list(folders)}`)
  if (files.length > 0) await run(`SET allowed_paths = ${list(files)}`)
  await run('SET autoload_known_extensions = false')
  await run('SET allow_community_extensions = false')
  await run('SET enable_external_access = false')
  await run('SET lock_configuration = true')
}

/**
 * [F221] The answer of a statement. Ctrl+C stops the statement.
 * @param isLocked what is allowed to be read could be written too, so the statement must only read
 */
async function ask(database: Database, query: string, isLocked: boolean) {
  const { connection } = database
  const stop = new AbortController()
  const interrupt = () => {
    stop.abort()
    connection.interrupt()
  }
  process.once('SIGINT', interrupt)
  try {
    if (isLocked) await checkReads(database, query)
    return await connection.runAndReadAll(query)
  } catch (error) {
    if (error instanceof CommandError) throw error
    if (stop.signal.aborted)
      throw new CommandError({
        what: 'the statement was stopped',
        where: 'sql',
        do: 'Start it again',
      })
    throw databaseFailure(error, 'sql', 'Correct the statement')
  } finally {
    process.off('SIGINT', interrupt)
  }
}

async function printRows(reader: Awaited<ReturnType<typeof ask>>, isJson: boolean): Promise<void> {
  const names = reader.columnNames()
  const rows = reader.getRowsJson()
  if (!isJson) {
    await printTable(
      names,
      rows.map((row) => row.map(shown)),
    )
    return
  }
  const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])))
  for (const object of objects) await print(`${jsonLine(object)}\n`)
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

/** [F219] Views over the parts of a results folder, whose path is taken as it is. */
async function makeViews(
  folder: string,
  scratch: string,
  run: (sql: string) => Promise<void>,
): Promise<void> {
  const folders = foldersOf(folder)
  const parts = {
    turns: await partsOf(dirname(folders.turns(0))),
    flips: await partsOf(dirname(folders.flips(0))),
  }
  if (parts.turns.length === 0)
    throw new CommandError({
      what: 'this folder holds no results',
      where: folder,
      do: 'Name the one that `batch --out` filled, with --results',
    })
  for (const [name, files] of Object.entries(parts)) {
    if (files.length === 0) continue
    const list = literalPaths(files, scratch).map(quoted).join(', ')
    try {
      await run(`CREATE VIEW ${name} AS SELECT * FROM read_parquet([${list}])`)
    } catch (error) {
      throw databaseFailure(error, folder)
    }
  }
}
