/** `node scripts/prepare.ts packages|build|browser`: one preparation of the gate, as a separate process. */
import { ensureBrowser } from './browser.ts'
import { buildIfStale } from './build.ts'
import { formatProblem } from '../core/engine/result.ts'
import { installPackages } from './packages.ts'

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** [F128] Packages that tests and the packager load and `npm ci` does not install. */
function packages(): boolean {
  const installed = installPackages('tool')
  if (!installed.ok) say(formatProblem(installed.error))
  else say(installed.value ? 'installed' : 'scripts/tool-packages is current')
  return installed.ok
}

function build(): boolean {
  const built = buildIfStale()
  if (!built.ok) say(built.log)
  else say(built.isNew ? 'built' : 'dist/ is current')
  return built.ok
}

function browser(): boolean {
  say(`using ${ensureBrowser(say)}`)
  return true
}

const PREPARATIONS: Readonly<Record<string, () => boolean>> = { packages, build, browser }
const prepare = PREPARATIONS[process.argv[2] ?? '']
if (prepare === undefined) throw new Error(`one of ${Object.keys(PREPARATIONS).join(', ')}`)
process.exitCode = prepare() ? 0 : 1
