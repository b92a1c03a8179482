import { type CommandId, type When, SHORTCUTS } from './keys.ts'
import { valueOf } from './async-data.ts'
import { chooseTheme } from './boot.ts'
import { proposeAll, proposeThis } from '../features/coach/run.ts'
import { copyText } from './copy.ts'
import { findNext, openFind } from '../features/find/find.ts'
import { canFollow, toggleFollow } from '../features/follow/follow.ts'
import { canSave, openDock, toggleDock, walk, walksFlips } from '../features/dock/dock.ts'
import { saveDraft } from '../features/tune/draft.ts'
import { openDialog } from './open.ts'
import { startProbe } from '../features/probe/probe.ts'
import { toggleWhole } from '../features/turns/rows.ts'
import { type Step, chooseTab, move, moveToEnd } from './select.ts'
import { type State, type Theme, patchView, SHOWS, store } from './store.ts'

export const THEMES: readonly Theme[] = ['system', 'light', 'dark', 'contrast']

/** What only the page can do; the page says how when it starts. */
export interface Page {
  chooseFile(): void
  link(): string
  /** True where the library is a drawer. */
  isNarrow(): boolean
}
let page: Page | null = null

export function setPage(shell: Page): void {
  page = shell
}

/** What every shortcut does. A command without an entry does not compile. */
const RUN: Readonly<Record<CommandId, () => void>> = {
  'next-turn': step('turn', 1),
  'previous-turn': step('turn', -1),
  'next-user': step('user', 1),
  'previous-user': step('user', -1),
  'next-break': step('break', 1),
  'previous-break': step('break', -1),
  'next-resist': step('resist', 1),
  'previous-resist': step('resist', -1),
  'next-flip': () => walk(1),
  'previous-flip': () => walk(-1),
  'next-step': step('step', 1),
  'previous-step': step('step', -1),
  goto: () => patchView({ dialog: 'goto' }),
  'first-turn': () => moveToEnd('first'),
  'last-turn': () => moveToEnd('last'),
  'tab-decision': () => chooseTab('decision'),
  'tab-why-not': () => chooseTab('why-not'),
  'tab-momentum': () => chooseTab('momentum'),
  'tab-signals': () => chooseTab('signals'),
  'tab-prompt': () => chooseTab('prompt'),
  'tab-budget': () => chooseTab('budget'),
  'tab-bundle': () => chooseTab('bundle'),
  'tab-coach': () => chooseTab('coach'),
  'tab-probe': () => chooseTab('probe'),
  'tab-raw': () => chooseTab('raw'),
  show: () => {
    const { show, compare } = store.getState().view
    const usable = SHOWS.filter((name) => name !== 'flips' || compare !== null)
    patchView({ show: usable[(usable.indexOf(show) + 1) % usable.length] ?? 'all' })
  },
  'whole-text': () => {
    const { selected } = store.getState().view
    if (selected !== null) void toggleWhole(selected)
  },
  find: () => openFind(!page?.isNarrow()),
  'find-next': () => findNext(1),
  'find-previous': () => findNext(-1),
  follow: toggleFollow,
  export: () => patchView({ dialog: 'export' }),
  'add-folder': () => patchView({ dialog: 'add-folder' }),
  dock: toggleDock,
  'dock-tune': () => openDock('tune'),
  'dock-flips': () => openDock('flips'),
  'dock-compare': () => openDock('compare'),
  'dock-label': () => openDock('label'),
  'dock-lab': () => openDock('lab'),
  'save-draft': () => void saveDraft(),
  palette: () => patchView({ dialog: 'palette' }),
  playground: () => patchView({ dialog: 'playground' }),
  'build-bundle': () => patchView({ dialog: 'bundle' }),
  'coach-lab': () => patchView({ dialog: 'coach-lab' }),
  'coach-settings': () => patchView({ dialog: 'coach' }),
  'probe-lab': () => patchView({ dialog: 'probe-lab' }),
  'probe-desk': () => patchView({ dialog: 'probe-desk' }),
  'probe-session': startProbe,
  'coach-ask': proposeThis,
  'coach-ask-all': proposeAll,
  'open-file': openFileCommand,
  library: () => {
    const { drawer, library } = store.getState().view
    patchView(page?.isNarrow() ? { drawer: !drawer } : { library: !library })
  },
  'theme-next': () => {
    const next = (THEMES.indexOf(store.getState().view.theme) + 1) % THEMES.length
    chooseTheme(THEMES[next] ?? 'system')
  },
  'copy-link': () => {
    if (page) void copyText(page.link(), 'link')
  },
  help: () => patchView({ dialog: 'help' }),
}

function step(kind: Step, by: 1 | -1): () => void {
  return () => {
    move(kind, by)
  }
}

/** The native dialog where there is one, else the browser's. */
export function openFileCommand(): void {
  if (valueOf(store.getState().document.info)?.nativeDialog) void openDialog()
  else page?.chooseFile()
}

const USABLE: Readonly<Partial<Record<When, (state: State) => boolean>>> = {
  compare: (state) => state.view.compare !== null || walksFlips(state),
  draft: canSave,
  file: canFollow,
  find: ({ view }) => (view.find?.seqs.length ?? 0) > 0,
}

/** True when a shortcut or palette entry has something to act on. */
export function isUsable(when: When, state: State): boolean {
  if (when === 'always') return true
  // The keys of the session do nothing while the library lies over it.
  if (state.folders.shown !== null) return false
  const replayed = valueOf(state.session.replay)
  return replayed !== null && (USABLE[when]?.(state) ?? true)
}

/** The shell's menu names themes one by one. */
const THEME_COMMAND = /^theme-(system|light|dark|contrast)$/u

/** Runs a command by its id; ids that we do not know (of a newer shell) do nothing. */
export function runCommand(id: string): boolean {
  const theme = THEMES.find((name) => name === THEME_COMMAND.exec(id)?.[1])
  if (theme) chooseTheme(theme)
  const shortcut = SHORTCUTS.find(({ command }) => command === id)
  if (!shortcut || !isUsable(shortcut.when, store.getState())) return false
  RUN[shortcut.command]()
  return true
}
