import { spawn } from 'node:child_process'
import { existsSync } from '../../host/platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { startFirstThread } from '../../host/threads/main/first-thread.ts'
import { jsonLine, notice } from '../../host/platform/terminal.ts'
import { command } from '../kit/command.ts'
import { HOME, THREADS } from '../../place.ts'
import { OTLP_PORT } from '../../wire/otlp-port.ts'
import type { ReceiverStatus } from '../../wire/receiver.ts'
import { type Given, WORKSPACE, flag, hidden, parsePort, parsed, text } from '../kit/options.ts'
import { openWindow } from './open-window.ts'
import { printLinksOnEnter } from './links-on-enter.ts'
import { CommandError, EXIT, print } from '../kit/output.ts'
import { TRUST } from '../trust/trust-option.ts'

const BUILT = join(HOME, 'dist', 'renderer')

/** Commander gives true without it, under the name `open`. */
const NO_OPEN = flag('--no-open', 'print the address, and open no browser')

/** `serve [FILE…]`: the workbench for a browser of this machine, until interrupted. */
export const serve = command({
  name: 'serve',
  summary: 'serve the workbench on 127.0.0.1 and print its address',
  args: [['[file...]', 'transcripts that the window opens']],
  options: {
    port: parsed('--port <n>', 'port, 0 for any free one', parsePort, 0),
    preset: text('--preset <name>', 'preset that windows start with (default: as set there)'),
    json: flag('--json', 'print {"url"} instead of the address'),
    open: NO_OPEN,
    otlp: parsed(
      '--otlp [port]',
      'receive traces and logs by OTLP/HTTP too (4318)',
      parsePort,
    ).preset(String(OTLP_PORT)),
    otlpNoToken: flag('--otlp-no-token', 'receive them from every program of this machine'),
    // Folder of the built window; tests pass their own.
    root: hidden(text('--root <dir>', '', BUILT)),
    ...TRUST,
    ...WORKSPACE,
  },
  run: serveUntilStopped,
})

interface Serving extends Given<typeof OPEN> {
  readonly port: number
  /** Folder of the built screen. */
  readonly root: string
  readonly otlp?: number | undefined
  readonly otlpNoToken?: boolean | undefined
}

async function serveUntilStopped(
  { workspace, port, root, preset, json, trust, open: opens, otlp, otlpNoToken }: Serving,
  files: readonly string[] = [],
): Promise<void> {
  refuseMissing(files)
  refuseUnbuilt(root)
  const firstThread = startFirstThread(THREADS.session)
  // [F131] All that is loaded from here on is loaded beside it.
  const { startServe } = await import('../../serve.ts')
  const served = await startServe({
    workspace,
    port,
    root,
    files,
    firstThread,
    trust: trust === true,
    ...(preset === undefined ? {} : { preset }),
    ...(otlp === undefined ? {} : { receive: { port: otlp, isOpen: otlpNoToken === true } }),
  }).catch((error: unknown) => {
    throw startFailure(error, port)
  })
  if (trust !== true) await sayRestricted(workspace)
  const { url, receiver } = served
  const told = { url, ...(receiver === null ? {} : { otlp: receiver.environment[0]?.lines ?? [] }) }
  await print(`${json === true ? jsonLine(told) : url}\n`)
  notice(
    'serving on 127.0.0.1 until you press Ctrl+C. The link works once, in one browser; its other tabs need no link. Keep it secret',
  )
  if (opens !== false && json !== true) await openWindow(url)
  if (receiver !== null) sayReceiver(receiver)
  const endLinks = printLinksOnEnter(served)
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  endLinks()
  await served.close()
}

/** [F147] Reports the address of the receiver, and what sending programs need. */
function sayReceiver({ url, isOpen, environment }: ReceiverStatus): void {
  const who = isOpen ? 'from every program of this machine' : 'from programs that have the token'
  notice(`receiving traces and logs at ${url} ${who}; what comes is in the window, Live sessions`)
  for (const { of, lines } of environment)
    notice(`${of}:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

const OPEN = {
  preset: text('--preset <name>', 'preset that the window starts with (default: as set there)'),
  json: flag('--json', 'in serve mode: print {"url"} instead of the address'),
  open: NO_OPEN,
  ...TRUST,
  ...WORKSPACE,
}

/** `open FILE…`: the desktop application if it can run, else serve mode. */
export const open = command({
  name: 'open',
  summary: 'open transcripts in the workbench (desktop application or serve mode)',
  args: [['<file...>', 'transcripts']],
  options: OPEN,
  run: async (options, files) => {
    refuseMissing(files)
    const start = join(HOME, 'scripts', 'start.ts')
    // The npm package has no desktop application.
    if (!existsSync(start)) return serveUntilStopped({ ...options, port: 0, root: BUILT }, files)
    const child = spawn(process.execPath, [start, ...files, ...startArguments(options)], {
      stdio: 'inherit',
    })
    process.exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? EXIT.usage))
    })
  },
})

function startArguments({
  workspace,
  preset,
  json,
  trust,
  open: opens,
}: Given<typeof OPEN>): readonly string[] {
  return [
    '--workspace',
    workspace,
    ...(preset === undefined ? [] : ['--preset', preset]),
    ...(json === true ? ['--json'] : []),
    ...(trust === true ? ['--trust'] : []),
    ...(opens === false ? ['--no-open'] : []),
  ]
}

/** [V38] Reports disabled items at the start. */
async function sayRestricted(workspace: string): Promise<void> {
  const { stateOf } = await import('../trust/trusted.ts')
  const { sentenceOf } = await import('../../engine/trust/decide.ts')
  const { standing, items } = await stateOf(workspace)
  if (standing !== 'restricted') return
  const off = items.filter(({ granted }) => !granted).map((item) => sentenceOf(item))
  notice(
    `restricted, because you have not trusted ${workspace}. Off: ${off.join('; ')}. Say so in the window, with turnscope trust, or with --trust for one run`,
  )
}

function refuseMissing(files: readonly string[]): void {
  const file = files.find((each) => !existsSync(each))
  if (file === undefined) return
  throw new CommandError({ what: 'there is no such file', where: file, do: 'Check the path' })
}

function refuseUnbuilt(root: string): void {
  if (existsSync(join(root, 'index.html'))) return
  throw new CommandError({
    what: 'the window is not built',
    where: root,
    do: 'Run `npm run build`, or use `npm start`, which builds it',
  })
}

function startFailure(error: unknown, port: number): unknown {
  if (!(error instanceof Error)) return error
  if ('code' in error && error.code === 'EADDRINUSE') {
    return new CommandError({
      what: 'the port is in use',
      where: `127.0.0.1:${port}`,
      do: 'Choose another with --port, or leave it out for any free one',
    })
  }
  return error
}
