import { createHash } from 'node:crypto'
import { readdirSync } from '../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { codeOf } from '../../../bin/source-code.cjs'
import { readBytesSync } from '../platform/files/regular-file.ts'

const Package = z.object({ devDependencies: z.object({ yaml: z.string(), zod: z.string() }) })

/** Written in by the build: what `stampOf` said of the sources that were bundled. */
declare const WORKED_OUT_STAMP: string | undefined

/**
 * Sources that determine the cached results of domain files and presets: folders and files below the repository root.
 */
const SOURCES = [
  'core/engine/matcher',
  'core/engine/schema',
  'core/host/workspace/domains',
  'core/host/platform/files/parse-file.ts',
] as const
/** Parsers of YAML and of schemas: package.json pins their versions. */
const PARSERS = ['yaml', 'zod'] as const

/**
 * Hash of the code that decides how states are numbered and how a file is read. Comments and layout do not count, so that
 * they do not change what ships (F210).
 */
export function stampOf(root: string): string {
  const hash = createHash('sha256')
  const read = (path: string) => Buffer.from(readBytesSync(join(root, path))).toString('utf8')
  for (const source of SOURCES)
    for (const path of filesOf(root, source)) hash.update(`${path}\0`).update(codeOf(read(path)))
  const { devDependencies } = Package.parse(JSON.parse(read('package.json')))
  for (const name of PARSERS) hash.update(`${name}\0${devDependencies[name]}\0`)
  return hash.digest('hex')
}

function filesOf(root: string, source: string): readonly string[] {
  if (/\.\w+$/u.test(source)) return [source]
  return readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .sort()
    .map((name) => `${source}/${name}`)
}

/** By a name: the bundler takes `new URL(…, import.meta.url)` for files that a page is to carry. */
const HERE = import.meta.url

let known: string | null = null

/** [C14] Names what works things out here, and the tables of characters that it asks. */
export function engineName(): string {
  known ??= `${ownStamp()} unicode ${process.versions['unicode'] ?? 'unknown'}`
  return known
}

function ownStamp(): string {
  if (typeof WORKED_OUT_STAMP === 'string') return WORKED_OUT_STAMP
  return stampOf(fileURLToPath(new URL('../../../', HERE)))
}
