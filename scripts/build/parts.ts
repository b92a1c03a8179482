import { join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { stampOf } from '../../core/host/automata/stamp.ts'
import {
  type BuildRecord,
  currentInputs,
  keyOf,
  readRecord,
  recordBuild,
  removeRecord,
  writeRecord,
} from './record.ts'

/** [F210] Parts of `dist/` that are built and cached independently. */
export const PARTS = [
  'renderer',
  'cli',
  'desktop',
  'preload',
  'page-window',
  'page-host',
  'page-boot',
  'api',
  'drawing',
  'automata',
  'model',
] as const
export type Part = (typeof PARTS)[number]

/** Names of the parts in progress lines. */
export const LABELS: Readonly<Record<Part, string>> = {
  renderer: 'window',
  cli: 'command line',
  desktop: 'desktop shell',
  preload: 'preload script',
  'page-window': 'window of exported pages',
  'page-host': 'host of exported pages',
  'page-boot': 'loader of exported pages',
  api: 'engine module',
  drawing: 'fonts and renderer of pictures',
  automata: 'automata of shipped signals',
  model: 'sentence model',
}

/** Parts that Vite bundles, with their environment in vite.config.ts. */
const ENVIRONMENTS: Partial<Readonly<Record<Part, string>>> = {
  renderer: 'client',
  cli: 'cli',
  desktop: 'main',
  preload: 'preload',
  'page-window': 'pageApp',
  'page-host': 'pageHost',
  'page-boot': 'pageBoot',
  api: 'api',
}

/** Inputs of a bundle besides its modules. */
const ALWAYS_READ = ['package-lock.json', 'vite.config.ts']
const ALSO_READ: Partial<Readonly<Record<Part, readonly string[]>>> = {
  'page-window': ['scripts/page/assemble.ts'],
}

/** A file whose absence means that a part is not built. Bundles record their own files. */
export const OUTPUTS: Partial<Readonly<Record<Part, readonly string[]>>> = {
  'page-window': ['dist/page/app/app.js', 'dist/page/app/app.css'],
  model: [
    'dist/model/minilm/onnx/model.onnx',
    'scripts/model-packages/node_modules/.installed.json',
  ],
}

/** Parts that contain, or are named by, the fingerprint of the matcher's sources. */
const STAMPED: ReadonlySet<Part> = new Set<Part>(['cli', 'desktop', 'automata'])

export function isBundle(part: Part): boolean {
  return ENVIRONMENTS[part] !== undefined
}

export function environmentOf(part: Part): string | null {
  return ENVIRONMENTS[part] ?? null
}

/** Options of a part that no file holds. */
export function optionsOf(root: string, part: Part): string {
  return STAMPED.has(part) ? stampOf(root) : ''
}

/** bin/launch.cjs reads the record of the command line, next to it. */
export function recordPath(root: string, part: Part): string {
  return join(root, part === 'cli' ? 'dist/cli/inputs.json' : `dist/.parts/${part}.json`)
}

/** The last build of a part and its current inputs; null if the part is not built, or an output is missing. */
function compare(
  root: string,
  part: Part,
  has: (path: string) => boolean,
): { readonly built: BuildRecord; readonly now: BuildRecord } | null {
  const built = readRecord(recordPath(root, part))
  if (built === null || !built.outputs.every((path) => has(join(root, path)))) return null
  return { built, now: { ...currentInputs(root, built), options: optionsOf(root, part) } }
}

/**
 * [F210] The cache key of a part that was built: a hash of its options and of the code that it reads, as it is now. Null
 * if the part was never built.
 */
export function partKey(root: string, part: Part): string | null {
  const found = compare(root, part, () => true)
  return found === null ? null : keyOf(found.now)
}

/** Whether a part has to be built, and whether its record has outdated modification times of unchanged files. */
export function stateOf(
  root: string,
  part: Part,
  has: (path: string) => boolean,
): { readonly isStale: boolean; readonly isTouched: boolean } {
  const found = compare(root, part, has)
  if (found === null) return { isStale: true, isTouched: false }
  const isStale = keyOf(found.built) !== keyOf(found.now)
  const isTouched = JSON.stringify(found.built) !== JSON.stringify(found.now)
  return { isStale, isTouched: !isStale && isTouched }
}

/** Stores the new times of files whose content is unchanged, so that the next comparison does not read them. */
export function refreshRecord(root: string, part: Part): void {
  const path = recordPath(root, part)
  const record = readRecord(path)
  if (record !== null) writeRecord(path, currentInputs(root, record))
}

/** Marks a part as not built until its build ends. */
export function forgetPart(root: string, part: Part): void {
  removeRecord(recordPath(root, part))
}

/**
 * Whether a module of the configuration changes the content of bundles. Modules of `scripts/build` only record it, and
 * modules of `core` only compute the stamp, which is an option.
 */
function isPlugin(root: string, path: string): boolean {
  const own = relative(root, path).replaceAll('\\', '/')
  return own.startsWith('scripts/') && !own.startsWith('scripts/build/')
}

/** Records the inputs of each bundle after all of it is written. A part without a record is not used. */
export function recordBundles(root: string): Plugin {
  const startedAt = new Map<string, number>()
  // As the configuration has them, which is loaded now.
  const options = new Map(PARTS.map((part) => [part, optionsOf(root, part)]))
  return {
    name: 'record-bundles',
    buildStart() {
      startedAt.set(this.environment.name, Date.now())
    },
    writeBundle({ dir = '' }, bundle) {
      const { name, config } = this.environment
      const part = PARTS.find((each) => ENVIRONMENTS[each] === name)
      if (part === undefined) throw new Error(`record-bundles: no part has environment ${name}`)
      const assets = Object.values(bundle).flatMap((output) =>
        output.type === 'asset'
          ? output.originalFileNames.map((path) => join(config.root, path))
          : [],
      )
      const read = [...this.getModuleIds(), ...assets]
      const rest = [
        ...config.configFileDependencies.filter((path) => isPlugin(root, path)),
        ...ALWAYS_READ,
        ...(ALSO_READ[part] ?? []),
      ]
      const outputs = Object.keys(bundle).map((file) => join(dir, file).slice(root.length + 1))
      const record = recordBuild(root, [...read, ...rest], startedAt.get(name) ?? 0, {
        options: options.get(part) ?? '',
        outputs: OUTPUTS[part] ?? outputs,
      })
      writeRecord(recordPath(root, part), record)
    },
  }
}
