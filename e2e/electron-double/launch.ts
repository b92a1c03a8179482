import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BROWSER_ARGS, findBrowser } from '../../scripts/browser.ts'
import { ROOT } from '../../scripts/build.ts'
import { COMPILED } from '../helpers/host-process.ts'
import { type Command, type DoubleOptions, type DoubleState, OPTIONS_VARIABLE } from './options.ts'

const REGISTER = fileURLToPath(new URL('register.ts', import.meta.url))
/** Questions to the main process before a wait is in vain; each waits for its answer, however busy the machine is. */
const MOST_QUESTIONS = 200
const START_QUESTIONS = 2 * MOST_QUESTIONS
const BETWEEN_MS = 50

/** A message of the wire, as the page got it. */
export interface WireMessage {
  readonly id: number
  readonly t: string
  readonly v?: unknown
  /** A packed answer: JSON text that the window parses (I58). */
  readonly j?: string
  readonly e?: { readonly code: string; readonly message: string }
}

/** A running app in the double, driven by a test. */
export interface Double {
  readonly userData: string
  ask<T = unknown>(command: Command): Promise<T>
  state(): Promise<DoubleState>
  /** Runs an expression in the page's own world. */
  evaluate<T>(expression: string): Promise<T>
  /** Opens a method on the page's pipe; resolves with every message until it ended. */
  rpc(method: string, input: unknown): Promise<readonly WireMessage[]>
  /** Opens a stream that stays open; the messages so far come from `received`. */
  subscribe(method: string, input: unknown): Promise<number>
  received(id: number): Promise<readonly WireMessage[]>
  /** Exit code of the main process. */
  exited(): Promise<number | null>
  output(): string
  stop(): Promise<void>
}

export type LaunchOptions = Partial<Omit<DoubleOptions, 'browser' | 'launchArgs'>>

/** Above every id that the renderer's own client reaches. */
let lastId = 1_000_000_000

/** The page's inbox; ids of tests and of the renderer share one pipe. */
const INBOX = `(window.doubleInbox ??= (() => {
  const inbox = []
  window.turnscope.onMessage((message) => inbox.push(message))
  return inbox
})())`

function post(id: number, method: string, input: unknown): string {
  const message = JSON.stringify({ id, t: 'open', m: method, p: input })
  return `(${INBOX}, window.turnscope.post(${message}))`
}

/** Starts the built main process of `appPath` in the double and waits for its window. */
export async function startDouble(wanted: LaunchOptions = {}): Promise<Double> {
  const double = await launch(wanted)
  try {
    await waitUntil(async () => (await double.state()).visible, double, START_QUESTIONS)
  } catch (error) {
    await double.stop()
    throw error
  }
  return double
}

/** Starts the main process and waits for nothing. */
export async function launch(wanted: LaunchOptions = {}): Promise<Double> {
  const folder = await mkdtemp(join(tmpdir(), 'turnscope-double-'))
  const browser = findBrowser()
  if (browser === null) throw new Error('there is no Chromium: run `npm test`, which installs one')
  const options: DoubleOptions = {
    appPath: ROOT,
    userData: join(folder, 'user-data'),
    resourcesPath: join(folder, 'resources'),
    isPackaged: true,
    args: [],
    isFirstInstance: true,
    chosenFile: null,
    chosenFolder: null,
    saveFolder: null,
    browser,
    launchArgs: BROWSER_ARGS,
    ...wanted,
  }
  await mkdir(options.resourcesPath, { recursive: true })
  await symlink(ROOT, join(options.resourcesPath, 'shipped'))
  const child = fork(join(options.appPath, 'dist/main/main.cjs'), [], {
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', REGISTER],
    // NODE_OPTIONS is the test runner's own.
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_COMPILE_CACHE: COMPILED,
      XDG_CONFIG_HOME: join(folder, 'config'),
      [OPTIONS_VARIABLE]: JSON.stringify(options),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  return drive(child, options, folder)
}

function drive(child: ChildProcess, options: DoubleOptions, folder: string): Double {
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  const pending = new Map<number, (answer: { value?: unknown; error?: string }) => void>()
  let lastCommand = 0
  child.on('message', (answer: { id: number; value?: unknown; error?: string }) => {
    pending.get(answer.id)?.(answer)
    pending.delete(answer.id)
  })
  void exit.then((code) => {
    const error = `the main process ended with ${code ?? 'a signal'}\n${output}`
    for (const settle of pending.values()) settle({ error })
    pending.clear()
  })

  const ask = <T>(command: Command): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!child.connected) {
        reject(new Error(`the main process is gone\n${output}`))
        return
      }
      lastCommand += 1
      pending.set(lastCommand, ({ value, error }) => {
        if (error === undefined) resolve(value as T)
        else reject(new Error(error))
      })
      child.send({ id: lastCommand, command }, (error) => {
        if (error) reject(error)
      })
    })
  const evaluate = <T>(expression: string) => ask<T>({ op: 'evaluate', expression })
  const received = (id: number) =>
    evaluate<WireMessage[]>(`${INBOX}.filter((message) => message.id === ${id})`)
  const subscribe = async (method: string, input: unknown) => {
    lastId += 1
    const id = lastId
    await evaluate(post(id, method, input))
    return id
  }

  const double: Double = {
    userData: options.userData,
    ask,
    evaluate,
    received,
    subscribe,
    state: () => ask<DoubleState>({ op: 'state' }),
    rpc: async (method, input) => {
      const id = await subscribe(method, input)
      let messages: readonly WireMessage[] = []
      await waitUntil(async () => {
        messages = await received(id)
        return messages.some(({ t }) => t === 'ok' || t === 'err')
      }, double)
      return messages
    },
    exited: () => exit,
    output: () => output,
    stop: async () => {
      if (child.connected) child.disconnect()
      const killer = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await exit
      clearTimeout(killer)
      await rm(folder, { recursive: true, force: true })
    },
  }
  return double
}

/** Polls until `isTrue`. Rejects with the output of the main process if it ended or after too many questions. */
export async function waitUntil(
  isTrue: () => Promise<boolean>,
  double: Double,
  questions: number = MOST_QUESTIONS,
): Promise<void> {
  for (let asked = 1; !(await isTrue()); asked += 1) {
    if (asked > questions) throw new Error(`waited in vain\n${double.output()}`)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
}

/** Runs `use` with a started app and always stops it. */
export async function withDouble(options: LaunchOptions, use: (double: Double) => Promise<void>) {
  const double = await startDouble(options)
  try {
    await use(double)
  } finally {
    await double.stop()
  }
}

/** A copy of the build that a test may change; the renderer and the data are the repository's own. */
export async function copyApp(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'turnscope-app-'))
  await mkdir(join(folder, 'dist'))
  await cp(join(ROOT, 'dist/main'), join(folder, 'dist/main'), { recursive: true })
  await cp(join(ROOT, 'dist/preload'), join(folder, 'dist/preload'), { recursive: true })
  for (const shared of ['dist/renderer', 'profiles', 'fixtures', 'package.json']) {
    await symlink(join(ROOT, shared), join(folder, shared))
  }
  return folder
}
