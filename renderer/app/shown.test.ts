import { beforeEach, expect, it } from 'vitest'
import { registry } from './commands.ts'
import { LAYOUTS, chooseLayout, toggleLayout } from './layouts.ts'
import { chooseTab } from './select.ts'
import { hideTab, keptShown, toggleLane } from './shown.ts'
import { FEWEST_SHOWN, initialState, patchView, store } from './store.ts'

/** Replaces the browser's storage, which Node lacks. */
const stored = new Map<string, string>()
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
}

beforeEach(() => {
  stored.clear()
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
  store.setState(initialState)
  registry.setState({
    all: { tabs: ['decision', 'coach', 'raw'], lanes: ['coach', 'query'] },
    lanesOfTab: (tab) => (tab === 'coach' ? ['coach'] : []),
  })
})

const shown = () => store.getState().view.shown
const [debug] = LAYOUTS

it('[U171] keeps a tab that is opened, with the lanes of its subject, and forgets what is closed', () => {
  chooseTab('coach')
  expect(shown()).toEqual({ tabs: [...FEWEST_SHOWN.tabs, 'coach'], lanes: ['coach'] })
  expect(keptShown()).toEqual(shown())
  toggleLane('coach')
  // A tab that is there already brings nothing back.
  chooseTab('coach')
  expect(shown().lanes).toEqual([])
  hideTab('coach')
  expect(keptShown()).toEqual(FEWEST_SHOWN)
})

it.each(['', 'null', '{', '{"tabs":[1],"lanes":[]}', JSON.stringify({ tabs: [], lanes: 'all' })])(
  '[U171] shows the first look where the storage holds %j',
  (text) => {
    stored.set('turnscope.shown', text)
    expect(keptShown()).toEqual(FEWEST_SHOWN)
  },
)

it('[U171] shows the first look where the storage is shut', () => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new Error('denied')
    },
  })
  expect(keptShown()).toEqual(FEWEST_SHOWN)
  expect(() => toggleLane('query')).not.toThrow()
})

it('[U172] shows all in a layout and goes back to what was arranged', () => {
  if (!debug) throw new Error('no layout')
  toggleLane('query')
  toggleLayout(debug)
  expect(shown()).toEqual(registry.getState().all)
  toggleLane('coach')
  expect(keptShown().lanes).toEqual(['query'])
  toggleLayout(debug)
  expect(store.getState().view.layout).toBeNull()
  expect(shown()).toEqual({ tabs: FEWEST_SHOWN.tabs, lanes: ['query'] })
})

it('[U172] opens the panel of a layout and puts the screen back', () => {
  const open = () => patchView({ dock: 'tune' })
  const command = { id: 'dock-tune', group: 'Lab', keys: ['T'], what: 'Tune', run: open } as const
  registry.setState({ commands: [{ ...command, always: true }] })
  const tune = LAYOUTS.find(({ id }) => id === 'tune') ?? null
  chooseLayout(tune)
  expect(store.getState().view).toMatchObject({ dock: 'tune', library: false, layout: 'tune' })
  chooseLayout(debug ?? null)
  expect(store.getState().view).toMatchObject({ dock: null, layout: 'debug' })
  chooseLayout(null)
  expect(store.getState().view).toMatchObject({ dock: null, library: true, layout: null })
})
