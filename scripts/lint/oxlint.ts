import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../build.ts'

const PACKAGES = join(ROOT, 'node_modules')

interface How {
  /** Folder whose files are looked at, by the `.oxlintrc.json` in it. */
  readonly cwd: string
  /** Whether its lines go where those of this process go; else they are in the answer. */
  readonly isShown: boolean
}

/** Runs this repository's linter, with its program for types, independent of the search path. */
export function runOxlint(
  args: readonly string[],
  { cwd, isShown }: How,
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [join(PACKAGES, 'oxlint/bin/oxlint'), ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: isShown ? ['ignore', 'inherit', 'inherit'] : 'pipe',
    env: {
      ...process.env,
      // One thread, as another stage of the gate runs beside it; it takes half the memory, too.
      GOMAXPROCS: '1',
      OXLINT_TSGOLINT_PATH: join(PACKAGES, 'oxlint-tsgolint/bin/tsgolint.js'),
    },
  })
}
