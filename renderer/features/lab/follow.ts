import { valueOf } from '../../app/async-data.ts'
import { runKey, type State, store } from '../../app/store.ts'
import { ensureCorpus, forgetCorpus, onCorpus } from '../lab-corpus/corpus.ts'
import { type CorpusChoice, lab, patchLab } from '../lab-corpus/store.ts'
import { flipsSoon, onFlips } from '../flips/state.ts'
import { forgetLabels, loadLabels } from '../label/labels.ts'
import { marksSoon } from '../label/marks.ts'
import { forgetFile, loadDraft } from '../tune/draft.ts'
import { signalsSoon } from '../tune/signals.ts'

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
