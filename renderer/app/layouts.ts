import { registry, runCommand } from './commands.ts'
import { keptShown } from './shown.ts'
import { FEWEST_SHOWN, patchView, type Shown, store, type ViewState } from './store.ts'

/** [U172] An arrangement of the screen for one kind of work. */
export interface Layout {
  readonly id: string
  readonly key: string
  readonly title: string
  readonly about: string
  /** Out of everything that there is. */
  readonly shown: (all: Shown) => Shown
  /** Panel of the dock that it opens; null = the dock is closed. */
  readonly dock: string | null
}

/** The tabs of a first look, and what held a turn. */
const TUNED: Shown = { tabs: [...FEWEST_SHOWN.tabs, 'momentum'], lanes: [] }

export const LAYOUTS: readonly Layout[] = [
  {
    id: 'debug',
    key: 'D',
    title: 'Debug',
    dock: null,
    about: 'every lane and every tab',
    shown: (all) => all,
  },
  {
    id: 'tune',
    key: 'E',
    title: 'Tune',
    dock: 'tune',
    about: 'signals below the session, with the turns that flip',
    shown: () => TUNED,
  },
]

/** [U172] [U137] The third layout is a separate mode that covers the workbench: its command and description. */
export const PRESENT = {
  id: 'present',
  key: '.',
  title: 'Present',
  command: 'present',
  about: 'one thing at a time in large letters, for a projector',
} as const

/** The screen as it was before the layout in force. */
let before: Pick<ViewState, 'dock' | 'library'> | null = null

/** Switches to a layout; null restores the operator's own arrangement. */
export function chooseLayout(layout: Layout | null): void {
  const { view } = store.getState()
  if (layout === null) {
    patchView({ layout: null, shown: keptShown(), ...before })
    before = null
    return
  }
  before ??= { dock: view.dock, library: view.library }
  patchView({
    layout: layout.id,
    shown: layout.shown(registry.getState().all),
    library: false,
    dock: null,
  })
  if (layout.dock !== null) runCommand(`dock-${layout.dock}`)
}

/** The key of a layout once more goes back. */
export function toggleLayout(layout: Layout): void {
  chooseLayout(store.getState().view.layout === layout.id ? null : layout)
}
