import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { startServe } from '../serve.ts'
import { HOME, parsePort, withWorkspace } from './options.ts'
import { CommandError, EXIT, notice, print } from './output.ts'

interface ServeOptions {
  readonly workspace: string
  readonly port: number
  readonly root: string
  readonly preset?: string
  readonly json?: boolean
}

/** `serve [FILE]`: the workbench for a browser of this machine, until interrupted. */
export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .description('serve the workbench on 127.0.0.1 and print its address')
    .argument('[file]', 'transcript that the window opens')
    .option('--port <n>', 'port, 0 for any free one', parsePort, 0)
    .option('--preset <name>', 'preset that windows start with (default: as set there)')
    .option('--json', 'print {"url"} instead of the address')
  // Where the built screen is; tests bring their own.
  const root = join(HOME, 'dist', 'renderer')
  command.addOption(new Option('--root <dir>').default(root).hideHelp())
  withWorkspace(command).action(async (file: string | undefined, options: ServeOptions) => {
    refuseMissing(file)
    refuseUnbuilt(options.root)
    const served = await startServe({
      workspace: options.workspace,
      port: options.port,
      root: options.root,
      ...(file === undefined ? {} : { file }),
      ...(options.preset === undefined ? {} : { preset: options.preset }),
    }).catch((error: unknown) => {
      throw startFailure(error, options.port)
    })
    await print(`${options.json === true ? JSON.stringify({ url: served.url }) : served.url}\n`)
    notice('serving on 127.0.0.1 until you press Ctrl+C; the address holds the key, keep it')
    await new Promise<void>((resolve) => {
      process.once('SIGINT', () => resolve())
      process.once('SIGTERM', () => resolve())
    })
    await served.close()
  })
}

/** `open FILE`: the desktop application where it can run, else serve mode. */
export function addOpen(program: Command): void {
  const command = program
    .command('open')
    .description('open a transcript in the workbench (desktop, or serve mode)')
    .argument('<file>', 'transcript')
    .option('--preset <name>', 'preset that the window starts with (default: as set there)')
    .option('--json', 'where it serves: print {"url"} instead of the address')
  withWorkspace(command).action(async (file: string, options: OpenOptions) => {
    refuseMissing(file)
    const start = join(HOME, 'scripts', 'start.ts')
    const child = spawn(process.execPath, [start, file, ...startArguments(options)], {
      stdio: 'inherit',
    })
    process.exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? EXIT.usage))
    })
  })
}

type OpenOptions = Pick<ServeOptions, 'workspace' | 'preset' | 'json'>

function startArguments({ workspace, preset, json }: OpenOptions): readonly string[] {
  return [
    ...['--workspace', workspace],
    ...(preset === undefined ? [] : ['--preset', preset]),
    ...(json === true ? ['--json'] : []),
  ]
}

function refuseMissing(file: string | undefined): void {
  if (file === undefined || existsSync(file)) return
  throw new CommandError({ what: 'there is no such file', where: file, do: 'Check the path' })
}

function refuseUnbuilt(root: string): void {
  if (existsSync(join(root, 'index.html'))) return
  throw new CommandError({
    what: 'the screen is not built',
    where: root,
    do: 'Run `npm run build`, or use `npm start`, which builds it',
  })
}

function startFailure(error: unknown, port: number): unknown {
  if (!(error instanceof Error)) return error
  if ('code' in error && error.code === 'EADDRINUSE') {
    return new CommandError({
      what: 'the port is taken',
      where: `127.0.0.1:${port}`,
      do: 'Choose another with --port, or leave it out for any free one',
    })
  }
  return error
}
