/**
 * `npm run package`: installers for the system that it runs on, in `out/`. Where TURNSCOPE_UPDATE_URL names a feed of
 * plain files, the package looks for updates there (F182), and the feed's list of versions is written beside it;
 * nothing is published from here.
 */
import { spawnSync } from 'node:child_process'
import { formatProblem } from '../core/engine/result.ts'
import { ROOT, buildIfStale } from './build.ts'
import { systemsOf } from './model-files.ts'
import { installPackages, toolPath } from './packages.ts'

const built = buildIfStale()
if (!built.ok) {
  process.stderr.write(`the build failed\n${built.log}\n`)
  process.exit(1)
}
const args = process.argv.slice(2)
for (const installed of [installPackages('tool'), installPackages('model', systemsOf(args))]) {
  if (installed.ok) continue
  process.stderr.write(`${formatProblem(installed.error)}\n`)
  process.exit(1)
}
const { status } = spawnSync(
  process.execPath,
  [
    toolPath('electron-builder/cli.js'),
    // Files are uploaded to the address manually, see docs/release.md.
    '--publish',
    'never',
    ...feedArguments(process.env['TURNSCOPE_UPDATE_URL']),
    ...args,
  ],
  { stdio: 'inherit', cwd: ROOT },
)
process.exit(status ?? 1)

function feedArguments(address: string | undefined): readonly string[] {
  if (address === undefined || address === '') return []
  if (URL.canParse(address) && new URL(address).protocol === 'https:')
    return ['-c.publish.provider=generic', `-c.publish.url=${address}`]
  process.stderr.write(`TURNSCOPE_UPDATE_URL has to be an address that begins with https://\n`)
  process.exit(2)
}
