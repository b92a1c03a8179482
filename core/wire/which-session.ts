import type { Immutable } from '../engine/schema/immutable.ts'
import type { Opened } from './contract.ts'

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
