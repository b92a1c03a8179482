import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { ready, valueOf } from '../../app/async-data.ts'
import { setHost } from '../../app/host.ts'
import type { Question } from '../../app/question.ts'
import { initialState, patchView, store } from '../../app/store.ts'
import { startWindow } from '../../../fixtures/window/scripted-host.ts'
import { corpusBasis, labBasis, labQuery, ofLab } from '../../stores/lab/basis.ts'
import { initialLab, lab, patchLab } from '../../stores/lab/store.ts'
import { followLab } from './follow.ts'

const number = labQuery<number>({})
const answering = (value: number): Question<number> => ({
  key: String(value),
  ask: (on) => {
    on.answer(value)
    return () => undefined
  },
})

/** The choice of the corpus is remembered in the browser. */
beforeAll(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
  followLab()
})
afterAll(() => void vi.unstubAllGlobals())
beforeEach(() => {
  setHost(null)
  lab.setState(initialLab, true)
  startWindow()
})

const { run } = initialState.view

it.each([
  ['preset', () => patchView({ run: { ...run, preset: 'field' } })],
  ['domain file', () => patchView({ run: { ...run, domains: 'skill-rules' } })],
  ['profile', () => patchView({ run: { ...run, profile: 'qwen3-14b' } })],
  ['corpus', () => patchLab({ choice: { file: false, folders: ['/f'], samples: false } })],
])(
  '[U220] another %s takes numbers of the lab off the screen in the same step',
  async (_, change) => {
    await number.ask(ofLab(answering(39)))
    expect(valueOf(number.get())).toBe(39)
    const seen: Array<number | null> = []
    const stop = store.subscribe(() => seen.push(valueOf(number.get())))
    const stopLab = lab.subscribe(() => seen.push(valueOf(number.get())))
    change()
    expect(number.get()).toEqual({ status: 'idle' })
    // A component rendered after the change sees no earlier number.
    expect(seen.at(-1)).toBeNull()
    stop()
    stopLab()
  },
)

it('[U220] an edit of the draft leaves numbers where they are', async () => {
  await number.ask(ofLab(answering(39)))
  patchLab({ text: 'name: lab' })
  expect(valueOf(number.get())).toBe(39)
})

it('[T41] [U220] another preset is another corpus; another domain file and profile are not', () => {
  const basisOf = (change: Partial<typeof run>) => {
    store.setState({ view: { ...store.getState().view, run: { ...run, ...change } } })
    return corpusBasis(store.getState(), lab.getState().choice)
  }
  const first = basisOf({})
  expect(basisOf({ domains: 'other', profile: 'qwen3-14b' })).toBe(first)
  expect(basisOf({ preset: 'field' })).not.toBe(first)
})

it('[U220] a file that was opened in place of another is another corpus, if it is chosen', () => {
  const open = (key: string) => {
    const { document } = store.getState()
    const opened = ready({ key } as never) // only its key is read
    store.setState({ document: { ...document, opened } })
    return labBasis()
  }
  expect(open('a')).not.toBe(open('b'))
  patchLab({ choice: { file: false, folders: [], samples: true } })
  expect(open('a')).toBe(open('b'))
})
