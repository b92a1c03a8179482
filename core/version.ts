import { readFileSync } from 'node:fs'

/** Version of package.json. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  // Our own file; npm refuses a package.json without a version.
  return (JSON.parse(text) as { readonly version: string }).version
}
