import { rowAt } from './rows.ts'
import { type Failure, valueOf } from './async-data.ts'
import type { Link, LinkedContent } from './link.ts'
import { patchView, type State, store } from './store.ts'
import { replayInForce } from './verdicts.ts'

const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/** 32-bit FNV-1a: distinguishes contents, and is not a security measure. */
function shortHash(text: string): string {
  let hash = OFFSET
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), PRIME) >>> 0
  return hash.toString(36)
}

/** File contents that determine the view; null while they are unknown. */
export function contentOf(state: State): LinkedContent | null {
  const replayed = replayInForce(state)
  if (replayed === null || state.session.replay.status !== 'ready') return null
  const row = rowAt(state.session.windows, state.view.selected ?? -1)
  // The start of a text, and how long it is: rows are cut alike for everybody.
  const event = row && shortHash(`${row.kind} ${row.chars} ${row.text.slice(0, 200)}`)
  return { config: shortHash(replayed.key), event }
}

const DO = 'What is shown is computed from the files as they are here.'

/** [U224] Describes how the linked contents differ from those here; null if they are equal. */
function differenceOf(asked: LinkedContent, here: LinkedContent, state: State): Failure | null {
  const { preset, domains, profile } = state.view.run
  const names = [`preset ${preset}`, `domain file ${domains}`, profile && `profile ${profile}`]
  const parts = [
    asked.config === here.config
      ? null
      : `the content of ${names.filter(Boolean).join(', ')} is not the one that the link was made with`,
    asked.event === null || here.event === null || asked.event === here.event
      ? null
      : 'the transcript has another text at this place',
  ].filter((part) => part !== null)
  if (parts.length === 0) return null
  return {
    what: `This is not exactly what the link shows: ${parts.join(', and ')}`,
    where: '',
    do: DO,
  }
}

let stopChecking: () => void = () => undefined

/** [U224] Compares the contents that the link was made from with those here, once both are known. */
export function checkContent({ of: asked, turn, event }: Link): void {
  stopChecking()
  if (asked === null) return
  const opened = valueOf(store.getState().document.opened)?.key
  const look = (state: State) => {
    const isElsewhere = valueOf(state.document.opened)?.key !== opened
    if (isElsewhere) stopChecking()
    if (isElsewhere || state.session.awaited !== null) return
    const here = contentOf(state)
    if (here === null || (here.event === null && (turn ?? event) !== null)) return
    stopChecking()
    const notice = differenceOf(asked, here, state)
    if (notice) queueMicrotask(() => patchView({ notice }))
  }
  stopChecking = store.subscribe(look)
  look(store.getState())
}
