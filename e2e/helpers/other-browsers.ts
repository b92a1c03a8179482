import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'

// Firefox and Safari's engine, driven by their own protocols. Playwright has separate builds of them, which are not
// available everywhere. Debian's packages are `firefox-esr`, and `webkit2gtk-driver` with `xvfb`. A test that needs
// them is skipped if they are not installed.

/** A page in some browser. */
export interface OtherPage {
  readonly open: (url: string) => Promise<void>
  /** The value of an expression in the page, as JSON. */
  readonly evaluate: (expression: string) => Promise<unknown>
}

interface OtherBrowser {
  readonly name: string
  readonly isInstalled: boolean
  /** Starts the browser, does the work in a page, and ends it. `folder` is for its profile. */
  readonly run: (folder: string, work: (page: OtherPage) => Promise<void>) => Promise<void>
}

const FIREFOX = '/usr/bin/firefox-esr'
const WEBKIT = '/usr/bin/WebKitWebDriver'
const XVFB = '/usr/bin/xvfb-run'
const VIEWER = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu'].map(
  (folder) => `${folder}/webkit2gtk-4.1/MiniBrowser`,
)
const START_MS = 30_000

/** A browser's answers, by the number of the command. */
function bidi(socket: WebSocket) {
  const open = new Map<number, PromiseWithResolvers<Readonly<Record<string, unknown>>>>()
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(data.toString('utf8')) as {
      readonly id?: number
      readonly result?: Readonly<Record<string, unknown>>
      readonly message?: string
    }
    const asked = open.get(answer.id ?? -1)
    if (answer.result) asked?.resolve(answer.result)
    else asked?.reject(new Error(answer.message ?? 'refused'))
  })
  let last = 0
  return (method: string, params: Readonly<Record<string, unknown>>) => {
    const asked = Promise.withResolvers<Readonly<Record<string, unknown>>>()
    last += 1
    open.set(last, asked)
    socket.send(JSON.stringify({ id: last, method, params }))
    return asked.promise
  }
}

async function firefoxAddress(browser: ChildProcess): Promise<string> {
  let said = ''
  const address = new Promise<string>((resolve) => {
    browser.stderr?.on('data', (data: Buffer) => {
      said += data.toString('utf8')
      const found = /ws:\/\/\S+/u.exec(said)
      if (found) resolve(found[0])
    })
  })
  const late = wait(START_MS).then(() => Promise.reject(new Error(`Firefox said: ${said}`)))
  return await Promise.race([address, late])
}

async function inFirefox(folder: string, work: (page: OtherPage) => Promise<void>) {
  const args = ['--headless', '--remote-debugging-port=0', '--profile', folder, '--width=1440']
  const browser = spawn(FIREFOX, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    const socket = new WebSocket(`${await firefoxAddress(browser)}/session`)
    await new Promise((resolve) => socket.once('open', resolve))
    const ask = bidi(socket)
    await ask('session.new', { capabilities: {} })
    const tree = await ask('browsingContext.getTree', {})
    const [first] = tree['contexts'] as ReadonlyArray<{ readonly context: string }>
    const context = first?.context ?? ''
    await work({
      open: async (url) => {
        await ask('browsingContext.navigate', { context, url, wait: 'complete' })
      },
      evaluate: async (expression) => {
        const text = `JSON.stringify(${expression}) ?? 'null'`
        const params = { expression: text, target: { context }, awaitPromise: true }
        const { result } = (await ask('script.evaluate', params)) as {
          readonly result: { readonly value: string }
        }
        return JSON.parse(result.value) as unknown
      },
    })
    socket.close()
  } finally {
    browser.kill('SIGKILL')
  }
}

const WEBKIT_PORT = 47_311

async function webdriver(
  method: 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`http://127.0.0.1:${WEBKIT_PORT}${path}`, { method, ...sent })
  const { value } = (await response.json()) as { readonly value: unknown }
  if (!response.ok) throw new Error(JSON.stringify(value))
  return value
}

/** A driver takes a moment until it listens. */
async function webkitSession(): Promise<string> {
  const binary = VIEWER.find((path) => existsSync(path))
  const options = { binary, args: ['--automation', '--geometry=1440x950'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  for (let at = 0; ; at += 1) {
    try {
      const made = await webdriver('POST', '/session', { capabilities })
      return (made as { readonly sessionId: string }).sessionId
    } catch (error) {
      if (at > START_MS / 500) throw error
      await wait(500)
    }
  }
}

async function inWebKit(folder: string, work: (page: OtherPage) => Promise<void>) {
  const args = ['-a', WEBKIT, `--port=${WEBKIT_PORT}`]
  const env = { ...process.env, HOME: folder }
  const driver = spawn(XVFB, args, { stdio: 'ignore', detached: true, env })
  try {
    const session = `/session/${await webkitSession()}`
    await work({
      open: async (url) => {
        await webdriver('POST', `${session}/url`, { url })
      },
      evaluate: async (expression) => {
        const script = `return JSON.stringify(${expression}) ?? 'null'`
        return JSON.parse(
          String(await webdriver('POST', `${session}/execute/sync`, { script, args: [] })),
        ) as unknown
      },
    })
    await webdriver('DELETE', session)
  } finally {
    // The display, the driver and the browser are one group.
    if (driver.pid !== undefined) process.kill(-driver.pid)
  }
}

export const OTHER_BROWSERS: readonly OtherBrowser[] = [
  { name: 'Firefox', isInstalled: existsSync(FIREFOX), run: inFirefox },
  {
    name: 'WebKitGTK',
    isInstalled:
      [WEBKIT, XVFB].every((path) => existsSync(path)) && VIEWER.some((path) => existsSync(path)),
    run: inWebKit,
  },
]
