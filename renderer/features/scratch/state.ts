import type { ScratchText } from '../../../core/engine/schema/scratch.ts'
import { type AsyncData, type Failure, idle, valueOf } from '../../app/async-data.ts'
import { onGrown } from '../../app/grow.ts'
import { failureOf, host } from '../../app/host.ts'
import { emptyLink } from '../../app/link.ts'
import { openSource } from '../../app/open.ts'
import { featureStore, followed } from '../../app/query.ts'
import { type Answer, call } from '../../app/question.ts'
import { selectMade } from '../../app/select.ts'
import { selectedTurn } from '../../app/selectors.ts'
import { patchView, type State, store } from '../../app/store.ts'
import { inForce } from '../../app/wire.ts'
import { keepText, keptText } from './kept-text.ts'
import { typeAhead } from './type-ahead.ts'

export type Pad = Answer<'scratch.read'>
export type Tried = Answer<'scratch.try'>
type After = Answer<'scratch.after'>
type Found = Answer<'scratch.probe'>

interface Scratch {
  /** What the open scratch session holds; null where none is open. */
  readonly pad: Pad | null
  /** What is being typed. */
  readonly draft: ScratchText
  readonly tried: AsyncData<Tried>
  readonly after: AsyncData<After>
  readonly found: AsyncData<Found>
  /** The person lets the probe be asked, wherever it is. */
  readonly probes: boolean
  /** All that the probe would ask is on this machine. */
  readonly isNear: boolean
  readonly isWriting: boolean
  readonly failure: Failure | null
}

const EMPTY: ScratchText = { kind: 'user', text: '' }

const own = featureStore<Scratch>({
  ...{ pad: null, draft: EMPTY, tried: idle, after: idle, found: idle },
  ...{ probes: false, isNear: false, isWriting: false, failure: null },
})

const { store: scratch, patch, place } = own
export const { use: useScratch } = own

/** Id of the scratch session on screen. */
export function shownPad({ document }: State = store.getState()): string | null {
  const { source, opened } = document
  return source?.kind === 'scratch' && opened.status === 'ready' ? source.id : null
}

/** How many events stand before what is typed. */
export function placeOf({ from, written }: Pad): number {
  return (from?.seq ?? 0) + written.length
}

/** Session of the opened file that is written in: of a branch the recorded one stands before it. */
export function sessionOf({ from }: Pad): number {
  return from === null ? 0 : 1
}

/** The place of what is typed; null while nothing can be said of it. */
function asked() {
  const { pad, draft, isWriting } = scratch.getState()
  const about = inForce()
  if (!about || !pad || isWriting || shownPad() !== pad.id) return null
  const key = about.address.key
  const at = { key, session: sessionOf(pad), at: placeOf(pad), config: about.config }
  return { pad, draft, at, of: about.of }
}

/** [U160] What is typed, tried whenever the answer to what was typed before is there. */
followed({
  place: place('tried'),
  watch: [store, scratch],
  question: () => {
    const now = asked()
    if (now === null || now.draft.text === '') return null
    const question = call(
      'scratch.try',
      { ...now.at, ...now.draft },
      { where: 'This text', of: now.of },
    )
    return { ...question, topic: JSON.stringify([now.at, now.draft.kind]) }
  },
})

followed({
  place: place('found'),
  watch: [store, scratch],
  question: () => {
    const now = asked()
    const { probes, isNear } = scratch.getState()
    if (
      now === null ||
      !(probes || isNear) ||
      now.draft.kind !== 'user' ||
      now.draft.text.trim() === ''
    )
      return null
    const input = { ...now.at, text: now.draft.text }
    return { ...call('scratch.probe', input, { where: 'The probe', of: now.of }), topic: 'probe' }
  },
})

/** [U163] What a branch decides otherwise behind it. */
followed({
  place: place('after'),
  watch: [store, scratch],
  question: () => {
    const now = asked()
    const from = now?.pad.from
    if (!now || !from || !now.pad.rest) return null
    const { key, config } = now.at
    const input = { key, from: from.seq, written: now.pad.written.length, config }
    return call('scratch.after', input, {
      where: 'The rest',
      of: `${now.of} ${JSON.stringify(now.pad.written)}`,
    })
  },
})

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

/** Writes what the session holds from now on; the window shows it as it shows a file that grows. */
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

/** [U161] What is typed becomes an event; what comes next is mostly an answer to it. */
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
    // The session chooses a place of its own first.
    queueMicrotask(() => selectMade(seq))
  }
  const stop = store.subscribe(look)
  look(store.getState())
}

let endTypeAhead: () => void = () => undefined

/** Messages for a scratch session that has not been read yet. */
let given: { readonly id: string; readonly texts: readonly string[] } | null = null

async function begin(from: RecordedPlace | null, texts: readonly string[] = []): Promise<void> {
  endTypeAhead()
  endTypeAhead = typeAhead()
  try {
    const { id } = await beginFrom(from)
    if (texts.length > 0) given = { id, texts }
    const session = from === null ? 0 : 1
    // The end of the history is what the next turn comes after.
    const turn = (from?.turn ?? 0) > 1 ? Number(from?.turn) - 1 : null
    openSource({ kind: 'scratch', id }, { ...emptyLink, session, turn, dock: 'scratch' })
  } catch (error) {
    endTypeAhead()
    patchView({ notice: failureOf(error, 'The scratch session') })
  }
}

interface RecordedPlace {
  readonly key: string
  readonly session: number
  readonly seq: number
  readonly turn: number | null
}
const beginFrom = (from: RecordedPlace | null) => host().call('scratch.begin', { from })

export const tryMessage = () => void begin(null)

/** [U184] A scratch session of these messages: the last one stands in the field, to be tried. */
export function tryMessages(texts: readonly string[]): void {
  void begin(null, texts)
}

/** [U162] What if this event had been another one. */
export function branchHere(): void {
  const state = store.getState()
  const { selected: seq } = state.view
  const key = valueOf(state.document.opened)?.key
  if (seq === null || key === undefined) return
  const turn = selectedTurn(state)
  void begin({ key, session: state.session.index, seq, turn: turn === null ? null : turn + 1 })
}

/** Reads what the scratch session on screen holds, and what was being typed. */
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
    // A branch begins with what was recorded, to be changed.
    const recorded = from && written.length === 0 ? { kind: from.kind, text: from.text } : EMPTY
    patch({ pad, draft: keptText(id) ?? recorded, failure: null })
    if (given?.id === id) await writeGiven(given.texts)
  } catch (error) {
    patch({ failure: failureOf(error, 'The scratch session') })
  } finally {
    reading = null
  }
}

async function writeGiven(texts: readonly string[]): Promise<void> {
  given = null
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
    openSource({ kind: 'path', path }, { ...emptyLink, source: { kind: 'path', path }, event: seq })
    return null
  } catch (error) {
    return failureOf(error, name)
  }
}
