import { valueOf } from '../../app/async-data.ts'
import { ensureCorpus } from './corpus.ts'
import { loadDraft } from '../tune/draft.ts'
import { flipsSoon, groupsInView, stepFlip } from '../flips/state.ts'
import { nextUnlabelled } from '../label/labels.ts'
import { marksSoon } from '../label/marks.ts'
import { textChanged } from './sides.ts'
import { signalsSoon } from '../tune/signals.ts'
import { type CorpusChoice, lab, patchLab } from './store.ts'
import { move } from '../../app/select.ts'
import { type Dock, type State, patchView, runKey, store } from '../../app/store.ts'

const CHOICE_KEY = 'turnscope.corpus'

export function openDock(dock: Dock): void {
  patchView({ dock, lastDock: dock })
}

/** Closes the dock, or opens the tab that was open last. */
export function toggleDock(): void {
  const { dock, lastDock } = store.getState().view
  if (dock === null) openDock(lastDock)
  else patchView({ dock: null, lastDock: dock })
}

export function canSave(): boolean {
  return textChanged(lab.getState())
}

/** What `n` and `p` go through: flips of the draft, turns without a label, or flips of the comparison. */
export function walksFlips({ view }: State): boolean {
  if (view.dock === 'label') return true
  return view.dock === 'flips' && groupsInView().length > 0
}

export function walk(by: 1 | -1): void {
  const { view, session } = store.getState()
  const replayed = valueOf(session.replay)
  if (view.dock === 'label' && replayed) nextUnlabelled(replayed, by)
  else if (view.dock === 'flips' && groupsInView().length > 0) stepFlip(by)
  else move('flip', by)
}

function rememberedChoice(): CorpusChoice | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(CHOICE_KEY) ?? 'null')
    if (typeof value !== 'object' || value === null) return null
    const { file, folders, samples } = value as Record<string, unknown> // read field by field below
    return {
      file: file !== false,
      folders: Array.isArray(folders) ? folders.filter((one) => typeof one === 'string') : [],
      samples: samples === true,
    }
  } catch {
    return null
  }
}

interface Seen {
  readonly online: boolean
  readonly dock: boolean
  readonly run: string
  readonly place: string
  readonly events: number
}

function look(state: State): Seen {
  const { document, session, view } = state
  const opened = valueOf(document.opened)
  return {
    online: document.connection.kind === 'online',
    dock: view.dock !== null,
    run: runKey(view.run),
    place: opened ? `${opened.key} ${session.index} ${opened.complete} ${document.generation}` : '',
    events: valueOf(session.events)?.kind.length ?? 0,
  }
}

/** Keeps the lab with the session in view: labels always, the corpus while the dock is open. */
export function followLab(): void {
  const choice = rememberedChoice()
  if (choice) patchLab({ choice })
  let before = look(store.getState())
  store.subscribe((state) => {
    const now = look(state)
    const was = before
    before = now
    if (!now.online) return
    if (!now.dock) return
    if (!was.dock || now.place !== was.place || !was.online) {
      ensureCorpus()
      loadDraft()
      signalsSoon()
      marksSoon()
    }
    if (now.run !== was.run) {
      loadDraft()
      flipsSoon()
    }
  })
  lab.subscribe((state, past) => {
    if (state.choice !== past.choice) localStorage.setItem(CHOICE_KEY, JSON.stringify(state.choice))
    const isOther = (name: 'corpus' | 'flips') =>
      state[name].status === 'ready' && valueOf<unknown>(past[name]) !== state[name].value
    if (isOther('corpus')) flipsSoon()
    // What depends on a draft that can be used may be asked now.
    if (isOther('corpus') || isOther('flips')) signalsSoon()
    if (isOther('flips')) marksSoon()
  })
}
