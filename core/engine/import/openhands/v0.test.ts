import { expect, it } from 'vitest'
import { NO_TEXTS } from '../../schema/event.ts'
import { createLog } from '../shared/import-log.ts'
import { openhands } from './importer.ts'

/** An action with the model reply that contains its call. */
function action(args: object, given: string, id: string): object {
  const tool_calls = [{ id, function: { name: 'edit', arguments: given } }]
  const model_response = { choices: [{ message: { tool_calls } }] }
  const tool_call_metadata = { function_name: 'edit', tool_call_id: 'c1', model_response }
  return { id: 1, source: 'agent', action: 'edit', args, tool_call_metadata }
}

function callsOf(value: object): readonly string[] {
  const reader = openhands.read(createLog(), NO_TEXTS)
  reader.take({ value, ref: { offset: 0, length: 1, line: 1 } })
  reader.tidy?.()
  const events = [...reader.drafts()].flatMap((session) => session.events)
  return events.filter(({ kind }) => kind === 'tool_call').map(({ text }) => String(text))
}

const DERIVED = { path: '/a', content: '', start: 1, end: -1 }

it('[I117] the arguments are those that the model gave, not what the harness made of them', () => {
  const given = '{"command": "create", "path": "/a", "file_text": "beds"}'
  expect(callsOf(action(DERIVED, given, 'c1'))).toEqual([
    '{"command":"create","path":"/a","file_text":"beds"}',
  ])
  expect(callsOf(action(DERIVED, '{cut', 'c1'))).toEqual(['{cut'])
})

it('[I117] without the call in the reply they are those of the action', () => {
  const derived = ['{"path":"/a","content":"","start":1,"end":-1}']
  expect(callsOf(action(DERIVED, '{}', 'another'))).toEqual(derived)
})
