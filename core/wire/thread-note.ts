import type { SessionHead } from './contract.ts'

/**
 * [I102] Whose thread a session is, and the event of its parent, from 1, that started it, the same in the window
 * and on the command line; null for a main thread.
 */
export function threadNote({
  thread,
  startedAtEvent,
}: Pick<SessionHead, 'thread' | 'startedAtEvent'>): string | null {
  if (thread === 'main') return null
  const call = startedAtEvent === null ? '' : `, started by event\u00a0${startedAtEvent + 1}`
  return `sub-agent ${thread}${call}`
}
