import { describe, expect, it } from 'vitest'
import type { EventKind } from '../schema/event-kind.ts'
import { createOpenSessions, type SessionRow } from './open-sessions.ts'

const row = (session: string, turn: number, kind: EventKind = 'user', message = 'text') => ({
  session,
  turn,
  kind,
  message,
})
const ALL = { user: true, agent: true, tool: true }
const open = (limit = 10, classify = ALL) => createOpenSessions<SessionRow>(classify, limit)

/** `session turn`, and whether it is classified; or the error. */
function taken(sessions: ReturnType<typeof open>, each: SessionRow): readonly string[] {
  const result = sessions.take(each)
  if (!result.ok) return [result.error]
  return result.value.map(({ row: { session, turn }, of }) => `${session} ${turn} ${of !== null}`)
}

describe('rows of sessions', () => {
  it('[L8] an agent output waits until the session says whether the agent acted again', () => {
    const sessions = open()
    expect(taken(sessions, row('a', 1))).toEqual(['a 1 true'])
    expect(taken(sessions, row('a', 2, 'agent'))).toEqual([])
    expect(taken(sessions, row('b', 1, 'agent'))).toEqual([])
    // It says nothing about the output before it.
    expect(taken(sessions, row('a', 3, 'injected'))).toEqual(['a 3 false'])
    expect(taken(sessions, row('a', 4, 'tool_call'))).toEqual(['a 2 true', 'a 4 false'])
    expect(taken(sessions, row('b', 2, 'user'))).toEqual(['b 1 false', 'b 2 true'])
    expect(taken(sessions, row('a', 5, 'agent'))).toEqual([])
    expect(taken(sessions, row('c', 1, 'agent', ' \n'))).toEqual(['c 1 false'])
    const ended = sessions.end().map(({ row: { turn }, of }) => [turn, of])
    expect(ended).toEqual([[5, null]])
    expect(sessions.end()).toEqual([])
  })

  it('[L8] what the preset does not classify is no turn', () => {
    const sessions = open(10, { user: false, agent: false, tool: true })
    expect(taken(sessions, row('a', 1))).toEqual(['a 1 false'])
    expect(taken(sessions, row('a', 2, 'agent'))).toEqual(['a 2 false'])
    expect(taken(sessions, row('a', 3, 'tool_result'))).toEqual(['a 3 true'])
  })

  it('[F110] a row behind its turn is refused and changes nothing', () => {
    const sessions = open()
    taken(sessions, row('a', 5))
    for (const turn of [5, 4])
      expect(taken(sessions, row('a', turn))).toEqual([expect.stringContaining('after turn 5')])
    expect(taken(sessions, row('a', 9))).toEqual(['a 9 true'])
  })

  it('[F112] the session that was quiet longest is let go of, with what waited of it', () => {
    const sessions = open(2)
    taken(sessions, row('a', 1, 'agent'))
    taken(sessions, row('b', 1))
    const first = sessions.take(row('b', 2))
    expect(taken(sessions, row('c', 1))).toEqual(['a 1 false', 'c 1 true'])
    expect(sessions.dropped()).toBe(1)
    // The session restarts: it has a new state, and its numbers may start again.
    expect(taken(sessions, row('a', 1))).toEqual(['a 1 true'])
    const again = sessions.take(row('b', 1))
    if (!first.ok || !again.ok) throw new Error('both are taken')
    expect(again.value[0]?.of).not.toBe(first.value[0]?.of)
  })
})
