import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { connect } from '../../../wire/rpc.ts'
import { portPair } from '../../../../fixtures/port-pair.ts'
import {
  CONFIG,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  replayIn,
  windowOf,
} from '../../../../fixtures/host.ts'

const folder = makeFolder({ 'a.jsonl': makeSession(5), 'b.jsonl': makeSession(6) })
const path = (name: string) => ({ kind: 'path', path: join(folder, name) }) as const

test('a thread that crashes takes its own sessions with it; others go on, its place is filled again', async () => {
  const host = makeHost({
    sessionUrl: new URL('../../../../fixtures/ending-worker.ts', import.meta.url),
  })
  const client = windowOf(host)
  const a = await openIn(client, path('a.jsonl'))
  const b = await openIn(client, path('b.jsonl'))
  // The testing worker ends its own thread on this search.
  const crash = client.call('session.find', {
    key: a.key,
    session: 0,
    query: 'crash this thread',
    config: CONFIG,
    compare: null,
  })
  await expect(crash).rejects.toMatchObject({
    code: 'REFUSED',
    message:
      'the thread that held this session stopped (it ended with code 7): a.jsonl. Open the file again; other sessions are not affected',
  })
  await expect(client.call('session.index', { key: a.key, session: 0 })).rejects.toMatchObject({
    code: 'REFUSED',
  })
  await expect(replayIn(client, a.key)).rejects.toMatchObject({ code: 'REFUSED' })
  expect((await replayIn(client, b.key)).columns.turns).toBe(6)
  const again = await openIn(client, path('a.jsonl'))
  expect((await replayIn(client, again.key)).columns.turns).toBe(5)
  await host.close()
})

test('closing a window while a replay runs ends its work and frees its sessions', async () => {
  const host = makeHost()
  const { left, right, close } = portPair()
  host.mount(right)
  const client = connect<TurnscopeContract>(left)
  const a = await openIn(client, path('a.jsonl'))
  const running = replayIn(client, a.key, CONFIG)
  close()
  await expect(running).rejects.toMatchObject({ code: 'CLOSED' })
  await host.close()
})
