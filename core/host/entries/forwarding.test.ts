import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { contract, type TurnscopeContract } from '../../wire/contract.ts'
import { connect } from '../../wire/rpc.ts'
import {
  labThreadContract,
  probeThreadContract,
  resultsThreadContract,
  sessionContract,
} from '../../wire/threads.ts'
import {
  CONFIG,
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  windowOf,
} from '../../../fixtures/host.ts'
import { portPair } from '../../../fixtures/port-pair.ts'

const folder = makeFolder({ 'a.jsonl': makeSession(5) })
const host = makeHost()
const client = windowOf(host)
afterAll(() => host.close())

/** Sends arbitrary calls, as a compromised window would. */
const ask = (name: string, input: unknown): Promise<unknown> =>
  client.call(name as 'session.index', input as never)

test('every row of the window that is not the main process’s is one of the thread it names', () => {
  const threads = {
    session: sessionContract,
    workspace: sessionContract,
    lab: labThreadContract,
    probe: probeThreadContract,
    results: resultsThreadContract,
  }
  for (const [name, { at }] of Object.entries(contract)) {
    if (at !== 'main') expect(Object.keys(threads[at])).toContain(name)
  }
})

test('no window reaches what the main process asks its threads', async () => {
  const threads = {
    ...sessionContract,
    ...labThreadContract,
    ...probeThreadContract,
    ...resultsThreadContract,
  }
  const internal = Object.keys(threads).filter((name) => !Object.hasOwn(contract, name))
  expect(internal).toContain('lab.relabel')
  expect(internal).toContain('probe.messages')
  expect(internal).toContain('results.session')
  for (const name of internal) {
    await expect(ask(name, { key: 'a' })).rejects.toMatchObject({ code: 'NO_METHOD' })
  }
})

test('keys are the window’s own, and what is passed on is parsed where it is answered', async () => {
  const { key } = await openIn(client, { kind: 'path', path: join(folder, 'a.jsonl') })
  const other = portPair()
  host.mount(other.right)
  const stranger = connect<TurnscopeContract>(other.left)
  const index = { key, session: 0 }
  await expect(stranger.call('session.index', index)).rejects.toMatchObject({
    code: 'REFUSED',
    what: 'this session is not open',
  })
  await expect(ask('session.index', null)).rejects.toMatchObject({ code: 'BAD_INPUT' })
  await expect(ask('session.index', { key: 7, session: 0 })).rejects.toMatchObject({
    code: 'BAD_INPUT',
  })
  await expect(ask('session.index', { key, session: -1 })).rejects.toMatchObject({
    code: 'BAD_INPUT',
  })
  await expect(ask('lab.coverage', { corpus: 'none' })).rejects.toMatchObject({ code: 'REFUSED' })
  // Settings come from the host, regardless of those that a window sends.
  const settings = { embedder: 'https://elsewhere', auto: true, embedders: {}, measured: {} }
  const asked = { ...index, settings, config: CONFIG }
  expect(await ask('probe.collections', asked)).toMatchObject({
    collections: expect.any(Array) as unknown,
  })
})
