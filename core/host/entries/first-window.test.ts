import { expect, test } from 'vitest'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import { makeFolder } from '../../../fixtures/host.ts'
import { openStateStore } from '../settings/main/state-store.ts'
import { prepareFirstWindow } from './first-window.ts'

async function warmedWith(wasRead: boolean) {
  const state = openStateStore(makeFolder(), () => undefined)
  await state.change({ preset: 'literal', profile: 'qwen3-14b' })
  const asked: Array<ReplayConfig | null> = []
  await prepareFirstWindow({
    state,
    prefetch: { read: () => Promise.resolve(wasRead) },
    warm: (replayed) => Promise.resolve(void asked.push(replayed)),
  })
  return asked
}

test('[U187] behind a file that was read prefetch, its replay with the choice of the settings is made ready', async () => {
  const config = { preset: 'literal', domains: 'default', profile: 'qwen3-14b', classify: null }
  expect(await warmedWith(true)).toEqual([config])
})

test('[U187] without such a file nothing is made ready for a replay', async () => {
  expect(await warmedWith(false)).toEqual([null])
})
