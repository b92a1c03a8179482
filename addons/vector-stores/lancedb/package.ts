import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The part of @lancedb/lancedb that is used here: the package is large and native, so it is not ours to bring. */
export interface Lance {
  readonly connect: (
    uri: string,
    options: { readonly readConsistencyInterval: number },
  ) => Promise<LanceConnection>
  readonly makeArrowTable: (
    rows: ReadonlyArray<Readonly<Record<string, unknown>>>,
    options: { readonly schema: unknown },
  ) => unknown
}

interface LanceConnection {
  tableNames(options: { readonly limit: number }): Promise<string[]>
  openTable(name: string): Promise<LanceTable>
  createEmptyTable(name: string, schema: unknown): Promise<LanceTable>
  dropTable(name: string): Promise<void>
  close(): void
}

export interface LanceTable {
  schema(): Promise<{ readonly metadata: ReadonlyMap<string, string> }>
  version(): Promise<number>
  countRows(filter?: string): Promise<number>
  delete(filter: string): Promise<unknown>
  mergeInsert(on: readonly string[]): LanceMerge
  query(): LanceQuery
  optimize(): Promise<unknown>
  close(): void
}

interface LanceMerge {
  whenMatchedUpdateAll(): LanceMerge
  whenNotMatchedInsertAll(): LanceMerge
  execute(data: unknown): Promise<unknown>
}

interface LanceQuery {
  select(columns: readonly string[]): LanceQuery
  where(filter: string): LanceQuery
  limit(most: number): LanceQuery
  nearestTo(vector: Float32Array): LanceQuery
  column(name: string): LanceQuery
  distanceType(type: 'cosine'): LanceQuery
  toArray(): Promise<unknown[]>
}

/** The part of apache-arrow, which comes with it, that describes a table. */
export interface Arrow {
  readonly Schema: new (fields: readonly object[], metadata: Map<string, string>) => object
  readonly Field: new (name: string, type: object, nullable: boolean) => object
  readonly Utf8: new () => object
  readonly Int32: new () => object
  readonly Float32: new () => object
  readonly List: new (item: object) => object
  readonly FixedSizeList: new (size: number, item: object) => object
}

const NAME = '@lancedb/lancedb'

/**
 * Finds the package from one of these folders on, upwards, as Node looks for packages. Null where it is
 * nowhere. Throws where it is there and cannot be loaded.
 */
export function loadLance(
  folders: readonly string[],
): { readonly lance: Lance; readonly arrow: Arrow } | null {
  for (const folder of folders) {
    const require = createRequire(join(folder, 'package.json'))
    let path: string
    try {
      path = require.resolve(NAME)
    } catch {
      continue
    }
    // What is used of them is declared above; the conformance suite holds it to the real package.
    const lance = require(path) as Lance
    const arrow = createRequire(path)('apache-arrow') as Arrow
    return { lance, arrow }
  }
  return null
}
