import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { call } from '../../../wire/method.ts'
import { connect, connectThread, serve, writeMessage } from '../../../wire/rpc.ts'
import { serveLoopback } from '../../windows/main/loopback.ts'
import { portPair } from '../../../../fixtures/port-pair.ts'
import {
  clientOf,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  openSocket,
  replayIn,
} from '../../../../fixtures/host.ts'

test('[I58] columns cross the main thread as text and arrive as they were, over any port', async () => {
  const folder = makeFolder({ 'a.jsonl': makeSession(40), 'index.html': '' })
  const host = makeHost()
  const { left, right } = portPair()
  const posted: object[] = []
  host.mount({
    ...right,
    post: (message) => {
      posted.push(message as object)
      right.post(message)
    },
  })
  const served = await serveLoopback(host, { root: folder })
  const source = { kind: 'path', path: join(folder, 'a.jsonl') } as const
  const overPort = connect<TurnscopeContract>(left)
  const overSocket = clientOf(await openSocket(served.url))
  const a = await openIn(overPort, source)
  const b = await openIn(overSocket, source)
  posted.length = 0
  const one = await replayIn(overPort, a.key)
  expect(posted.length).toBeGreaterThan(0)
  expect(posted.every((message) => 'j' in message || !('v' in message))).toBe(true)
  const other = await replayIn(overSocket, b.key)
  expect(one.columns).toEqual(other.columns)
  expect(one.columns.turns).toBe(40)
  const index = await overSocket.call('session.index', { key: b.key, session: 0 })
  expect(index).toEqual(await overPort.call('session.index', { key: a.key, session: 0 }))
  expect(index.kind).toHaveLength(40)
  await served.close()
  await host.close()
})

const contract = {
  numbers: call(
    'session',
    z.object({ of: z.int() }),
    z.object({
      name: z.string(),
      deep: z.object({ long: z.array(z.number()), short: z.array(z.number()) }),
      rows: z.array(z.object({ at: z.int() })),
    }),
    { packed: true },
  ),
}
const upTo = (end: number) => Array.from({ length: end }, (_, at) => at)

test('[I59] long lists travel in slices, through whoever passes them on, and arrive whole', async () => {
  const below = portPair()
  const above = portPair()
  const answer = (of: number) => ({
    name: `of ${of}`,
    deep: { long: upTo(of), short: upTo(9) },
    rows: upTo(of + 1).map((at) => ({ at })),
  })
  serve(contract, { numbers: ({ of }) => answer(of) }, below.right)
  const passing = connectThread<typeof contract>(below.left)
  const texts: string[] = []
  serve(
    contract,
    {},
    {
      ...above.right,
      // As a WebSocket writes it.
      post: (message) => {
        const text = writeMessage(message)
        texts.push(text)
        above.right.post(JSON.parse(text))
      },
    },
    ({ payload }) => passing.forward('numbers', payload as { readonly of: number }),
  )
  const client = connect<typeof contract>(above.left)
  // Two answers in parallel: slices of one answer never get into the other.
  const [one, other, small] = await Promise.all([
    client.call('numbers', { of: 60_000 }),
    client.call('numbers', { of: 50_000 }),
    client.call('numbers', { of: 8192 }),
  ])
  expect(one).toEqual(answer(60_000))
  expect(other).toEqual(answer(50_000))
  expect(small).toEqual(answer(8192))
  const whole = JSON.stringify(answer(60_000)).length
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(whole / 6)
})
