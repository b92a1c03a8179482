/** Which modules and tests depend on changed files: the graph of relative imports, and a table for data files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { ROOT } from './build.ts'

const FOLDERS = [
  'addons',
  'bench',
  'core',
  'e2e',
  'electron',
  'examples',
  'fixtures',
  'page',
  'renderer',
  'scripts',
]
const MODULE = /\.(?:tsx?|mjs|cjs)$/u
const TEST = /\.test\.tsx?$/u
/** Relative paths in imports, dynamic imports and `new URL(…, import.meta.url)`. */
const RELATIVE = /['"`](\.\.?\/[^'"`\n$]+)['"`]/gu

/** Modules that read data files whose paths are not written out in an import. They count as changed with the data. */
const READERS: ReadonlyArray<readonly [data: RegExp, readers: readonly string[]]> = [
  [/^fixtures\/vectors\//u, ['fixtures/load.ts']],
  [
    /^fixtures\/import\//u,
    ['fixtures/fuzz/seeds.ts', 'core/host/transcripts/read-transcript.test.ts'],
  ],
  [/^profiles\//u, ['fixtures/load.ts', 'fixtures/workspace.ts']],
  [/^schemas\//u, ['scripts/schemas.test.ts']],
  [/^core\/SPEC\.md$/u, ['scripts/spec-rules.test.ts']],
  [/^core\/.*\.ts$/u, ['scripts/spec-rules.test.ts', 'scripts/source-rules.test.ts']],
  [/^(?:addons|electron|page|renderer)\/.*\.tsx?$/u, ['scripts/source-rules.test.ts']],
  [/\.css$/u, ['scripts/style-rules.test.ts']],
  [/\.md$/u, ['scripts/docs.test.ts']],
  [/^\.github\//u, ['scripts/release/workflows.test.ts']],
  [/^\.oxlintrc\.json$/u, ['scripts/lint/rules.test.ts']],
  [/^package(?:-lock)?\.json$/u, ['scripts/lock-file.test.ts', 'scripts/packages.test.ts']],
]

export interface Graph {
  /** All modules, as paths from the root. */
  readonly modules: readonly string[]
  /** Modules by the files they name. */
  readonly importers: ReadonlyMap<string, readonly string[]>
}

/** Reads all modules of the repository and the relative paths in them. Takes about a second. */
export function readGraph(): Graph {
  const modules = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .filter((name) => MODULE.test(name) && !name.includes('node_modules/')),
  )
  return graphOf(modules.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]))
}

export function graphOf(files: ReadonlyArray<readonly [name: string, text: string]>): Graph {
  const importers = new Map<string, string[]>()
  for (const [name, text] of files)
    for (const [, path = ''] of text.matchAll(RELATIVE)) {
      const target = posix.join(dirname(name), path)
      const known = importers.get(target)
      if (known === undefined) importers.set(target, [name])
      else known.push(name)
    }
  return { modules: files.map(([name]) => name), importers }
}

/** Files that depend on the changed ones, with the number of imports between; the changed ones have 0. */
export function dependents(
  { importers }: Graph,
  changed: readonly string[],
): ReadonlyMap<string, number> {
  const distance = new Map(changed.map((name) => [name, 0]))
  for (const name of changed)
    for (const [data, readers] of READERS)
      if (data.test(name))
        for (const reader of readers) if (!distance.has(reader)) distance.set(reader, 1)
  // A map yields the entries that are added while it is walked.
  for (const [name, far] of distance)
    for (const importer of importers.get(name) ?? [])
      if (!distance.has(importer)) distance.set(importer, far + 1)
  return distance
}

/** Existing unit tests among the dependents, nearest first. */
export function testsAmong(distance: ReadonlyMap<string, number>): readonly string[] {
  return [...distance]
    .filter(([name]) => TEST.test(name) && existsSync(join(ROOT, name)))
    .sort(([a, near], [b, far]) => near - far || (a < b ? -1 : 1))
    .map(([name]) => name)
}
