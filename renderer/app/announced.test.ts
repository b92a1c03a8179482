import { beforeEach, expect, it } from 'vitest'
import { eventually } from '../../fixtures/eventually.ts'
import { begin, now, startWindow } from '../../fixtures/window/scripted-host.ts'
import { announcementOf, titleOfWindow } from './announced.ts'
import { selectSeq, selectTurn } from './select.ts'
import { patchView } from './store.ts'

beforeEach(() => {
  startWindow()
})

it('[U226] the title names turn and session', async () => {
  expect(titleOfWindow(now())).toBe('Turnscope')
  await begin('s=sample:st-003&turn=2')
  await eventually(() => expect(titleOfWindow(now())).toMatch(/^Turn 2 · .+ · Turnscope$/u))
  const before = titleOfWindow(now())
  selectTurn(3)
  expect(titleOfWindow(now())).toBe(before.replace('Turn 2', 'Turn 4'))
})

it('[U227] the decision of the selected turn is announced; errors are not said twice', async () => {
  await begin('s=sample:st-003&turn=1')
  expect(now().session.replay.status).toBe('ready')
  expect(announcementOf(now())).toMatch(/^Turn 1 of \d+: \w+/u)
  patchView({ notice: { where: 'a.yaml', what: 'cannot be written', do: 'Free some space' } })
  expect(announcementOf(now())).toMatch(/^Turn 1 of/u)
})

it('[U227] an event that is no turn leaves the number of turns', async () => {
  await begin('s=sample:st-003')
  selectSeq(2)
  expect(announcementOf(now())).toMatch(/^\d+ turns$/u)
})
