import type { Session } from './schema/session.ts'

/**
 * [I102] Returns a function that gives, for each session of a file, the 0-based event of its parent that started it.
 * That function returns null if no record says so. Only parents of started sessions are searched, each once.
 */
export function startingCalls(sessions: readonly Session[]): (session: Session) => number | null {
  const wanted = new Set(sessions.flatMap(({ startedBy }) => startedBy ?? []))
  const parents = new Set(
    sessions.flatMap((each) => (each.startedBy === undefined ? [] : each.parent)),
  )
  const calls = new Map<string, number>()
  for (const { id, events } of sessions) {
    if (!parents.has(id)) continue
    for (const [seq, { kind, callId }] of events.entries()) {
      if (kind !== 'tool_call' || callId === null || !wanted.has(callId)) continue
      const key = JSON.stringify([id, callId])
      if (!calls.has(key)) calls.set(key, seq)
    }
  }
  return ({ parent, startedBy }) => calls.get(JSON.stringify([parent, startedBy])) ?? null
}
