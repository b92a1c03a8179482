/**
 * `npm start [-- FILE]`: builds what is missing, opens the desktop window, or says in one line why it
 * serves instead. `--serve` serves at once; `--port N` picks the port; `--workspace DIR` and
 * `--preset P` and `--trust` are what they are on the command line, `--json` prints the address as JSON.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { keepCompiled, load } from '../bin/launch.cjs'
import { buildIfStale, ROOT } from './build.ts'
import { findElectron } from './electron-binary.ts'
import { writeText } from '../core/host/shared/terminal.ts'

const USAGE =
  'usage: npm start -- [FILE…] [--serve] [--port N] [--workspace DIR] [--preset P] [--trust] [--json]'
/** An Electron that ends with an error within this time (ms) did not start. */
const START_MS = 5_000

interface Options {
  readonly files: readonly string[]
  readonly serve: boolean
  readonly port: number
  readonly workspace: string
  readonly preset: string | null
  readonly json: boolean
  readonly trust: boolean
}

function readOptions(args: readonly string[]): Options | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        serve: { type: 'boolean', default: false },
        port: { type: 'string' },
        workspace: { type: 'string', default: ROOT },
        preset: { type: 'string' },
        json: { type: 'boolean', default: false },
        trust: { type: 'boolean', default: false },
      },
    })
    const port = Number(values.port ?? 0)
    if (!Number.isInteger(port) || port < 0 || port > 65_535) return `--port: not a port. ${USAGE}`
    const missing = positionals.find((file) => !existsSync(file))
    if (missing !== undefined) return `${missing}: there is no such file. ${USAGE}`
    return {
      files: positionals.map((file) => resolve(file)),
      serve: values.serve,
      port,
      workspace: resolve(values.workspace),
      preset: values.preset ?? null,
      json: values.json,
      trust: values.trust,
    }
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}. ${USAGE}`
  }
}

/** Runs the desktop shell until it ends: its exit code, or null when it could not start. */
function runDesktop(binary: string, options: Options): Promise<number | null> {
  const startedAt = performance.now()
  const args = [ROOT, ...options.files]
  const env = {
    ...process.env,
    TURNSCOPE_WORKSPACE: options.workspace,
    ...(options.preset === null ? {} : { TURNSCOPE_PRESET: options.preset }),
    // Always set: one of the surroundings must not count.
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
  const { printLinksOnEnter } = await import('../core/cli/links-on-enter.ts')
  const endLinks = printLinksOnEnter(served)
  const stop = () => {
    endLinks()
    process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM')
    void served.close().finally(() => process.exit(0))
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}

function say(line: string): void {
  writeText('stdout', `${line}\n`)
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (typeof options === 'string') {
    writeText('stderr', `${options}\n`)
    process.exitCode = 2
    return
  }
  const built = buildIfStale()
  if (!built.ok) {
    writeText(
      'stderr',
      `${stripVTControlCharacters(built.log)}\nThe build failed; what is above says where.\n`,
    )
    process.exitCode = 1
    return
  }
  if (!options.serve) {
    const electron = await findElectron(say)
    const code = electron.ok ? await runDesktop(electron.value, options) : null
    if (code !== null) {
      process.exitCode = code
      return
    }
    const why = electron.ok ? 'it ended at once' : electron.error
    const line = `Electron cannot open a window here: ${why}. Serving to your browser instead:`
    if (options.json) writeText('stderr', `${line}\n`)
    else say(line)
  }
  await serveUntilStopped(options)
}

try {
  await main()
} catch (error) {
  writeText('stderr', `${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
