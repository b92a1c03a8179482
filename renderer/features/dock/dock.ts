import { valueOf } from '../../app/async-data.ts'
import { ensureCorpus, forgetCorpus, onCorpus } from './corpus.ts'
import { forgetFile, loadDraft } from '../tune/draft.ts'
import { flipsSoon, groupsInView, onFlips, stepFlip } from '../flips/state.ts'
import { forgetLabels, loadLabels, nextUnlabelled } from '../label/labels.ts'
import { marksSoon } from '../label/marks.ts'
import { textChanged } from './sides.ts'
import { signalsSoon } from '../tune/signals.ts'
import { type CorpusChoice, lab, patchLab } from './store.ts'
import { move } from '../../app/select.ts'
import { type Dock, type State, patchView, runKey, store } from '../../app/store.ts'

const CHOICE_KEY = 'turnscope.corpus'
let last: Dock = 'tune'

export function openDock(dock: Dock): void {
  last = dock
  patchView({ dock })
}

/** Closes the dock, or opens the tab that was open last. */
export function toggleDock(): void {
  const { dock } = store.getState().view
  if (dock === null) openDock(last)
  else {
    last = dock
    patchView({ dock: null })
  }
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
  onCorpus(() => {
    flipsSoon()
    signalsSoon()
  })
  onFlips(() => {
    signalsSoon()
    marksSoon()
  })
  let before = look(store.getState())
  store.subscribe((state) => {
    const now = look(state)
    const was = before
    before = now
    if (!now.online) {
      if (was.online) forgetAll()
      return
    }
    if (now.place !== was.place || !was.online) void loadLabels()
    if (!now.dock) return
    if (!was.dock || now.place !== was.place || !was.online) {
      ensureCorpus()
      void loadDraft()
      signalsSoon()
      marksSoon()
    }
    if (now.run !== was.run) {
      void loadDraft()
      flipsSoon()
    }
  })
  lab.subscribe((state, past) => {
    if (state.choice !== past.choice) localStorage.setItem(CHOICE_KEY, JSON.stringify(state.choice))
  })
}

function forgetAll(): void {
  forgetCorpus()
  forgetFile()
  forgetLabels()
}
