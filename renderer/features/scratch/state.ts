import type { ScratchText } from '../../../core/engine/schema/scratch.ts'
import { type Failure, valueOf } from '../../app/async-data.ts'
import { onGrown } from '../../app/grow.ts'
import { failureOf, host } from '../../app/host.ts'
import { emptyLink, runLink } from '../../app/link.ts'
import { openSource } from '../../app/open.ts'
import { selectMade } from '../../app/select.ts'
import { type State, store } from '../../app/store.ts'
import { takeGiven } from './begin.ts'
import { keepText, keptText } from './kept-text.ts'
import { EMPTY, type Pad, patch, placeOf, scratch, sessionOf, shownPad } from './pad.ts'
import './questions.ts'

export function type(change: Partial<ScratchText>): void {
  const { draft, pad } = scratch.getState()
  const next = { ...draft, ...change }
  patch({ draft: next, failure: null })
  if (pad !== null) keepText(pad.id, next)
}

export function letProbe(): void {
  patch({ probes: true })
}

export function sayNear(isNear: boolean): void {
  if (scratch.getState().isNear !== isNear) patch({ isNear })
}

/** Writes the new contents of the session. The window shows them like a file that grows. */
async function write(change: Partial<Pick<Pad, 'written' | 'undone' | 'rest'>>): Promise<boolean> {
  const { pad, isWriting } = scratch.getState()
  const key = valueOf(store.getState().document.opened)?.key
  if (pad === null || isWriting || key === undefined) return false
  const next = { ...pad, ...change }
  patch({ isWriting: true, failure: null })
  try {
    const { id, written, undone, rest } = next
    const all = { id, key, written: [...written], undone: [...undone], rest }
    const grown = await host().call('scratch.write', all)
    patch({ pad: next })
    onGrown(grown)
    return true
  } catch (error) {
    patch({ failure: failureOf(error, 'The scratch session') })
    return false
  } finally {
    patch({ isWriting: false })
  }
}

/** [U161] Adds the typed text as an event. The next event is usually an answer to it. */
export async function addTyped(): Promise<void> {
  const { pad, draft } = scratch.getState()
  if (pad === null || draft.text.trim() === '') return
  const seq = placeOf(pad)
  if (!(await write({ written: [...pad.written, draft], undone: [] }))) return
  type({ text: '' })
  selectWhenThere(seq)
}

export async function undo(): Promise<void> {
  const pad = scratch.getState().pad
  const last = pad?.written.at(-1)
  if (!pad || !last) return
  await write({ written: pad.written.slice(0, -1), undone: [...pad.undone, last] })
}

export async function redo(): Promise<void> {
  const pad = scratch.getState().pad
  const last = pad?.undone.at(-1)
  if (!pad || !last) return
  const seq = placeOf(pad)
  if (await write({ written: [...pad.written, last], undone: pad.undone.slice(0, -1) })) {
    selectWhenThere(seq)
  }
}

export const keepRest = (rest: boolean) => void write({ rest })

/** Selects an event as soon as the session in view has it. */
function selectWhenThere(seq: number): void {
  const look = ({ session }: State) => {
    const events = valueOf(session.events)?.kind.length ?? 0
    const replayed = session.replay.status === 'ready' ? session.replay.value.events : 0
    if (events <= seq || replayed <= seq || session.awaited !== null) return
    stop()
    // The session selects its own place first.
    queueMicrotask(() => selectMade(seq))
  }
  const stop = store.subscribe(look)
  look(store.getState())
}

/** Loads the scratch session on screen and its unfinished text. */
export function followPad(): void {
  store.subscribe((state) => {
    const id = shownPad(state)
    const { pad } = scratch.getState()
    if (id === null) {
      if (pad !== null) patch({ pad: null, draft: EMPTY })
      return
    }
    if (id === pad?.id || id === reading) return
    reading = id
    void read(id)
  })
}
let reading: string | null = null

async function read(id: string): Promise<void> {
  try {
    const pad = await host().call('scratch.read', { id })
    if (shownPad() !== id) return
    const { from, written } = pad
    // A branch starts with the recorded message, for editing.
    const recorded = from && written.length === 0 ? { kind: from.kind, text: from.text } : EMPTY
    patch({ pad, draft: keptText(id) ?? recorded, failure: null })
    const given = takeGiven(id)
    if (given !== null) await writeGiven(given)
  } catch (error) {
    patch({ failure: failureOf(error, 'The scratch session') })
  } finally {
    reading = null
  }
}

async function writeGiven(texts: readonly string[]): Promise<void> {
  const written = texts.slice(0, -1).map((text): ScratchText => ({ kind: 'user', text }))
  if (written.length > 0) await write({ written })
  type({ kind: 'user', text: texts.at(-1) ?? '' })
}

/** [U164] Keeps the session in the workspace, and opens it as any other. */
export async function keep(name: string, primary: string | null): Promise<Failure | null> {
  const { pad } = scratch.getState()
  const key = valueOf(store.getState().document.opened)?.key
  if (pad === null || key === undefined) return null
  try {
    const seq = Math.max(0, placeOf(pad) - 1)
    const label = primary === null ? null : { primary }
    const input = { key, session: sessionOf(pad), name, label, seq }
    const { path } = await host().call('scratch.keep', input)
    const source = { kind: 'path', path } as const
    openSource(source, { ...emptyLink, ...runLink(store.getState().view), source, event: seq })
    return null
  } catch (error) {
    return failureOf(error, name)
  }
}
