import { expect, it } from 'vitest'
import type { EventKind } from '../schema/event-kind.ts'
import { outputsThatWentOn } from './went-on.ts'

const wentOn = (...kinds: readonly EventKind[]) => [
  ...outputsThatWentOn(kinds.map((kind, seq) => ({ kind, seq, name: null }))),
]

it('[V23] an output before a call or another message of the agent is none that ends its turn', () => {
  expect(wentOn('user', 'agent', 'tool_call', 'tool_result', 'agent', 'user')).toEqual([1])
  expect(wentOn('user', 'agent', 'reasoning', 'agent')).toEqual([1])
})

it('[V23] what a harness puts in between says nothing; the person, an interruption and the end do', () => {
  expect(wentOn('agent', 'injected', 'meta', 'tool_result', 'tool_call')).toEqual([0])
  expect(wentOn('agent', 'injected', 'user', 'agent', 'interruption', 'agent')).toEqual([])
  expect(wentOn('agent')).toEqual([])
})

it('[V23] a run that recorded a verdict had stopped at the output before it', () => {
  const judged = ['agent', 'meta', 'agent', 'meta'] as const
  const events = judged.map((kind, seq) => ({
    kind,
    seq,
    name: kind === 'meta' ? 'verdict' : null,
  }))
  expect([...outputsThatWentOn(events)]).toEqual([])
})
