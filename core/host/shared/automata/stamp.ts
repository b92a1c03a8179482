import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readBytesSync } from '../../files/regular-file.ts'

/** Written in by the build: what `stampOf` said of the sources that were bundled. */
declare const MATCHER_STAMP: string | undefined

/** Folder of the matcher's sources, as seen from the root of the repository. */
export const MATCHER_FOLDER = 'core/engine/matcher'

/** One hash over all sources of the matcher: another matcher may number states and sets otherwise. */
export function stampOf(folder: string): string {
  const hash = createHash('sha256')
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  for (const name of names.filter((each) => !each.includes('.test.')).sort())
    hash.update(`${name}\0`).update(readBytesSync(join(folder, name)))
  return hash.digest('hex')
}

/** By a name: the bundler takes `new URL(…, import.meta.url)` for files that a page is to carry. */
const HERE = import.meta.url

let known: string | null = null

/** [C14] Names the matcher that runs here, and the tables of characters that it asks. */
export function engineName(): string {
  known ??= `${matcherStamp()} unicode ${process.versions['unicode'] ?? 'unknown'}`
  return known
}

function matcherStamp(): string {
  if (typeof MATCHER_STAMP === 'string') return MATCHER_STAMP
  return stampOf(fileURLToPath(new URL(`../../../../${MATCHER_FOLDER}`, HERE)))
}
