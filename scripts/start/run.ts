import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { keepCompiled, load } from '../../bin/launch.cjs'
import { writeText } from '../../core/host/platform/terminal.ts'
import { buildParts, ROOT, staleParts } from '../build.ts'
import type { Part } from '../build/parts.ts'
import { findElectron } from '../electron-binary.ts'
import type { Options } from '../start.ts'
import { buildRest, type RestBuild } from './rest.ts'
import { showProgress } from './progress.ts'

/** An Electron that ends with an error within this time (ms) did not start. */
const START_MS = 5_000

/** The only part that serve mode needs: the host runs from the sources until the command line is built. */
const FOR_SERVE: readonly Part[] = ['renderer']
const FOR_DESKTOP: readonly Part[] = ['desktop', 'preload']

/** Builds the required parts first, then opens the desktop app or serves. Sets the exit code. */
export async function run(options: Options): Promise<void> {
  if (!(await buildFirst(FOR_SERVE))) return
  if (!options.serve) {
    const why = await openDesktop(options)
    if (why === null) return
    const line = `Electron cannot open a window here: ${why}. Serving to your browser instead:`
    if (options.json) writeText('stderr', `${line}\n`)
    else say(line)
  }
  await serveUntilStopped(options)
}

/** Returns false if a build failed, which has been reported then. */
async function buildFirst(parts: readonly Part[]): Promise<boolean> {
  const stale = staleParts(parts)
  if (stale.length === 0) return true
  const progress = showProgress(stale)
  const built = await buildParts(parts, progress.update)
  progress.end()
  if (built.ok) return true
  const log = stripVTControlCharacters(built.log)
  writeText('stderr', `${log}\nThe build failed. The message above names the file.\n`)
  process.exitCode = 1
  return false
}

/** Null if the desktop app ran, or its build failed; else why it cannot open a window. */
async function openDesktop(options: Options): Promise<string | null> {
  const electron = await findElectron(say)
  if (!electron.ok) return electron.error
  if (!(await buildFirst(FOR_DESKTOP))) return null
  const rest = buildRest()
  const code = await runDesktop(electron.value, options)
  rest.stop()
  if (code === null) return 'it ended at once'
  process.exitCode = code
  return null
}

/** Runs the desktop shell until it ends: its exit code, or null when it could not start. */
function runDesktop(binary: string, options: Options): Promise<number | null> {
  const startedAt = performance.now()
  const args = [ROOT, ...options.files]
  const env = {
    ...process.env,
    TURNSCOPE_WORKSPACE: options.workspace,
    ...(options.preset === null ? {} : { TURNSCOPE_PRESET: options.preset }),
    // Always set: a value inherited from the environment must not count.
    TURNSCOPE_TRUST: options.trust ? '1' : '',
  }
  const child = spawn(binary, args, { stdio: 'inherit', env })
  return new Promise((settle) => {
    child.once('error', () => settle(null))
    child.once('exit', (code) => {
      const failedAtOnce = code !== 0 && performance.now() - startedAt < START_MS
      settle(failedAtOnce ? null : (code ?? 1))
    })
  })
}

async function serveUntilStopped(options: Options): Promise<void> {
  keepCompiled()
  const { startServe } = await load('serve')
  const served = await startServe({
    workspace: options.workspace,
    root: join(ROOT, 'dist/renderer'),
    port: options.port,
    trust: options.trust,
    files: options.files,
    ...(options.preset === null ? {} : { preset: options.preset }),
  })
  say(options.json ? JSON.stringify({ url: served.url }) : served.url)
  if (options.open) {
    const { openWindow } = await import('../../core/cli/serve/open-window.ts')
    await openWindow(served.url)
  }
  const { printLinksOnEnter } = await import('../../core/cli/serve/links-on-enter.ts')
  const endLinks = printLinksOnEnter(served)
  const rest: RestBuild = buildRest()
  const stop = () => {
    endLinks()
    rest.stop()
    process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM')
    void served.close().finally(() => process.exit(0))
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}

function say(line: string): void {
  writeText('stdout', `${line}\n`)
}
