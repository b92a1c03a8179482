import type { ScratchText } from '../../../core/engine/schema/scratch.ts'
import { type AsyncData, type Failure, idle } from '../../app/async-data.ts'
import { featureStore } from '../../app/query.ts'
import type { Answer } from '../../app/question.ts'
import { type State, store } from '../../app/store.ts'

export type Pad = Answer<'scratch.read'>
export type Tried = Answer<'scratch.try'>
type After = Answer<'scratch.after'>
type Found = Answer<'scratch.probe'>

interface Scratch {
  /** Contents of the open scratch session; null if none is open. */
  readonly pad: Pad | null
  /** The text being typed. */
  readonly draft: ScratchText
  readonly tried: AsyncData<Tried>
  readonly after: AsyncData<After>
  readonly found: AsyncData<Found>
  /** The operator allows the probe to run, wherever its collections are. */
  readonly probes: boolean
  /** All that the probe would ask is on this machine. */
  readonly isNear: boolean
  readonly isWriting: boolean
  readonly failure: Failure | null
}

export const EMPTY: ScratchText = { kind: 'user', text: '' }

const own = featureStore<Scratch>({
  pad: null,
  draft: EMPTY,
  tried: idle,
  after: idle,
  found: idle,
  probes: false,
  isNear: false,
  isWriting: false,
  failure: null,
})

export const { store: scratch, patch, place, use: useScratch } = own

/** Id of the scratch session on screen. */
export function shownPad({ document }: State = store.getState()): string | null {
  const { source, opened } = document
  return source?.kind === 'scratch' && opened.status === 'ready' ? source.id : null
}

/** Number of events before the typed text. */
export function placeOf({ from, written }: Pad): number {
  return (from?.seq ?? 0) + written.length
}

/** Session of the opened file that is edited. For a branch, the recorded session precedes it. */
export function sessionOf({ from }: Pad): number {
  return from === null ? 0 : 1
}
