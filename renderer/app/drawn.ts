import { valueOf } from './async-data.ts'
import { isReplayed } from './selectors.ts'
import { type State, patchSession, store } from './store.ts'
import { whenIdle } from './timing.ts'

/** Maximum delay in ms of optional work if the page is never idle. */
const MOST_MS = 1500

const sessionOf = ({ document, session }: State) =>
  `${valueOf(document.opened)?.key ?? ''} ${document.generation} ${session.index}`

let waitsFor = ''

/**
 * [U189] Marks a session as drawn once the page is idle after the first replay. The replay is drawn in pieces, and
 * requests made meanwhile would compete for the processors.
 */
store.subscribe((state) => {
  const which = sessionOf(state)
  if (state.session.isDrawn || waitsFor === which || !isReplayed(state)) return
  waitsFor = which
  whenIdle(() => {
    waitsFor = ''
    const now = store.getState()
    if (sessionOf(now) === which && isReplayed(now)) patchSession({ isDrawn: true })
  }, MOST_MS)
})
