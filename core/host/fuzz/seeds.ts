import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

// For tests and `npm run fuzz` only.

const ROOT = join(import.meta.dirname, '../../../fixtures/import')
const ARCHIVE = /\.(eval|zip)$/

/** A fixture that mutations start from. */
export interface Seed {
  readonly family: string
  readonly name: string
  readonly bytes: Buffer
}

/** All fixtures of all formats, or of one. A folder of `fixtures/import` is a family. */
export function seedsOf(family?: string): readonly Seed[] {
  return families()
    .filter((name) => family === undefined || name === family)
    .flatMap((name) => seedsIn(name))
}

/** Names of the formats that have fixtures. */
export function families(): readonly string[] {
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'goldens')
    .map((entry) => entry.name)
    .toSorted()
}

function seedsIn(family: string): readonly Seed[] {
  return readdirSync(join(ROOT, family), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => ({ family, name: path.slice(ROOT.length + 1), bytes: readFileSync(path) }))
}

/** Whether a seed is an archive: its bytes are packed, so only mutations of bytes mean anything. */
export function isPacked(seed: Seed): boolean {
  return ARCHIVE.test(seed.name)
}
