import { valueOf } from '../../app/async-data.ts'
import { move } from '../../app/select.ts'
import { type State, store } from '../../app/store.ts'
import { nextUnlabelled } from '../../stores/label/labels.ts'
import { stepQueue } from '../queue/list.ts'
import { groupsInView, stepFlip } from '../../stores/flips/flips.ts'

function ofDraft({ view }: State): boolean {
  return view.dock === 'flips' && groupsInView().length > 0
}

/** Whether there is something to go through: a comparison, labels, or flips of the draft. */
export function canWalk(state: State): boolean {
  const { compare, dock } = state.view
  return compare !== null || dock === 'label' || dock === 'queue' || ofDraft(state)
}

/** `n` and `p` go through flips of the draft, turns without a label, or flips of the comparison. */
export function walk(by: 1 | -1): void {
  const state = store.getState()
  const replayed = valueOf(state.session.replay)
  if (state.view.dock === 'queue') stepQueue(by)
  else if (state.view.dock === 'label' && replayed) nextUnlabelled(replayed, by)
  else if (ofDraft(state)) stepFlip(by)
  else move('flip', by)
}
