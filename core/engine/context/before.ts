import type { SessionEvent } from '../schema/event.ts'
import type { Session } from '../schema/session.ts'

/**
 * [X9] Events of the parent that are in the context of a branch: those before its first event in the file. A
 * sub-agent has a separate context, so nothing is before it.
 */
export function eventsBefore(
  session: Session,
  sessions: readonly Session[],
): readonly SessionEvent[] {
  const seen = new Set<Session>()
  let before: readonly SessionEvent[] = []
  let at = session
  while (at.thread.startsWith('branch-') && !seen.has(at)) {
    seen.add(at)
    const { parent: name } = at
    const parent = sessions.find(({ id }) => id === name)
    const first = at.events[0]
    if (parent === undefined || first === undefined) break
    before = [...parent.events.filter((event) => isBefore(event, first)), ...before]
    at = parent
  }
  return before
}

function isBefore({ source: a }: SessionEvent, { source: b }: SessionEvent): boolean {
  return a.file === b.file && a.offset < b.offset
}
