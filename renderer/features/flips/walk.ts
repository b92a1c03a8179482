import { registry } from '../../app/commands.ts'
import { move } from '../../app/select.ts'
import { type State, store } from '../../app/store.ts'
import { groupsInView } from '../../stores/flips/flips.ts'

/** The draft's flips are in front, and there are some. */
export function ofDraft({ view }: State): boolean {
  return view.dock === 'flips' && groupsInView().length > 0
}

function inFront(state: State) {
  return registry.getState().features.find(({ walk }) => walk?.holds(state))?.walk
}

/** Whether there is something to step through: a comparison, or the list in front. */
export function canWalk(state: State): boolean {
  return state.view.compare !== null || inFront(state) !== undefined
}

/** `n` and `p` step through the list in front (turns without a label, flips of the draft), else through flips. */
export function walk(by: 1 | -1): void {
  const front = inFront(store.getState())
  if (front) front.step(by)
  else move('flip', by)
}
