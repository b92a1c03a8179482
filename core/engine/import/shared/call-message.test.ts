import { describe, expect, it } from 'vitest'
import { messageOf, takeMessage, takeUserText, type Reading } from './call-message.ts'

function read(value: unknown): {
  readonly events: ReadonlyArray<readonly unknown[]>
  readonly skipped: readonly string[]
} {
  const skipped: string[] = []
  const out: Reading['out'] = []
  const message = messageOf(value)
  if (message === null) return { events: [], skipped: ['no message'] }
  takeMessage(message, {
    out,
    speaker: 'user',
    structured: false,
    skip: (type) => skipped.push(type),
  })
  return { events: out.map(({ kind, text, name }) => [kind, text, name]), skipped }
}

describe('[I32] what is a message', () => {
  it.each([
    [{ lc: 1, id: ['langchain', 'AIMessage'], kwargs: { content: 'a' } }, [['agent', 'a', null]]],
    [{ type: 'ai', data: { content: 'a' } }, [['agent', 'a', null]]],
    [{ type: 'human', content: 'a' }, [['user', 'a', null]]],
    [{ role: 'model', parts: [{ text: 'a' }] }, [['agent', 'a', null]]],
    [{ role: 'assistant', refusal: 'no' }, [['agent', 'no', null]]],
  ])('%j', (value, events) => {
    expect(read(value).events).toEqual(events)
  })

  it.each([
    { type: 'ai' },
    { type: 'constructor', content: 'a' },
    { lc: 1, id: ['x', 'toString'], kwargs: { content: 'a' } },
    { lc: 1, id: [] },
    'a text',
    null,
  ])('%j is none', (value) => {
    expect(messageOf(value)).toBeNull()
  })

  it('an unknown role is kept under its name, which is cut', () => {
    const { events } = read({ role: 'x'.repeat(500), content: 'a' })
    expect(events).toEqual([['meta', 'a', 'x'.repeat(80)]])
  })
})

describe('[I32] calls beside the content and in it', () => {
  const wanted = [['tool_call', '{"a":1}', 'f']]
  it.each([
    { tool_calls: [{ id: '1', function: { name: 'f', arguments: '{"a":1}' } }] },
    { tool_calls: [{ id: '1', name: 'f', args: { a: 1 } }] },
    { tool_calls: [{ id: '1', custom: { name: 'f', input: { a: 1 } } }] },
    {
      tool_calls: [],
      additional_kwargs: { tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }] },
    },
    { function_call: { name: 'f', arguments: '{"a":1}' } },
    {
      content: '[{"function": {"name": "f", "arguments": "{\\"a\\":1}"}}]'.replace(
        '{"function": ',
        '{"function":',
      ),
    },
  ])('%j', (fields) => {
    expect(read({ role: 'assistant', ...fields }).events).toEqual(wanted)
  })

  it.each(['[{"function": "not a call"}]', '[{"id": 1}', '[{"id"'])(
    '%s looks like calls and is text',
    (content) => {
      expect(read({ role: 'assistant', content }).events).toEqual([['agent', content, null]])
    },
  )

  it('a thought, a text and a call stand in their order', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'tool_use', name: 'f', input: {} },
      { type: 'text', text: 'b' },
    ]
    expect(read({ role: 'assistant', reasoning: 'hm', content }).events).toEqual([
      ['reasoning', 'hm', null],
      ['agent', 'a', null],
      ['tool_call', '{}', 'f'],
      ['agent', 'b', null],
    ])
  })
})

describe('[I32] results of tools', () => {
  it.each([
    [{ content: 'ok', tool_call_id: '1', name: 'f' }, 'ok'],
    [
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
    [{ content: [{ type: 'nothing known' }, { type: 'text', text: 'b' }] }, '\nb'],
    [{ content: '', error: { message: 'no such file' } }, 'no such file'],
    [{ content: 'Error: no such file', error: { message: 'no such file' } }, 'Error: no such file'],
    [{ content: 'half', error: { message: 'cut off' } }, 'half\ncut off'],
    [{ content: 'half', error: {} }, 'half'],
    [{ content: [{ type: 'tool-result', result: 'inner' }] }, 'inner'],
  ])('%j', (fields, text) => {
    const { events } = read({ role: 'tool', ...fields })
    expect(events.map(([kind, body]) => [kind, body])).toEqual([['tool_result', text]])
  })

  it('the definition of a tool is no result', () => {
    expect(read({ role: 'tool', content: { type: 'function', name: 'f' } })).toEqual({
      events: [],
      skipped: ['tool definition'],
    })
  })

  it('a message of nothing is skipped, and that is counted', () => {
    expect(read({ role: 'assistant', content: ' ' }).skipped).toEqual([
      'assistant message without content',
    ])
    expect(read({ role: 'user', content: [{ type: 'odd' }] }).skipped).toContain('part/odd')
  })
})

it.each([
  ['Observation:\n3', 'tool_result', 'observation'],
  ["New task:\nYou're a helpful agent named 'x'", 'subagent_prompt', 'managed-agent'],
  ['Now proceed and carry out this plan.', 'injected', 'planning'],
  ['please: Observation:\n3', 'user', null],
])('[I32] %j under the user’s role is %s', (text, kind, rule) => {
  const out: Reading['out'] = []
  takeUserText(text, { out, speaker: 'user', structured: false, skip: () => undefined })
  expect(out.map((event) => [event.kind, event.name])).toEqual([[kind, rule]])
})
