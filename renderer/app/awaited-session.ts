import { valueOf } from './async-data.ts'
import type { Link } from './link.ts'
import { startSession } from './replay.ts'
import { sourceName } from './source-name.ts'
import { patchView, store } from './store.ts'
import { type WantedSession, indexOfSession, noSuchSession } from './which-session.ts'

/** The requested session that is not available yet, by its number (from 0) or its id. Null if a session is shown. */
let awaitedSession: WantedSession = null

/** @param wanted null: nothing is waited for */
export function awaitSession(wanted: WantedSession): void {
  awaitedSession = wanted
}

/** [L108] [F142] Shows the requested session once it is read. It may come later in the file than the first sessions. */
export function showAwaitedSession(link: Link, isRead: boolean): void {
  const { document, session } = store.getState()
  // If the operator moved to another session, the wait ends.
  if (session.index !== 0) awaitedSession = null
  if (awaitedSession === null) return
  const index = indexOfSession(valueOf(document.opened)?.sessions ?? [], awaitedSession)
  if (index >= 0) {
    awaitedSession = null
    startSession(index, { ...link, session: index })
  } else if (isRead) sayNoSession()
}

/** [L108] Reports that the whole file was read and the linked session is missing. */
export function sayNoSession(): void {
  if (awaitedSession === null) return
  const { source, opened } = store.getState().document
  const count = valueOf(opened)?.sessions.length ?? 0
  const where = source === null ? 'The link' : sourceName(source)
  const notice = noSuchSession(awaitedSession, where, count)
  awaitedSession = null
  if (source === null || source.kind === 'path') patchView({ notice })
}
