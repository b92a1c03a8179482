import { valueOf } from '../../app/async-data.ts'
import { runKey, type State, store } from '../../app/store.ts'
import { expireLab } from '../../stores/lab/basis.ts'
import { ensureCorpus, expireCorpus } from '../../stores/lab/corpus.ts'
import { type CorpusChoice, lab, patchLab } from '../../stores/lab/store.ts'
import { flipsSoon } from '../../stores/flips/flips.ts'
import { marksSoon } from '../../stores/label/marks.ts'
import { loadDraft } from '../../stores/drafts/draft.ts'
import { signalsSoon } from '../../stores/drafts/signals.ts'

const CHOICE_KEY = 'turnscope.corpus'

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
}

function look(state: State): Seen {
  const { document, session, view } = state
  const opened = valueOf(document.opened)
  return {
    online: document.connection.kind === 'online',
    dock: view.dock !== null,
    run: runKey(view.run),
    place: opened ? `${opened.key} ${session.index} ${opened.complete} ${document.generation}` : '',
  }
}

/** Keeps the lab in step with the session in view. The corpus is requested while the dock is open. */
export function followLab(): void {
  const choice = rememberedChoice()
  if (choice) patchLab({ choice })
  let before = look(store.getState())
  store.subscribe((state) => {
    const now = look(state)
    const was = before
    before = now
    // [U220] Runs in the same step as the choice, so that no number of the previous configuration is drawn again.
    expireCorpus()
    expireLab()
    // The draft is of one domain file, also while the dock is closed.
    if (now.run !== was.run && lab.getState().file.status !== 'idle') loadDraft()
    if (!now.online || !now.dock) return
    if (!was.dock || now.place !== was.place || !was.online) {
      ensureCorpus()
      loadDraft()
      signalsSoon()
      marksSoon()
    }
    if (now.run !== was.run) {
      ensureCorpus()
      loadDraft()
      flipsSoon()
      signalsSoon()
    }
  })
  lab.subscribe((state, past) => {
    if (state.choice !== past.choice) expireLab()
    if (state.choice !== past.choice) localStorage.setItem(CHOICE_KEY, JSON.stringify(state.choice))
    const isOther = (name: 'corpus' | 'flips') =>
      state[name].status === 'ready' && valueOf<unknown>(past[name]) !== state[name].value
    if (isOther('corpus')) flipsSoon()
    // Requests that depend on a usable draft may start now.
    if (isOther('corpus') || isOther('flips')) signalsSoon()
    if (isOther('flips')) marksSoon()
    // [U110] Without a corpus the text alone says which signals there are.
    const isEdited = state.text !== past.text || state.options !== past.options
    if (isEdited && valueOf(state.corpus) === null) signalsSoon()
  })
}
