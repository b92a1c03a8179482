import { expect, it } from 'vitest'
import { createMatcher } from './match.ts'
import { parseQuery } from './parse.ts'
import { toolNames } from './tool-names.ts'
import { plainEvent } from '../../../fixtures/events.ts'
import type { EventKind } from '../schema/event-kind.ts'

const event = (kind: EventKind, name: string | null, seq = 0) => plainEvent({ seq, kind, name })

it('[F8] tools are listed by how often they are called, then by name', () => {
  const events = [
    event('tool_call', 'Read'),
    event('tool_result', 'Read'),
    event('tool_call', 'Bash'),
    event('tool_call', 'Edit'),
    event('tool_call', 'Bash'),
    event('tool_result', null),
    event('user', 'ann'),
    event('agent', 'Bash'),
    event('tool_result', 'mcp__db query'),
  ]
  expect(toolNames(events)).toEqual([
    { name: 'Bash', count: 2 },
    { name: 'Edit', count: 1 },
    { name: 'Read', count: 1 },
    { name: 'mcp__db query', count: 1 },
  ])
})

it('[F8] every tool that is listed is found by its name', () => {
  const events = ['Bash', 'mcp__db query', 'a"b', 'x,y'].map((name, seq) =>
    event('tool_call', name, seq),
  )
  for (const { name } of toolNames(events)) {
    const query = parseQuery(`tool:"${name.replaceAll('"', String.raw`\"`)}"`)
    const matcher = query.ok ? createMatcher(query.value, { facts: null, events: [] }) : query
    if (!matcher.ok) throw new Error(matcher.error.what)
    const found = events.filter((one) => matcher.value.quick(one, () => one.text))
    expect(found.map((one) => one.name)).toEqual([name])
  }
})
