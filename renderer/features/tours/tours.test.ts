import { expect, test } from 'vitest'
import { ROOT } from '../../../scripts/build.ts'
import { TOUR_PLACES } from '../../../core/engine/schema/tour.ts'
import { listTours } from '../../../core/host/workspace/tour-folder.ts'
import { COMMANDS, DOCK_PANELS, TABS } from '../../app/features.ts'
import { emptyLink } from '../../app/link.ts'
import { readLink, writeLink } from '../../app/url.ts'
import { cornerFor } from './highlight.tsx'
import { PLACES } from './places.ts'
import { idFor, oneLine } from './record.ts'
import { moved } from './tour-editor.tsx'

test('[U131] tabs and panels of the shipped tours are those of the window', async () => {
  const { tours, problems } = await listTours([ROOT])
  expect(problems).toEqual([])
  const stops = tours.flatMap(({ tour }) => tour.stops)
  const tabs = TABS.map(({ id }) => id)
  const panels = DOCK_PANELS.map(({ id }) => id)
  expect(stops.flatMap(({ tab }) => tab ?? []).filter((tab) => !tabs.includes(tab))).toEqual([])
  expect(stops.flatMap(({ panel }) => panel ?? []).filter((id) => !panels.includes(id))).toEqual([])
  expect(Object.keys(PLACES)).toEqual([...TOUR_PLACES])
})

test('[U133] [U137] tour and presenter mode are in the link, and what is none is left out', () => {
  const link = { ...emptyLink, tour: { id: 'st-003', step: 2 }, present: 'decision' as const }
  expect(writeLink(link)).toBe('present=decision&tour=st-003.3')
  expect(readLink(writeLink(link))).toEqual(link)
  for (const text of ['st-003', 'st-003.0', '../x.1', 'a.999', '.1'])
    expect(readLink(`tour=${text}`).tour, text).toBeNull()
  expect(readLink('present=window').present).toBeNull()
})

test('[U133] no key of a tour or the stage is the key of something else', () => {
  const ours = COMMANDS.filter(({ id }) => id.startsWith('tour') || id === 'present')
  expect(ours.map(({ id }) => id).toSorted()).toEqual([
    'present',
    'tour-back',
    'tour-next',
    'tour-stop',
    'tours',
  ])
  for (const { id, keys } of ours) {
    const others = COMMANDS.filter(
      (one) => one.id !== id && one.keys.some((key) => keys.includes(key)),
    )
    expect(others.map((one) => one.id)).toEqual([])
  }
})

test('[U133] the card stands where it hides least', () => {
  const card = { width: 400, height: 240 }
  const window = { width: 1440, height: 900 }
  const at = (left: number, top: number, width: number, height: number) =>
    cornerFor(card, { box: { left, top, width, height }, row: null, window })
  expect(cornerFor(card, { box: null, row: null, window })).toBe('bottom-start')
  expect(at(1000, 50, 440, 800)).toBe('bottom-start')
  expect(at(240, 550, 1200, 350)).toBe('top-start')
  expect(at(0, 0, 600, 900)).toBe('bottom-end')
  const row = { left: 236, top: 585, width: 760, height: 90 }
  const verdict = { left: 1000, top: 83, width: 435, height: 135 }
  expect(cornerFor(card, { box: verdict, row, window })).toBe('bottom-end')
})

test('[U135] a title becomes the name of a file, and never that of another tour', () => {
  expect(idFor('What the API does', [])).toBe('what-the-api-does')
  expect(idFor('Über alles!', ['uber-alles'])).toBe('u-ber-alles')
  expect(idFor('Mine', ['mine', 'mine-2'])).toBe('mine-3')
  expect(idFor('研究', [])).toBe('tour')
  expect(oneLine('a\n  b\t c ')).toBe('a b c')
})

test('[U135] stops change places, and none falls out at the ends', () => {
  const stops = ['a', 'b', 'c'].map((say) => ({ turn: 1, say }))
  const said = (at: number, by: 1 | -1) => moved(stops, at, by).map(({ say }) => say)
  expect(said(2, -1)).toEqual(['a', 'c', 'b'])
  expect(said(0, 1)).toEqual(['b', 'a', 'c'])
  expect(said(0, -1)).toEqual(['a', 'b', 'c'])
  expect(said(2, 1)).toEqual(['a', 'b', 'c'])
})
