import { describe, expect, it } from 'vitest'
import type { SessionEvent } from './schema/event.ts'
import type { EventKind } from './schema/event-kind.ts'
import { plainEvent } from '../../fixtures/events.ts'
import { turnsOf } from './turns.ts'

function events(...kinds: ReadonlyArray<EventKind | readonly [EventKind, string]>): SessionEvent[] {
  return kinds.map((entry, seq) => {
    const [kind, text] = typeof entry === 'string' ? [entry, entry] : entry
    const source = { offset: 0, length: 0, line: seq + 1 }
    return plainEvent({ seq, kind, text, source })
  })
}

function seqs(classify: Partial<Record<'user' | 'agent' | 'tool', boolean>>, list: SessionEvent[]) {
  const kinds = { user: false, agent: false, tool: false, ...classify }
  return turnsOf(list, kinds).map((turn) => turn.seq)
}

describe('[L8] which events are turns', () => {
  const list = events(
    'injected',
    'user',
    'agent',
    'tool_call',
    'tool_result',
    'reasoning',
    'agent',
    'notification',
    'user',
    'agent',
  )

  it('what a person typed and what tools answered', () => {
    expect(seqs({ user: true, tool: true }, list)).toEqual([1, 4, 8])
    expect(seqs({ user: true }, list)).toEqual([1, 8])
  })

  it('the agent’s output, when it went on by itself', () => {
    expect(seqs({ agent: true }, list)).toEqual([2])
    expect(seqs({ agent: true }, events('user', 'agent', 'agent', 'user'))).toEqual([1])
    expect(seqs({ agent: true }, events('user', ['agent', '  '], 'tool_call'))).toEqual([])
    expect(seqs({ agent: true }, events('user', 'agent', 'injected', 'tool_call'))).toEqual([1])
  })

  it('nothing that a harness put in', () => {
    const harness = events(
      'injected',
      'command',
      'summary',
      'interruption',
      'subagent_prompt',
      'system',
      'meta',
    )
    expect(seqs({ user: true, agent: true, tool: true }, harness)).toEqual([])
  })
})
