import type { Problem } from '../../engine/result.ts'
import { type Database, databaseFailure } from './duckdb.ts'
import type { InputFile } from './inputs.ts'
import { LAYOUT, type Plan } from './plan-schema.ts'
import { askTable } from './plain-lines.ts'
import { ORDER_TYPES, type OrderType, type Table, orderQuery } from './tables.ts'

/**
 * Bytes of input for each part: the amount one thread sorts in memory. With small parts, threads end at about the same
 * time, but many small parts are divided in small row groups. From FEW_PARTS on, parts grow instead.
 */
const SMALL_PART_BYTES = 16 * 1024 * 1024
const PART_BYTES = 32 * 1024 * 1024
const FEW_PARTS = 256
const MOST_PARTS = 1024

interface PlanParts {
  readonly files: readonly InputFile[]
  readonly engine: string
  readonly config: string
  readonly against: string | null
}

/** Looks at the first rows of every table, and decides how the batch is divided. */
export async function makePlan(database: Database, parts: PlanParts): Promise<Plan> {
  const { files, engine, config, against } = parts
  const [version] = await database.rows('SELECT version()')
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return {
    layout: LAYOUT,
    engine,
    duckdb: String(version?.[0]),
    config,
    against,
    files: files.map((file) => ({ ...file })),
    order: await orderOf(database, files),
    parts: partsFor(bytes),
  }
}

/** Number of parts that an input of this many bytes is divided into. */
export function partsFor(bytes: number): number {
  const small = Math.min(FEW_PARTS, Math.ceil(bytes / SMALL_PART_BYTES))
  return Math.min(MOST_PARTS, Math.max(1, small, Math.ceil(bytes / PART_BYTES)))
}

async function orderOf(database: Database, files: readonly InputFile[]): Promise<OrderType> {
  let widest = 0
  for (const file of files) {
    if (file.kind === 'transcript' || file.columns.turn === null) continue
    const { path, kind, columns } = file
    const type = await orderOfTable(database, { path, kind, columns })
    widest = Math.max(widest, ORDER_TYPES.indexOf(type))
  }
  return ORDER_TYPES[widest] ?? 'VARCHAR'
}

async function orderOfTable(database: Database, table: Table): Promise<OrderType> {
  try {
    const [fits = []] = await askTable(table, (path) =>
      database.rows(orderQuery({ ...table, path })),
    )
    return ORDER_TYPES.find((_, at) => fits[at] === true) ?? 'VARCHAR'
  } catch (error) {
    throw databaseFailure(error, table.path)
  }
}

/** The sentence for a folder that holds another batch. */
export function otherBatch(folder: string): Problem {
  return {
    what: 'this folder holds the results of another batch: other files, another configuration or version',
    where: folder,
    do: 'Choose another --out, or delete the folder',
  }
}
