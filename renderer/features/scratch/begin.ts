import { valueOf } from '../../app/async-data.ts'
import { failureOf, host } from '../../app/host.ts'
import { emptyLink } from '../../app/link.ts'
import { openSource } from '../../app/open.ts'
import { selectedTurn } from '../../app/selectors.ts'
import { patchView, store } from '../../app/store.ts'
import { typeAhead } from './type-ahead.ts'

let endTypeAhead: () => void = () => undefined

/** Messages for a scratch session that has not been read yet. */
let given: { readonly id: string; readonly texts: readonly string[] } | null = null

/** Returns the initial messages of a scratch session, once; null if there are none. */
export function takeGiven(id: string): readonly string[] | null {
  if (given?.id !== id) return null
  const { texts } = given
  given = null
  return texts
}

async function begin(from: RecordedPlace | null, texts: readonly string[] = []): Promise<void> {
  endTypeAhead()
  endTypeAhead = typeAhead()
  try {
    const { id } = await beginFrom(from)
    if (texts.length > 0) given = { id, texts }
    const session = from === null ? 0 : 1
    // The next turn follows the end of the history.
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

/** [U184] Starts a scratch session with these messages. The last one is put into the field, to be tried. */
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
