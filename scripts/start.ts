/**
 * `npm start [-- FILE]`: builds the window if it is stale, opens the desktop app, or says in one line why it serves
 * instead. The other parts are built in the background (F211). `--serve` serves without trying the desktop app; `--port N`
 * picks the port; `--workspace DIR`, `--preset P` and `--trust` are as on the command line; `--json` prints the address as
 * JSON. A served window opens in the browser, unless `--no-open` or `--json` is given. Progress goes to standard error.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sayFirst, sayProblem } from './say-early.ts'

// Nothing heavy is imported above the first line of output: a fresh clone has not compiled anything yet.

const USAGE =
  'usage: npm start -- [FILE…] [--serve] [--port N] [--workspace DIR] [--preset P] [--trust] [--json] [--no-open]'

export interface Options {
  readonly files: readonly string[]
  readonly serve: boolean
  readonly port: number
  readonly workspace: string
  readonly preset: string | null
  readonly json: boolean
  readonly trust: boolean
  /** Whether a served window opens in the browser. */
  readonly open: boolean
}

function readOptions(args: readonly string[]): Options | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        serve: { type: 'boolean', default: false },
        port: { type: 'string' },
        workspace: { type: 'string', default: resolve(import.meta.dirname, '..') },
        preset: { type: 'string' },
        json: { type: 'boolean', default: false },
        trust: { type: 'boolean', default: false },
        'no-open': { type: 'boolean', default: false },
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
      open: !values['no-open'] && !values.json,
    }
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}. ${USAGE}`
  }
}

const options = readOptions(process.argv.slice(2))
if (typeof options === 'string') {
  await sayProblem(options)
  process.exitCode = 2
} else {
  sayFirst()
  try {
    const { run } = await import('./start/run.ts')
    await run(options)
  } catch (error) {
    await sayProblem(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
