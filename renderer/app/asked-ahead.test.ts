import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RpcError, type StreamListener } from '../../core/wire/rpc.ts'
import {
  type Script,
  connected,
  inputsOf,
  now,
  settled,
  startWindow,
} from '../../fixtures/window/scripted-host.ts'
import type { Host } from './api.ts'
import { askAhead } from './asked-ahead.ts'
import { online } from './boot.ts'
import { firstAnswers, listenToConnection, openAhead } from './connection.ts'
import { firstRowsOf } from './first-rows.ts'

const api = vi.hoisted(() => ({ listeners: [] as unknown[], retries: 0 }))
vi.mock('./api.ts', async (original) => ({
  ...(await original()),
  connectHost: (listener: unknown) => {
    api.listeners.push(listener)
    return () => (api.retries += 1)
  },
}))
// Nothing shown here needs a lazily loaded script.
vi.mock('./on-demand.tsx', async (original) => ({ ...(await original()), fetchParts: vi.fn() }))

const address = (hash: string) => vi.stubGlobal('location', { hash })

let script: Script
beforeEach(() => {
  script = startWindow()
  address('')
})

const SOURCE = { kind: 'path', path: '/a.jsonl' } as const
const ROWS = firstRowsOf({ key: 'key', session: 0 })
/** Resolves after pending messages have arrived. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 20))
const asked = (name: string) => inputsOf(script, name).length

describe('[U204] what was asked ahead', () => {
  it('is the answer to that question, once; any other goes to the host', async () => {
    const ahead = askAhead(connected)
    ahead.call('settings.get', {})
    await ahead.host.call('settings.get', {})
    expect(asked('settings.get')).toBe(1)
    await ahead.host.call('settings.get', {})
    await ahead.host.call('library.list', {})
    expect([asked('settings.get'), asked('library.list')]).toEqual([2, 1])
  })

  it('fails as the host failed, and ends as it ended', async () => {
    const ahead = askAhead(connected)
    const missing = { source: { kind: 'path', path: '/missing' } } as const
    ahead.stream('session.open', missing, () => undefined)
    await soon()
    const failure = await new Promise((resolve) => {
      ahead.host.subscribe('session.open', missing, { next: () => undefined, error: resolve })
    })
    expect(failure).toBeInstanceOf(RpcError)
    expect(asked('session.open')).toBe(1)
  })

  it('is seen in its order by whoever takes a stream over', async () => {
    const ahead = askAhead(connected)
    const watched: string[] = []
    ahead.stream('session.open', { source: SOURCE }, ({ kind }) => void watched.push(kind))
    await soon()
    const seen: string[] = []
    const ended = new Promise<void>((resolve) => {
      ahead.host.subscribe(
        'session.open',
        { source: SOURCE },
        {
          next: ({ kind }) => void seen.push(kind),
          end: resolve,
        },
      )
    })
    await ended
    expect(seen).toEqual(watched)
    expect(seen.slice(0, 2)).toEqual(['progress', 'opened'])
  })

  it('is given up where nobody takes it over, and where its question is', async () => {
    script.slowOpen = true
    const ahead = askAhead(connected)
    ahead.stream('session.open', { source: SOURCE }, () => undefined)
    await soon()
    ahead.drop()
    await soon()
    expect(script.cancelled).toEqual(['session.open'])
    const never: Host = {
      call: (_name, _input, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new RpcError('CLOSED', 'cancelled')))
        }),
      subscribe: (_name, _input, _on: StreamListener<never>) => () => undefined,
    }
    const other = askAhead(never)
    const stop = new AbortController()
    other.call('session.rows', ROWS)
    const answer = other.host.call('session.rows', ROWS, stop.signal)
    stop.abort()
    await expect(answer).rejects.toThrow('cancelled')
  })
})

describe('[U204] the session that the host was started with', () => {
  const told = { kind: 'open', source: SOURCE, turn: null, tab: null } as const

  it('is asked for with its first rows before the window is there, and once', async () => {
    const ahead = askAhead(connected)
    openAhead(ahead)
    script.told.put(told)
    await soon()
    expect(['session.open', 'session.index', 'session.rows'].map(asked)).toEqual([1, 1, 1])
    await online(ahead.host, '', () => undefined)
    await settled()
    expect(['session.open', 'session.index'].map(asked)).toEqual([1, 1])
    expect(
      inputsOf(script, 'session.rows').filter((one) =>
        JSON.stringify(one).includes('"config":null'),
      ),
    ).toHaveLength(1)
    expect(now().session.windows.get(0)?.rows.length).toBeGreaterThan(0)
  })

  it('is not asked for where the address names a place, nor its rows where the host does', async () => {
    address('#s=path:/b.jsonl')
    const elsewhere = askAhead(connected)
    openAhead(elsewhere)
    script.told.put(told)
    await soon()
    expect(asked('session.open')).toBe(0)
    address('')
    script = startWindow()
    const ahead = askAhead(connected)
    openAhead(ahead)
    script.told.put({ ...told, session: 1 })
    await soon()
    expect(['session.open', 'session.rows'].map(asked)).toEqual([1, 0])
  })
})

describe('[U203] a connection that was begun early', () => {
  it('asks for the settings and for what the host says together, once a host', async () => {
    const first = firstAnswers(connected)
    expect(firstAnswers(connected)).toBe(first)
    await soon()
    expect([asked('settings.get'), asked('host.events')]).toEqual([1, 1])
    script.told.put({ kind: 'command', command: 'help' })
    await soon()
    const heard: string[] = []
    first.listen(({ kind }) => void heard.push(kind))
    script.told.put({ kind: 'command', command: 'help' })
    await soon()
    expect(heard).toEqual(['command', 'command'])
  })

  it('tells whoever comes later what it has come to, and tries again when asked', () => {
    const said: string[] = []
    const listener = () => ({
      online: () => void said.push('online'),
      lost: (attempt: number) => void said.push(`lost ${attempt}`),
      shut: (why: string) => void said.push(why),
    })
    const retry = listenToConnection(listener())
    expect(api.listeners).toHaveLength(1)
    const connection = api.listeners[0] as ReturnType<typeof listener>
    connection.lost(1)
    connection.shut('used')
    expect(said).toEqual(['lost 1', 'used'])
    retry()
    expect(api.retries).toBe(1)
  })
})
