import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TurnscopeContract } from '../contract.ts'
import { connect } from '../rpc.ts'
import { serveLoopback } from './loopback.ts'
import { portPair } from './ports.ts'
import {
  clientOf,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  openSocket,
  replayIn,
} from './testing.ts'

test('I58: columns cross the main thread as text and arrive as they were, over any port', async () => {
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
  const [a, b] = [await openIn(overPort, source), await openIn(overSocket, source)]
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
