import { expect, it } from 'vitest'
import { NO_TEXTS } from '../../schema/event.ts'
import { createLog } from '../shared/import-log.ts'
import { ccConsole } from './console.ts'

it('[I42] what the person decided is no tool: it is said as a notification, with the plan under it', () => {
  const lines = [
    '> plan it',
    "⏺ User approved Claude's plan:",
    '  ⎿  # Sow beans',
    '     1. Rake',
    '⏺ Update Todos                       Cost: $0.07 (10.1s)',
    '  ⎿  ☐ Rake',
    '⏺ User stories come next.',
  ]
  const reader = ccConsole.read(createLog(), NO_TEXTS)
  let offset = 0
  for (const [n, value] of lines.entries()) {
    reader.take({ value, ref: { offset, length: value.length, line: n + 1 } })
    reader.tidy?.()
    offset += value.length + 1
  }
  const events = [...reader.drafts()].flatMap((session) => session.events)
  expect(events.map(({ kind, name, text }) => [kind, name, text])).toEqual([
    ['user', null, 'plan it'],
    ['notification', 'user-approved', "User approved Claude's plan:\n# Sow beans\n1. Rake"],
    ['tool_call', 'Update Todos', ''],
    ['tool_result', 'Update Todos', '☐ Rake'],
    ['agent', null, 'User stories come next.'],
  ])
})
