import { createStore } from 'zustand/vanilla'
import { failed, idle, loading, ready, valueOf } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { flipsSoon } from '../flips/flips.ts'
import { textChanged } from '../lab/sides.ts'
import { type LoadedFile, type Options, lab, patchLab, labPlace } from '../lab/store.ts'
import { runReplay } from '../../app/replay.ts'
import { createQuery } from '../../app/query.ts'
import { call, mapped } from '../../app/question.ts'
import { store } from '../../app/store.ts'
import { createDelay } from '../../app/timing.ts'
import { wireConfig } from '../../app/wire.ts'

/** The editor that shows the draft; it owns undo and redo. */
export interface Editor {
  /** Loads another file. The undo history of the previous file is cleared. */
  load(text: string): void
  /** A change that undo takes back; reports the new text itself. */
  replace(text: string): void
}

const shown = createStore<{ readonly editor: Editor | null }>(() => ({ editor: null }))

export function setEditor(editor: Editor): void {
  shown.setState({ editor })
}

/** Drafts of this window replace each other, and never those of another one. */
const WINDOW = crypto.randomUUID()
/** The draft is kept for another day when nothing was typed for that long. */
const KEEP_MS = 700
const keeping = createDelay()
/** Stores the typed text immediately. */
let keepNow: () => void = () => undefined

function config() {
  return wireConfig(store.getState().view.run)
}

const loaded = createQuery<LoadedFile>({
  place: labPlace('file'),
  keepWhenFailed: false,
  onAnswer: (file) => {
    const text = file.draft ?? file.text
    const notice =
      file.problem === null
        ? null
        : { what: file.problem, where: file.file, do: 'Look at it there' }
    patchLab({ text, notice })
    shown.getState().editor?.load(text)
    flipsSoon()
  },
})

/** Loads the domain file of the configuration in force with the draft that was left over it. */
export function loadDraft(): void {
  const { domains } = store.getState().view.run
  const { ask } = call('draft.load', { config: config() }, { where: domains })
  // A file that could not be read is tried again.
  if (lab.getState().file.status === 'failed') loaded.leave()
  loaded.show({
    key: domains,
    ask: (on) => {
      const nothing = {
        text: null,
        options: {},
        problems: [],
        signal: null,
        saving: idle,
        conflict: null,
      }
      // A draft of the file before is kept as one of that file.
      if (keeping.isDue()) keepNow()
      patchLab({ file: loading(), history: idle, ...nothing })
      return ask(on)
    },
  })
}

/** The draft's text, loaded if necessary; null if it cannot be read. */
export function draftText(): Promise<string | null> {
  loadDraft()
  return new Promise((resolve) => {
    const look = () => {
      const { file, text } = lab.getState()
      const isOver = text !== null || file.status === 'failed'
      if (isOver) resolve(text)
      return isOver
    }
    if (look()) return
    const stop = lab.subscribe(() => {
      if (look()) stop()
    })
  })
}

export function setText(text: string): void {
  if (text === lab.getState().text) return
  patchLab({ text })
  flipsSoon()
  const of = config()
  keepNow = () => {
    keeping.stop()
    void keep(of)
  }
  keeping.restart(keepNow, KEEP_MS)
}

/** A change made by a button; the editor can undo it. */
export function replaceText(text: string): void {
  shown.getState().editor?.replace(text)
  setText(text)
}

export function setOptions(options: Options): void {
  patchLab({ options })
  flipsSoon()
}

/** @param of configuration whose domain file the text is a draft of */
async function keep(of = config()): Promise<void> {
  const state = lab.getState()
  try {
    await host().call('draft.keep', {
      config: of,
      text: textChanged(state) ? state.text : null,
      window: WINDOW,
    })
  } catch (error) {
    patchLab({ notice: failureOf(error, 'The draft could not be kept') })
  }
}

/** Back to the file as saved; undo brings the draft back. */
export function discardDraft(): void {
  const file = valueOf(lab.getState().file)
  if (!file) return
  patchLab({ options: {} })
  replaceText(file.text)
  flipsSoon()
}

/** [T51] Writes the domain file. The host refuses if the file has changed since it was loaded. */
export async function saveDraft(): Promise<void> {
  const state = lab.getState()
  const file = valueOf(state.file)
  const { text } = state
  if (!file || text === null || !textChanged(state)) return
  // [F20] The operator first chooses which of the two texts to keep.
  if (state.conflict) return
  await write(file, text)
}

async function write(file: LoadedFile, text: string): Promise<void> {
  keeping.stop()
  patchLab({ saving: loading(), notice: null, conflict: null })
  try {
    const { fingerprint } = file
    const saved = await host().call('draft.save', { config: config(), text, fingerprint })
    patchLab({
      file: ready({
        ...file,
        text,
        draft: null,
        writable: true,
        fingerprint: saved.fingerprint,
      }),
      saving: ready({ file: saved.file, lines: saved.changedLines, at: Date.now() }),
    })
    // The session in view is decided by the saved file from now on.
    runReplay()
    flipsSoon()
    loadHistory()
  } catch (error) {
    const failure = failureOf(error, file.file)
    patchLab({ saving: failed(failure) })
    await lookAgain()
    if (!lab.getState().conflict) patchLab({ notice: failure })
  }
}

/**
 * [F22] Reads the file again. If another program saved it and nothing was typed here, its version is shown. If
 * something was typed, it is a conflict, and the operator chooses.
 */
export async function lookAgain(): Promise<void> {
  const before = valueOf(lab.getState().file)
  if (!before) return
  const theirs = await host()
    .call('draft.load', { config: config() })
    .catch(() => null)
  const state = lab.getState()
  // Meanwhile it was saved, or another file is shown.
  if (theirs === null || valueOf(state.file) !== before || state.saving.status === 'loading') return
  if (theirs.fingerprint === before.fingerprint) return
  if (textChanged(state) && theirs.text !== state.text) patchLab({ conflict: theirs })
  else showTheirs(theirs)
}

/**
 * [U77] Follows a draft left by another window, as long as this window has not edited it. The other window may continue
 * to edit the draft, or discard it.
 */
export async function lookAtDraft(): Promise<void> {
  const before = valueOf(lab.getState().file)
  if (typeof before?.draft !== 'string') return
  const theirs = await host()
    .call('draft.load', { config: config() })
    .catch(() => null)
  const { file, text, saving } = lab.getState()
  const isOurs = valueOf(file) !== before || text !== before.draft || saving.status === 'loading'
  if (theirs === null || isOurs || theirs.fingerprint !== before.fingerprint) return
  if (theirs.draft === before.draft) return
  const now = theirs.draft ?? theirs.text
  // Runs before the editor reports the change, so that text from elsewhere is not stored as this window's draft.
  patchLab({ file: ready(theirs), text: now })
  shown.getState().editor?.replace(now)
  flipsSoon()
}

function showTheirs(theirs: LoadedFile): void {
  patchLab({ file: ready({ ...theirs, draft: null }), conflict: null, saving: idle })
  replaceText(theirs.text)
  runReplay()
  flipsSoon()
}

/** Theirs in the editor; undo brings ours back, and the history has it. */
export async function takeTheirs(): Promise<void> {
  const { conflict } = lab.getState()
  if (!conflict) return
  keeping.stop()
  await keep()
  showTheirs(conflict)
}

/** Ours over the very text that was shown as theirs: what came after that is a conflict again. */
export async function overwriteTheirs(): Promise<void> {
  const { conflict, text } = lab.getState()
  if (!conflict || text === null) return
  patchLab({ file: ready({ ...conflict, draft: null }) })
  await write(conflict, text)
}

const history = createQuery({
  place: labPlace('history'),
  keepWhenFailed: false,
})

export function loadHistory(): void {
  const question = call('draft.history', { config: config() }, { where: 'History of drafts' })
  void history.ask(mapped(question, ({ drafts }) => drafts))
}

/** Puts an older draft into the editor; undo brings the present one back. */
export async function restoreDraft(id: string): Promise<void> {
  try {
    const { text } = await host().call('draft.at', { config: config(), id })
    replaceText(text)
  } catch (error) {
    patchLab({ notice: failureOf(error, 'This draft') })
  }
}

/** Adds a signal to the draft, only on the operator's click (T18). */
export async function addSignal(
  domain: string,
  pattern: string,
  named: { readonly id: string; readonly note?: string; readonly madeFrom?: string[] } | null,
): Promise<void> {
  const { text } = lab.getState()
  if (text === null) return
  try {
    const edited = await host().call('draft.edit', {
      text,
      edit: { kind: 'add', domain, pattern, id: null, ...named },
    })
    replaceText(edited.text)
  } catch (error) {
    patchLab({ notice: failureOf(error, domain) })
  }
}

/** [L98] Adds weights to the draft, only on the operator's click. */
export async function takeWeights(
  weights: ReadonlyArray<{
    readonly domain: string
    readonly index: number
    readonly weight: number
  }>,
  madeFrom: readonly string[],
): Promise<void> {
  const { text } = lab.getState()
  if (text === null) return
  try {
    const asked = weights.map(({ domain, index, weight }) => ({ domain, index, weight }))
    const question = { text, weights: asked, madeFrom: [...madeFrom] }
    replaceText((await host().call('draft.weights', question)).text)
  } catch (error) {
    patchLab({ notice: failureOf(error, 'Weights') })
  }
}

export function setOption<K extends keyof Options>(name: K, value: Options[K] | undefined): void {
  const rest = { ...lab.getState().options }
  // An omitted option takes the preset's value.
  if (value === undefined) Reflect.deleteProperty(rest, name)
  else rest[name] = value
  setOptions(rest)
}
