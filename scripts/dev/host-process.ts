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

const CHILD = join(ROOT, 'scripts/dev/host-child.ts')
/** A host that does not end within this time after SIGTERM is killed, in ms. */
const END_MS = 500

interface Backend {
  readonly port: number
  readonly key: string
}

/** A host in its own process, which can be replaced while windows stay on the page of the development server. */
interface DevHost {
  readonly start: () => Promise<boolean>
  /** Returns false if the changed sources do not start. The next change tries again. */
  readonly restart: () => Promise<boolean>
  readonly stop: () => void
  /** Connects a window to the current host, or to the next one if none runs. */
  readonly mount: (port: Port) => void
  readonly offerLinks: () => void
}

export function createDevHost(options: {
  readonly workspace: string
  readonly files: readonly string[]
  readonly report: (line: string) => void
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
    const started = fork(CHILD, [options.workspace, ...files], { cwd: ROOT, execArgv: [] })
    child = started
    const url = await new Promise<string | null>((settle) => {
      started.once('message', (message) => settle(JSON.stringify(message)))
      started.once('exit', () => settle(null))
    })
    if (child !== started) return false
    if (url === null) {
      options.report('The host does not start. It is started again after the next change.')
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

  /** Ends the current host. The next one need not wait for it: it has a port of its own. */
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
    restart: () => {
      void retire()
      return start()
    },
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
