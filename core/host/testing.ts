import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import type { TurnscopeContract } from '../contract.ts'
import type { ReplayConfig } from '../engine/schema/replay.ts'
import type { Client, Input, Output, Port, StreamName } from '../rpc.ts'
import { connect } from '../rpc.ts'
import type { Host, HostOptions } from './host.ts'
import { createHost } from './host.ts'
import { SUBPROTOCOL } from './loopback.ts'
import { streamOf } from './stream-of.ts'

// For tests only: real hosts, real files, real sockets.

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))
export const CONFIG: ReplayConfig = {
  preset: 'recommended',
  domains: 'default',
  profile: null,
  classify: null,
}

/** A new folder with the given files. */
export function makeFolder(files: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'turnscope-test-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** A host over the repository's own profiles, with state of its own. */
export function makeHost(options: Partial<HostOptions> = {}): Host {
  return createHost({
    workspace: REPOSITORY,
    shipped: REPOSITORY,
    stateDir: makeFolder(),
    mode: 'serve',
    workerUrl: new URL('./worker/main.ts', import.meta.url),
    probeUrl: new URL('./probe/worker/main.ts', import.meta.url),
    version: '0.0.0',
    clock: () => 1_700_000_000_000,
    ...options,
  })
}

const TEXTS = [
  'Investigate why the credit rating of Oracle changed and find evidence in the filings',
  'ls -la /tmp/work',
  'Fix the crash: TypeError in parse_config, stack trace below',
  'Write a python function that parses the table and add unit tests',
  'ok, thanks',
]

/** Native JSONL with as many turns as asked for; texts repeat, numbered. */
export function makeSession(turns: number, textOf?: (turn: number) => string): string {
  const lines = [JSON.stringify({ type: 'session', schemaVersion: 1, id: 's1', title: 'Made up' })]
  for (let turn = 0; turn < turns; turn += 1) {
    const text = textOf?.(turn) ?? `${TEXTS[turn % TEXTS.length] ?? ''} (${turn})`
    lines.push(JSON.stringify({ kind: 'user', at: 1_700_000_000_000 + turn, text }))
  }
  return `${lines.join('\n')}\n`
}

/** Everything that a stream gives. */
export async function collect<K extends StreamName<TurnscopeContract>>(
  client: Client<TurnscopeContract>,
  name: K,
  input: Input<TurnscopeContract, K>,
): Promise<Array<Output<TurnscopeContract, K>>> {
  const values: Array<Output<TurnscopeContract, K>> = []
  const { signal } = new AbortController()
  for await (const value of streamOf(client, name, input, signal)) values.push(value)
  return values
}

/** Opens a path (or another source) and returns what was opened, when all of it was read. */
export async function openIn(
  client: Client<TurnscopeContract>,
  source: Input<TurnscopeContract, 'session.open'>['source'],
) {
  const steps = await collect(client, 'session.open', { source })
  const opened = steps.find((step) => step.kind === 'opened')
  if (opened === undefined) throw new Error('nothing was opened')
  const grown = steps.findLast((step) => step.kind === 'grown')
  return { ...opened, ...grown, kind: opened.kind }
}

/** Replays session 0 of an opened file. */
export async function replayIn(
  client: Client<TurnscopeContract>,
  key: string,
  config: ReplayConfig = CONFIG,
  compare: ReplayConfig | null = null,
) {
  const input = { key, session: 0, config, compare }
  const last = (await collect(client, 'session.replay', input)).at(-1)
  if (last?.kind !== 'replayed') throw new Error('nothing was replayed')
  return last
}

interface SocketOptions {
  readonly token?: string
  readonly origin?: string
  readonly host?: string
  readonly protocol?: string
  readonly path?: string
}

/** A WebSocket as the page opens it; rejects with the HTTP status when it is refused. */
export function openSocket(url: string, options: SocketOptions = {}): Promise<WebSocket> {
  const { origin, hash } = new URL(url)
  const token = options.token ?? new URLSearchParams(hash.slice(1)).get('token') ?? ''
  const protocols = [options.protocol ?? SUBPROTOCOL, ...(token === '' ? [] : [token])]
  const socket = new WebSocket(
    `${origin.replace('http', 'ws')}${options.path ?? '/rpc'}`,
    protocols,
    {
      headers: {
        origin: options.origin ?? origin,
        ...(options.host === undefined ? {} : { host: options.host }),
      },
    },
  )
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      resolve(socket)
    })
    socket.once('unexpected-response', (request, response) => {
      request.destroy()
      reject(new Error(`status ${response.statusCode ?? 0}`))
    })
    socket.once('error', reject)
  })
}

/** The contract's client over a WebSocket. */
export function clientOf(socket: WebSocket): Client<TurnscopeContract> {
  const port: Port = {
    post: (message) => {
      socket.send(JSON.stringify(message))
    },
    onMessage: (listener) => {
      socket.on('message', (data: Buffer) => {
        listener(JSON.parse(data.toString('utf8')))
      })
    },
    onClose: (listener) => {
      socket.on('close', listener)
    },
  }
  return connect<TurnscopeContract>(port)
}

/** The value of a result that a test needs to be good. */
export function valueOf<T>(
  result:
    { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (result.ok) return result.value
  throw new Error(JSON.stringify(result.error))
}
