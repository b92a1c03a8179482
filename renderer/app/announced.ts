import type { EventCode } from '../timeline/words.ts'
import { counted } from '../ui/format.ts'
import { shortName } from '../ui/visible.ts'
import { valueOf } from './async-data.ts'
import { selectedTurn } from './selectors.ts'
import type { State } from './store.ts'
import { replayedOf, verdictOf } from './verdicts.ts'

const PRODUCT = 'Turnscope'

/** Effect of momentum, as the end of a sentence; empty if it changed nothing. */
const MOMENTUM: Readonly<Record<EventCode, string>> = {
  same: '',
  accept: '',
  hold: ', held by momentum',
  resist: ', another domain was resisted',
  widen: ', widened to two domains',
  break: ', momentum was broken',
}

/** Name of the session in view: its title, else the name of its file. Null if no session is open. */
function sessionName(state: State): string | null {
  const opened = valueOf(state.document.opened)
  if (opened === null) return null
  const title = opened.sessions[state.session.index]?.title ?? ''
  return shortName(title === '' ? opened.name : title)
}

/** [U226] Title of the window: turn and session, so that windows and their history can be told apart. */
export function titleOfWindow(state: State): string {
  const session = sessionName(state)
  if (session === null) return PRODUCT
  const turn = selectedTurn(state)
  return [...(turn === null ? [] : [`Turn ${turn + 1}`]), session, PRODUCT].join(' · ')
}

/**
 * [U227] The sentence that a screen reader says of the state: the decision of the selected turn. Empty if no session is
 * decided. Errors and progress have live regions where they are shown, and are not said twice.
 */
export function announcementOf(state: State): string {
  const replayed = replayedOf(state)
  if (replayed === null) return ''
  const { selected } = state.view
  const verdict = selected === null ? null : verdictOf(replayed, selected)
  if (verdict === null) return counted(replayed.columns.turns, 'turn')
  const { turn, primary, secondary, event, ambiguous } = verdict
  const domains = secondary === null ? primary : `${primary} and ${secondary}`
  const doubt = ambiguous === null ? '' : ', ambiguous'
  return `Turn ${turn + 1} of ${replayed.columns.turns}: ${domains}${MOMENTUM[event]}${doubt}`
}
