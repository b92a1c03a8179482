import type { Session } from './schema/session.ts'

/**
 * [I102] For each session of a file the event of its parent, from 0, that started it; null where nothing says
 * it. Only parents of started sessions are looked through, each once.
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
