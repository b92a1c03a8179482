import { expect, test } from 'vitest'
import type { SessionContract } from '../../../wire/threads.ts'
import { CONFIG, makeFolder, REPOSITORY } from '../../../../fixtures/host.ts'
import { SETTINGS } from '../../../../fixtures/probe/service.ts'
import { createFront, createProbeThread } from './threads.ts'
import { createWorkerPool } from './worker-pool.ts'
import { gateWith } from '../../../../fixtures/trust.ts'

const workspace = makeFolder()
const { place: trust } = gateWith({}, workspace)
const data = { workspace, shipped: REPOSITORY, stateDir: workspace, trust }

test('[D48] the thread starts with the first question; before, nothing is lost by closing it', async () => {
  const url = new URL('../../main/no-such-thread.ts', import.meta.url)
  const thread = createProbeThread({ url, data, env: {} })
  thread.forget('a')
  await thread.close()
  const asked = thread.link().call('probe.collections', { settings: SETTINGS })
  await expect(asked).rejects.toThrow('the thread of the probe stopped')
})

test('[D48] a thread that was closed is started anew by the next question', async () => {
  const url = new URL('../../probe/main.ts', import.meta.url)
  const thread = createProbeThread({ url, data, env: {} })
  const first = await thread.link().call('probe.querySets', { settings: SETTINGS })
  await thread.close()
  const second = await thread.link().call('probe.querySets', { settings: SETTINGS })
  await thread.close()
  expect(second).toEqual(first)
  expect(first.sets.map((set) => set.name)).toEqual(['tune', 'held'])
})

test('[U187] a front that cannot compile what it is to be warm with says nothing, and answers as ever', async () => {
  const pool = createWorkerPool<SessionContract>({
    url: new URL('../../entries/session.ts', import.meta.url),
    data: { workspace, shipped: REPOSITORY, trust, automata: null },
    size: 1,
  })
  const { front, warm } = createFront(pool)
  await warm({ ...CONFIG, preset: 'no-such-preset' })
  await warm(CONFIG)
  const { domains } = await front().call('host.domains', {
    preset: 'recommended',
    domains: 'default',
  })
  expect(domains.length).toBeGreaterThan(5)
  await pool.close()
})
