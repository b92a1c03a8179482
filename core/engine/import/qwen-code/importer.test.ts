import { expect, it } from 'vitest'
import { freshText, type Origin } from '../shared/drafts.ts'
import { systemEvents } from './importer.ts'

const ORIGIN: Origin = { at: null, model: null, source: { offset: 0, length: 0, line: 1 } }

/** Kind, text, name and whether it is an error, of each event. */
const eventsOf = (subtype: string, payload: unknown) =>
  systemEvents(subtype, payload, ORIGIN).map((event) => [
    event.kind,
    freshText(event),
    event.name,
    event.isError,
  ])

const command = (text: string, name: string) => [['command', text, name, false]]

it.each([
  ['a command', { rawCommand: '/stats' }, command('/stats', 'slash-command')],
  ['no command', {}, []],
  [
    'what it shows',
    { phase: 'result', outputHistoryItems: [{ text: 'one' }, { count: 2 }, 'three'] },
    command('one\n{"count":2}\nthree', 'command-output'),
  ],
  ['nothing that it shows', { phase: 'result', rawCommand: '/quit' }, []],
])('[I126] slash commands and their output are commands: %s', (_, payload, events) => {
  expect(eventsOf('slash_command', payload)).toEqual(events)
})

it('[I126] contents of named files were not typed', () => {
  expect(eventsOf('at_command', { filesRead: ['a.ts'], message: 'read' })).toEqual([
    ['injected', '[file a.ts]\nread', 'at-command', false],
  ])
  expect(eventsOf('at_command', { message: 7 })).toEqual([])
})

it('[I126] a compression gives its summary, or what is known of it', () => {
  const compressedHistory = [{ parts: [{ text: 'so far' }, { call: 1 }, 'done'] }]
  expect(eventsOf('chat_compression', { compressedHistory })).toEqual([
    ['summary', 'so far\ndone', 'compression', false],
  ])
  expect(eventsOf('chat_compression', { info: { tokens: 3 } })).toEqual([
    ['meta', '{"tokens":3}', 'compression', false],
  ])
})

it.each([
  ['ui_telemetry', { uiEvent: { error_message: 'no network' } }, 'no network'],
  ['ui_telemetry', { uiEvent: { error_message: 'exit 1', function_name: 'shell' } }, null],
  ['ui_telemetry', { uiEvent: null }, null],
  ['turn_result', { error: { message: 'refused' } }, 'refused'],
  ['turn_result', { error: null }, null],
])(
  '[I126] errors of the interface are `system`, those of tools stand in results: %s %j',
  (subtype, payload, text) => {
    expect(eventsOf(subtype, payload)).toEqual(
      text === null ? [] : [['system', text, 'error', true]],
    )
  },
)

it.each([
  [{ systemInstruction: 'You help.' }, ['You help.']],
  [{ systemInstruction: { parts: [{ text: 'You' }, { text: 'help.' }] } }, ['You\nhelp.']],
  [{ systemInstruction: { parts: [] } }, []],
  [null, []],
])('[I126] what an agent begins with is `system`: %j', (payload, texts) => {
  expect(eventsOf('agent_bootstrap', payload)).toEqual(
    texts.map((text) => ['system', text, null, false]),
  )
})

it('[I126] words of an unknown subtype are `meta` under it; bookkeeping says nothing', () => {
  expect(eventsOf('new_thing', { content: 'words' })).toEqual([
    ['meta', 'words', 'new_thing', false],
  ])
  expect(eventsOf('new_thing', { count: 1 })).toEqual([])
  expect(eventsOf('rewind', { content: 'words' })).toEqual([])
  // A name that every object has is no subtype.
  expect(eventsOf('constructor', { text: 'words' })).toEqual([
    ['meta', 'words', 'constructor', false],
  ])
  expect(eventsOf('notification', { displayText: 'done' })).toEqual([
    ['notification', 'done', null, false],
  ])
  expect(eventsOf('notification', {})).toEqual([])
})
