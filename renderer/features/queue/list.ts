import { isRight } from '../../../core/engine/lab/metrics/label.ts'
import {
  LABEL_LISTS,
  type LabelList,
  type Measured,
  type TurnList,
} from '../../../core/engine/schema/queue.ts'
import type { TurnLabel } from '../../../core/engine/schema/label.ts'
import { measured } from '../../../core/engine/lab/queue/precision.ts'
import { type AsyncData, idle, valueOf } from '../../app/async-data.ts'
import { featureStore } from '../../app/query.ts'
import type { Answer } from '../../app/question.ts'
import { store } from '../../app/store.ts'
import { jumpTo, sessionInView } from '../../stores/lab/corpus.ts'
import { labQuery } from '../../stores/lab/basis.ts'
import { lab } from '../../stores/lab/store.ts'

export type Listed = Answer<'queue.turns'>
export type ListedTurn = Listed['items'][number]

/** Result of the decision according to a label given from the list. */
type Outcome = 'right' | 'wrong'

export interface QueueState {
  readonly list: TurnList
  /** Rises when the list is to be ordered again. */
  readonly round: number
  readonly found: AsyncData<Listed>
  /** Place of the turn in hand; -1 = none. */
  readonly at: number
  /** Labelled since the list was made, by key of the turn. */
  readonly done: ReadonlyMap<string, Outcome>
}

export const {
  store: queue,
  use: useQueue,
  patch: patchQueue,
  place: queuePlace,
} = featureStore<QueueState>({ list: 'queue', round: 0, found: idle, at: -1, done: new Map() })

/** The list on screen; a new one begins with nothing labelled. */
export const listing = labQuery<Listed>({
  place: queuePlace('found'),
  onAnswer: () => patchQueue({ at: -1, done: new Map() }),
})

export function keyOfTurn({ turn }: ListedTurn): string {
  return `${turn.session} ${turn.seq}`
}

/** [L83] Turns of the list that have no label yet, and the one in hand, with their places. */
export function openPlaces({ found, done, at }: QueueState): readonly number[] {
  const items = valueOf(found)?.items ?? []
  return [...items.keys()].filter((place) => {
    const item = items[place]
    return item !== undefined && (place === at || !done.has(keyOfTurn(item)))
  })
}

export function currentItem({ found, at }: QueueState): ListedTurn | null {
  return valueOf(found)?.items[at] ?? null
}

/** Shows a turn of the list in its session. */
export function showPlace(at: number): void {
  const item = valueOf(queue.getState().found)?.items[at]
  const head = item && valueOf(lab.getState().corpus)?.sessions[item.turn.session]
  if (!item || !head) return
  patchQueue({ at })
  jumpTo(head, item.turn)
}

/**
 * Moves to the next (1) or previous unlabeled turn of the list. After the last one, next starts again at the first;
 * previous stays at the start.
 */
export function stepQueue(by: 1 | -1): void {
  const state = queue.getState()
  const items = valueOf(state.found)?.items ?? []
  const isOpen = (place: number) => {
    const item = items[place]
    return item !== undefined && !state.done.has(keyOfTurn(item))
  }
  for (let place = state.at + by; place >= 0 && place < items.length; place += by) {
    if (!isOpen(place)) continue
    showPlace(place)
    return
  }
  const first = [...items.keys()].find(isOpen)
  if (by === 1 && first !== undefined && first !== state.at) showPlace(first)
}

/** The current turn of the list, if the event is that turn and the panel is open. */
function inHand(seq: number): ListedTurn | null {
  const state = store.getState()
  if (state.view.dock !== 'queue') return null
  const item = currentItem(queue.getState())
  const corpus = valueOf(lab.getState().corpus)
  if (!item || !corpus || item.turn.seq !== seq) return null
  return sessionInView(corpus, state) === item.turn.session ? item : null
}

function listOf(list: TurnList): LabelList | null {
  return LABEL_LISTS.find((each) => each === list) ?? null
}

/** [L83] The origin of a label, for the precision of its list; empty for a turn outside the list. */
export function viaOf(seq: number): Pick<TurnLabel, 'via'> {
  const state = queue.getState()
  const item = inHand(seq)
  const list = listOf(state.list)
  const found = valueOf(state.found)
  // A second look at the same turn is no second label.
  if (!item || !list || !found || state.done.has(keyOfTurn(item))) return {}
  const nth = found.precision.labelled[list] + state.done.size + 1
  return { via: { list, nth, said: item.item.decided } }
}

/** [L86] Is the label that is being given the one on which readers settle? */
export function isSettling(): boolean {
  const { dock } = store.getState().view
  return dock === 'queue' && queue.getState().list === 'disagreements'
}

/** [L83] A turn of the list was labelled, or its label taken away: the list is shorter, or longer, by one. */
export function noteLabel(
  seq: number,
  label: Pick<TurnLabel, 'primary' | 'acceptable'> | null,
): void {
  const item = inHand(seq)
  if (!item) return
  const done = new Map(queue.getState().done)
  if (label) done.set(keyOfTurn(item), isRight(label, item.item.decided) ? 'right' : 'wrong')
  else done.delete(keyOfTurn(item))
  patchQueue({ done })
}

/** Labels of a list that its precision is of. */
const FIRST = 50

/** [L83] The share of errors in a list, including labels given since it was made. */
export function precisionOf(state: QueueState, list: LabelList): Measured | null {
  const found = valueOf(state.found)
  if (!found) return null
  const before = found.precision[list]
  const since = state.list === list ? [...state.done.values()].slice(0, FIRST - before.of) : []
  const wrong = since.filter((outcome) => outcome === 'wrong').length
  return measured(before.hits + wrong, before.of + since.length)
}
