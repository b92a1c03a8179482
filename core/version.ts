import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOME } from './place.ts'

/** Version of package.json. */
export function packageVersion(): string {
  const text = readFileSync(join(HOME, 'package.json'), 'utf8')
  // Our own file; npm refuses a package.json without a version.
  return (JSON.parse(text) as { readonly version: string }).version
}
