import type { Opened } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import type { Link } from './link.ts'

/** A session as somebody asks for it: by its number in the file, from 0, or by its id. Null: nobody does. */
export type WantedSession = Link['session'] | Link['id']

/** [L108] What is said where all was read, and the session is not there. */
export function noSuchSession(wanted: number | string, where: string, count: number) {
  return {
    what: `There is no session ${typeof wanted === 'number' ? wanted + 1 : `"${wanted}"`}`,
    where,
    do: count === 0 ? 'Nothing in it is a session.' : 'The first one is shown.',
  }
}

type Heads = Immutable<Opened>['sessions']

/** Index of the session of that number, from 0, or id; -1: it is not there, or none was asked for. */
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
