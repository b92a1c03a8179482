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
