import { valueOf } from './async-data.ts'
import { isReplayed } from './selectors.ts'
import { type State, patchSession, store } from './store.ts'
import { whenIdle } from './timing.ts'

/** The longest that what nobody waits for waits for a page that is never idle. */
const MOST_MS = 1500

const sessionOf = ({ document, session }: State) =>
  `${valueOf(document.opened)?.key ?? ''} ${document.generation} ${session.index}`

let waitsFor = ''

/** [U189] The first replay of a session is drawn by pieces: what is asked meanwhile takes the processors away. */
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
