import { readFile } from '../../platform/files/fenced-fs.ts'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { parseJson } from '../../../engine/result.ts'
import { type Door, openDoor } from './door.ts'
import type { Host } from '../../entries/host.ts'
import { mimeOf, SECURITY_HEADERS, staticPath } from './web-policy.ts'
import { type Port, writeMessage } from '../../../wire/rpc.ts'
import { MAX_MESSAGE_BYTES } from '../../../wire/socket-port.ts'

// Imported, this module would read all that it exports, and load a whole fetch client for that: a
// tenth of a second and 14 MB.
const { createServer } = process.getBuiltinModule('node:http')

/** First WebSocket subprotocol of the page; the second one is its key. */
export const SUBPROTOCOL = 'turnscope.rpc'

/** A page that lets this much pile up unread is cut off; it connects again when it lives. */
const MAX_OUTGOING_BYTES = 256 * 1024 * 1024

const MAX_CLIENTS = 32

export interface Served {
  /** With a token for one use in its fragment, which browsers never send by themselves. */
  readonly url: string
  /** Another such address, for another browser. */
  readonly newUrl: () => string
  readonly origin: string
  readonly port: number
  /** Closes the connection of every window. The windows connect again. */
  readonly disconnect: () => void
  close(): Promise<void>
}

interface ServeOptions {
  /** Folder of the built renderer. */
  readonly root: string
  /** 0 or left out = any free port. */
  readonly port?: number
  /** Answers page requests instead of the files below `root`, after Host and method were checked (F212). */
  readonly pages?: (request: IncomingMessage, response: ServerResponse) => void
}

/**
 * Serves the host to browsers of this machine: 127.0.0.1 only, Host and Origin checked. [U18] A token for
 * one use travels in the URL's fragment; the page exchanges it for a key of its origin, which it sends as a
 * WebSocket subprotocol, never in a cookie or a URL. (DESIGN section 5)
 */
export async function serveLoopback(
  host: Pick<Host, 'mount' | 'offerLinks'>,
  options: ServeOptions,
): Promise<Served> {
  const door = openDoor()
  const server = createServer((request, response) => {
    const hosts = allowed(server)
    if (request.method === 'POST' && request.url === KEY_PATH) {
      void answerKey(request, response, { hosts, door })
    } else void answer(request, response, options, hosts)
  })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => SUBPROTOCOL,
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    // A page that is turned away for the number of them has not come in: its token stays good.
    const isFull = sockets.clients.size >= MAX_CLIENTS
    const admit = (key: string) => (isFull ? door.holds(key) : door.admit(key))
    const refused = upgradeRefusal(request, allowed(server), admit)
    if (refused !== null || isFull) {
      socket.end(`HTTP/1.1 ${refused ?? '503 Service Unavailable'}\r\nconnection: close\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (client) => host.mount(portOfSocket(client)))
  })
  const port = await listen(server, options.port ?? 0)
  const origin = `http://127.0.0.1:${port}`
  const newUrl = () => `${origin}/#token=${door.token()}`
  host.offerLinks(newUrl)
  return {
    url: newUrl(),
    newUrl,
    origin,
    port,
    disconnect: () => {
      for (const client of sockets.clients) client.close()
    },
    close: async () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject)
      resolve(portOf(server))
    })
  })
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Names under which a browser of this machine may know us; any other Host is DNS rebinding. */
function allowed(server: Server): readonly string[] {
  const port = portOf(server)
  return [`127.0.0.1:${port}`, `localhost:${port}`]
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { root, pages }: ServeOptions,
  hosts: readonly string[],
): Promise<void> {
  const end = (status: number, text: string) => {
    response.writeHead(status, { ...SECURITY_HEADERS, 'content-type': 'text/plain' }).end(text)
  }
  if (!hosts.includes(request.headers.host ?? '')) {
    end(421, 'Misdirected request')
    return
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    end(405, 'Method not allowed')
    return
  }
  if (pages !== undefined) {
    pages(request, response)
    return
  }
  // Not through URL: its parser would resolve "/../" before the check could see it.
  const [pathname = '/'] = (request.url ?? '/').split(/[?#]/u, 1)
  const path = staticPath(root, pathname)
  const body = path === null ? null : await readFile(path).catch(() => null)
  if (path === null || body === null) {
    end(404, 'Not found')
    return
  }
  const headers = { ...SECURITY_HEADERS, 'content-type': mimeOf(path) }
  response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body)
}

/** Path at which the page exchanges a token for a key (`token TOKEN`), or checks its key (`key KEY`). */
const KEY_PATH = '/key'
const MAX_KEY_BYTES = 200

/** [U18] 200 with the key, 204 for a valid key, 403 for an invalid or expired one. */
async function answerKey(
  request: IncomingMessage,
  response: ServerResponse,
  { hosts, door }: { readonly hosts: readonly string[]; readonly door: Door },
): Promise<void> {
  const end = (status: number, text?: string) => {
    const headers = { ...SECURITY_HEADERS, 'cache-control': 'no-store' }
    response.writeHead(status, { ...headers, 'content-type': 'text/plain' }).end(text)
  }
  const { host = '', origin = '' } = request.headers
  if (!hosts.includes(host)) {
    end(421, 'Misdirected request')
    return
  }
  // A page of another origin may send this too; it could not read the answer, but would use the token up.
  const body = origin === `http://${host}` ? await bodyOf(request) : null
  const [, kind, given = ''] = /^(token|key) ([\w-]{1,100})$/u.exec(body ?? '') ?? []
  if (kind === 'key' && door.holds(given)) {
    end(204)
    return
  }
  const key = kind === 'token' ? door.exchange(given) : null
  if (key === null) end(403, 'Forbidden')
  else end(200, key)
}

/** A short text; null for a long one. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length
      if (size > MAX_KEY_BYTES) return null
      parts.push(part)
    }
  } catch {
    // The page went away.
    return null
  }
  return Buffer.concat(parts).toString('utf8')
}

/** The status line that refuses a WebSocket, or null when everything is as it must be. */
function upgradeRefusal(
  request: IncomingMessage,
  hosts: readonly string[],
  admit: (key: string) => boolean,
): string | null {
  const { host = '', origin = '' } = request.headers
  if (!hosts.includes(host)) return '421 Misdirected Request'
  if (origin !== `http://${host}`) return '403 Forbidden'
  if (request.url !== '/rpc') return '404 Not Found'
  const [name, given = '', ...rest] = (request.headers['sec-websocket-protocol'] ?? '').split(
    /, */u,
  )
  const good = name === SUBPROTOCOL && rest.length === 0 && admit(given)
  return good ? null : '403 Forbidden'
}

function portOfSocket(socket: WebSocket): Port {
  socket.on('error', () => socket.terminate())
  return {
    post: (message) => {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > MAX_OUTGOING_BYTES) socket.terminate()
      else socket.send(writeMessage(message))
    },
    onMessage: (listener) => {
      socket.on('message', (data, isBinary) => {
        // Text frames of `ws` arrive as one Buffer.
        const message = isBinary ? null : parseJson((data as Buffer).toString('utf8'))
        if (message?.ok === true) listener(message.value)
        else socket.close(1003, 'JSON text only')
      })
    },
    onClose: (listener) => {
      socket.on('close', listener)
    },
  }
}
