import { valueOf } from './async-data.ts'
import { type Follow, type State, patchDocument, store } from './store.ts'

function turnsOf(state: State): number {
  return valueOf(state.session.replay)?.columns.turns ?? 0
}

function patchFollow(patch: Partial<Follow>): void {
  patchDocument({ follow: { ...store.getState().document.follow, ...patch } })
}

/** The reader went back: the end is no longer kept in sight, and new turns are counted from here. */
export function pauseSticking(): void {
  const state = store.getState()
  if (state.document.follow.stick) patchFollow({ stick: false, seen: turnsOf(state) })
}

/** The reader is at the end again. */
export function resumeSticking(): void {
  const { follow } = store.getState().document
  if (follow.state !== 'off' && !follow.stick) patchFollow({ stick: true })
}

/** True while the newest turn is to be kept in sight. */
export function isSticking(state: State): boolean {
  return state.document.follow.stick
}

/** Turns that came since the reader left the end; null while it is in sight or nothing is followed. */
export function unseenTurns(state: State): number | null {
  const { follow } = state.document
  if (follow.state === 'off' || follow.stick) return null
  return Math.max(0, turnsOf(state) - follow.seen)
}

/** The reader has read that the file was replaced. */
export function seenRestart(): void {
  const { follow } = store.getState().document
  if (follow.state === 'restarted') patchDocument({ follow: { ...follow, state: 'watching' } })
}
