/**
 * `npm run attack`: every test that tries to force a door, in one run. `-- --short` runs those of a few seconds, as the
 * gate does; `npm run test:full` runs all.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ATTACKS } from './list.ts'

const ROOT = join(import.meta.dirname, '../..')
const isShort = process.argv.includes('--short')
const chosen = ATTACKS.filter((each) => !isShort || each.isShort)
for (const { door, tests } of chosen) console.log(`${door}: ${tests.length}`)
const tests = chosen.flatMap((each) => each.tests)
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...tests], {
  cwd: ROOT,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
