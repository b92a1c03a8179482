import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
 * [D60] Folders whose `node_modules` may hold the package: the one named by the operator, then the application's.
 * Node's own search walks up the parent folders, so the owner of any of them decides which code runs. Only these
 * folders are searched, never a workspace or the working directory.
 */
function foldersOf(named: string | undefined): readonly string[] {
  const application = applicationFolder(dirname(fileURLToPath(import.meta.url)))
  // If the application is installed as a package, the same account installed its neighbors.
  const around = dirname(application)
  const beside = basename(around) === 'node_modules' ? [dirname(around)] : []
  return [...(named === undefined ? [] : [named]), application, ...beside]
}

function applicationFolder(from: string): string {
  const above = dirname(from)
  return above === from || existsSync(join(from, 'package.json')) ? from : applicationFolder(above)
}

/**
 * Loads the package. Null if none of the folders has it. Throws if it exists and cannot be loaded.
 * @param named absolute path of a folder named by the operator
 */
export function loadLance(
  named: string | undefined,
): { readonly lance: Lance; readonly arrow: Arrow } | null {
  const paths = foldersOf(named).map((folder) => join(folder, 'node_modules', NAME))
  const path = paths.find((each) => existsSync(join(each, 'package.json')))
  if (path === undefined) return null
  const packages = createRequire(join(path, 'package.json'))
  // The members used are declared above. The conformance suite checks them against the real package.
  const lance = packages(path) as Lance
  const arrow = packages('apache-arrow') as Arrow
  return { lance, arrow }
}
