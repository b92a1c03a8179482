import { existsSync, rmSync } from '../platform/files/fenced-fs.ts'
import { processFolder } from '../platform/files/process-folder.ts'
import { basename, join } from 'node:path'
import type { DuckDBValue } from '@duckdb/node-api'
import type { ResultsAbout } from '../../engine/schema/results.ts'
import { type Database, databaseFailure, named, openDatabase, quoted } from '../batch/duckdb.ts'
import { mayLackRows } from '../batch/manifest-schema.ts'
import { LAYOUT } from '../batch/plan-schema.ts'
import { FLIP_COLUMNS, TURN_COLUMNS } from '../batch/part-tables.ts'
import { createQueue } from '../platform/threads/shared-work.ts'
import { type ResultFiles, resultFiles } from './folder-files.ts'
import { literalPaths } from './literal-folder.ts'

/** Values of the question marks of a statement. */
export type Values = readonly string[]
type Rows = ReadonlyArray<readonly DuckDBValue[]>

/** The results of a batch, ready to be asked. */
export interface Results {
  readonly files: ResultFiles
  readonly about: ResultsAbout
  /** Asks the views `turns` and `flips`, and the table `edited`, one question after the other. */
  readonly ask: (sql: string, values?: Values, signal?: AbortSignal) => Promise<Rows>
  /** For edits, one after another: a separate connection that no query interrupts. */
  readonly editor: Pick<Results, 'ask'> & {
    readonly database: Database
    readonly inTurn: ReturnType<typeof createQueue>
  }
  /** A folder for temporary files. */
  readonly scratch: string
  /** Flips there are: of the other configuration, and the number of the edit that was tried last; 0: none was. */
  readonly has: { readonly against: boolean; edit: number }
  readonly close: () => void
}

const MEMORY_MB = 600
const THREADS = 2
/** Files that are listed; a batch may have read many thousands. */
const FILES_LISTED = 500

/**
 * Maps a result to the columns that this version writes, even if the folder comes from elsewhere. A missing column is
 * reported.
 */
function viewOf(
  name: string,
  columns: ReadonlyArray<{ readonly name: string; readonly type: string }>,
  files: readonly string[],
): string {
  const cells = columns.map(
    (column) => `${named(column.name)}::${column.type} AS ${named(column.name)}`,
  )
  return `CREATE VIEW ${name} AS SELECT ${cells.join(', ')} FROM read_parquet([${files.map(quoted).join(', ')}])`
}

/** [F145] Flips of an edit: the columns of flips. */
const EDITED = `CREATE OR REPLACE TABLE edited (${FLIP_COLUMNS.map(({ name, type }) => `${named(name)} ${type}`).join(', ')})`

/**
 * [F140] Opens a folder of results. [F143] The database may read only files of this folder, because their content is
 * untrusted.
 */
export async function openResults(path: string): Promise<Results> {
  const files = await resultFiles(path)
  const scratch = processFolder('turnscope-results')
  const database = await openDatabase({ threads: THREADS, memoryMb: MEMORY_MB, scratch })
  const second = await database.sibling()
  const close = (): void => {
    second.close()
    database.close()
    rmSync(scratch, { recursive: true, force: true })
  }
  try {
    await database.run(
      `SET allowed_directories = [${[files.folder, scratch].map(quoted).join(', ')}]`,
    )
    await database.run('SET enable_external_access = false')
    await database.run(viewOf('turns', TURN_COLUMNS, literalPaths(files.turns, scratch)))
    if (files.flips.length > 0)
      await database.run(viewOf('flips', FLIP_COLUMNS, literalPaths(files.flips, scratch)))
    await database.run(EDITED)
    const ask = createAsk(database, files.folder)
    const has = { against: files.flips.length > 0, edit: 0 }
    const inTurn = createQueue()
    const editor = { database: second, ask: createAsk(second, files.folder), inTurn }
    return { files, ask, editor, scratch, has, close, about: await aboutOf(files, ask) }
  } catch (error) {
    close()
    throw databaseFailure(error, files.folder)
  }
}

/** Statements of one connection run one after the other. A statement is stopped when its caller no longer waits. */
function createAsk({ connection }: Database, where: string): Results['ask'] {
  const inTurn = createQueue()
  return (sql, values = [], signal) =>
    inTurn(async (): Promise<Rows> => {
      signal?.throwIfAborted()
      const stop = (): void => connection.interrupt()
      signal?.addEventListener('abort', stop, { once: true })
      try {
        return (await connection.runAndReadAll(sql, [...values])).getRows()
      } catch (error) {
        signal?.throwIfAborted()
        throw databaseFailure(error, where)
      } finally {
        signal?.removeEventListener('abort', stop)
      }
    })
}

async function aboutOf(
  { folder, manifest, flips }: ResultFiles,
  ask: Results['ask'],
): Promise<ResultsAbout> {
  const { plan, sessions, rows, unusable, turns, cutOffs } = manifest
  const counts = await ask(
    `SELECT file, count(*)::DOUBLE AS turns FROM turns GROUP BY file ORDER BY turns DESC, file LIMIT ${FILES_LISTED}`,
  )
  const kinds = new Map(plan.files.map(({ path, kind }) => [path, kind]))
  return {
    path: folder,
    name: basename(folder),
    sessions,
    rows,
    unusable,
    turns,
    cutOffs,
    engine: plan.engine,
    config: plan.config,
    against: plan.against,
    flips: flips.length > 0 ? manifest.flips : null,
    files: counts.map(([file, count]) => ({
      path: String(file),
      kind: kinds.get(String(file)) ?? 'transcript',
      turns: Number(count),
    })),
    otherFiles: Math.max(0, plan.files.length - counts.length),
    mayLackRows: mayLackRows(manifest),
    editable:
      plan.layout === LAYOUT &&
      existsSync(join(folder, 'config.json')) &&
      existsSync(join(folder, 'matches')),
  }
}
