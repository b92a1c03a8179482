import type { Opened } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import type { Link } from './link.ts'

/** A requested session: its number in the file, from 0, or its id. Null if none was requested. */
export type WantedSession = Link['session'] | Link['id']

/** [L108] Message for a session that is missing after the whole file was read. */
export function noSuchSession(wanted: number | string, where: string, count: number) {
  return {
    what: `There is no session ${typeof wanted === 'number' ? wanted + 1 : `"${wanted}"`}`,
    where,
    do: count === 0 ? 'Nothing in it is a session.' : 'The first one is shown.',
  }
}

type Heads = Immutable<Opened>['sessions']

/** Index of the session with that number (from 0) or id; -1 if it is missing or none was requested. */
export function indexOfSession(sessions: Heads, wanted: number | string | null): number {
  if (typeof wanted === 'number') return sessions[wanted] ? wanted : -1
  return sessions.findIndex(({ id }) => id === wanted)
}

/** [I85] Of several sessions the one with most events; samples and links say themselves which. */
export function largestOf(sessions: Heads): number {
  const most = Math.max(...sessions.map((session) => session.events))
  return Math.max(
    0,
    sessions.findIndex((session) => session.events === most),
  )
}
