import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Marks the fuses in every Electron executable; `@electron/fuses` and electron-builder look for it. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** Fuses of a fresh Electron 45, in wire order, `1` on and `0` off. */
const FRESH_WIRE = '101100011'

/**
 * Creates a folder that electron-builder accepts in place of Electron's own distribution: an executable with the fuses
 * and no code that could run. Packages built on it are no applications.
 */
export function writeStubDistribution(folder: string): void {
  for (const part of ['locales', 'resources']) mkdirSync(join(folder, part), { recursive: true })
  const wire = Buffer.concat([
    Buffer.from(SENTINEL),
    Buffer.from([1, FRESH_WIRE.length]),
    Buffer.from(FRESH_WIRE),
  ])
  const executable = join(folder, 'electron')
  writeFileSync(executable, Buffer.concat([Buffer.alloc(4096), wire, Buffer.alloc(4096)]))
  chmodSync(executable, 0o755)
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak', 'version']) {
    writeFileSync(join(folder, name), 'stub')
  }
}
