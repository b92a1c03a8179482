import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { parseJson } from '../../core/engine/result.ts'
import { SUBPROTOCOL } from '../../core/host/windows/main/loopback.ts'
import { type Port, writeMessage } from '../../core/wire/rpc.ts'
import { MAX_MESSAGE_BYTES } from '../../core/wire/socket-port.ts'
import { ROOT } from '../build.ts'
import { bundleHost } from './bundle-host.ts'

/** V8's compiled code of modules that did not change, for the host and its threads. */
const COMPILED = join(ROOT, 'node_modules/.cache/dev-host')
const RETRIED = 'The next change of a source tries again.'
/** A host that does not end within this time after SIGTERM is killed, in ms. */
const END_MS = 500

interface Backend {
  readonly port: number
  readonly key: string
}

/** A host in its own process, which can be replaced while windows stay on the page of the development server. */
interface DevHost {
  /**
   * Bundles the sources and starts a host from them, in place of a running one. Returns false if the sources cannot be
   * bundled, which leaves the running host, or if they do not start.
   */
  readonly start: () => Promise<boolean>
  readonly stop: () => void
  /** Connects a window to the current host, or to the next one if none runs. */
  readonly mount: (port: Port) => void
  readonly offerLinks: () => void
}

export function createDevHost(options: {
  readonly workspace: string
  readonly files: readonly string[]
  readonly report: (line: string) => void
  /** Called when a host is about to be replaced. */
  readonly onRetire: () => void
}): DevHost {
  let child: ChildProcess | null = null
  let isFirst = true
  const waiting: Array<(backend: Backend) => void> = []
  let backend: Backend | null = null

  const whenReady = (listener: (ready: Backend) => void) => {
    if (backend === null) waiting.push(listener)
    else listener(backend)
  }

  async function start(): Promise<boolean> {
    // Windows that connect again open their sessions themselves, at their turns.
    const files = isFirst ? options.files : []
    const bundled = await bundleHost()
    if (!bundled.ok) {
      options.report(`${bundled.error}\n${RETRIED}`)
      return false
    }
    if (child !== null) {
      void retire()
      options.onRetire()
    }
    const started = fork(bundled.value, [options.workspace, ...files], {
      cwd: ROOT,
      execArgv: [],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    })
    child = started
    const url = await new Promise<string | null>((settle) => {
      started.once('message', (message) => settle(JSON.stringify(message)))
      started.once('exit', () => settle(null))
    })
    if (child !== started) return false
    if (url === null) {
      options.report(`The host does not start. ${RETRIED}`)
      return false
    }
    isFirst = false
    const { port, hash } = new URL(z.string().parse(JSON.parse(url)))
    backend = {
      port: Number(port),
      key: await exchange(Number(port), hash.slice('#token='.length)),
    }
    for (const listener of waiting.splice(0)) listener(backend)
    return true
  }

  /** Ends the current host. The next one need not wait for it, because it has a separate port. */
  async function retire(): Promise<void> {
    const ending = child
    child = null
    backend = null
    if (ending?.exitCode !== null || ending.signalCode !== null) return
    const timer = setTimeout(() => ending.kill('SIGKILL'), END_MS)
    ending.kill()
    await once(ending, 'exit')
    clearTimeout(timer)
  }

  return {
    start,
    stop: () => void child?.kill(),
    mount: (port) => {
      let isOpen = true
      port.onClose(() => {
        isOpen = false
      })
      const early: unknown[] = []
      let send = (message: unknown): void => void early.push(message)
      port.onMessage((message) => send(message))
      whenReady((ready) => {
        if (!isOpen) return
        connect(ready, port, (open) => {
          send = open
          for (const message of early.splice(0)) open(message)
        })
      })
    },
    offerLinks: () => undefined,
  }
}

/** Passes messages between a window and a host, until one of them ends. */
function connect(
  { port, key }: Backend,
  window: Port,
  onOpen: (send: (message: unknown) => void) => void,
): void {
  const origin = `http://127.0.0.1:${port}`
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, [SUBPROTOCOL, key], {
    origin,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  })
  socket.on('error', () => socket.terminate())
  socket.on('open', () => {
    onOpen((message) => {
      if (socket.readyState === socket.OPEN) socket.send(writeMessage(message))
    })
  })
  socket.on('message', (data) => {
    const message = parseJson((data as Buffer).toString('utf8'))
    if (message.ok) window.post(message.value)
  })
  window.onClose(() => socket.terminate())
}

/** The key for a token of a host that just started. */
function exchange(port: number, token: string): Promise<string> {
  const headers = { origin: `http://127.0.0.1:${port}` }
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path: '/key', method: 'POST', headers })
    asking.once('error', reject)
    asking.once('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve(Buffer.concat(parts).toString('utf8')))
    })
    asking.end(`token ${token}`)
  })
}
