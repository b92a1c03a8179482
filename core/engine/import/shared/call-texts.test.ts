import { describe, expect, it } from 'vitest'
import { callContent } from './call-messages.ts'

const skip = (): void => undefined
/** Kinds and texts of the events in an input. */
const asked = (value: unknown): unknown =>
  callContent(value, 'user', skip).events.map(({ kind, text }) => `${kind}: ${text}`)
const GROWS = ['user: What grows here?']

describe('[I114] what the person said is its words, however they were logged', () => {
  it.each([
    ['Gemini, one text', { model: 'm', contents: 'What grows here?' }],
    ['Gemini, a list of texts', { contents: ['What grows here?'] }],
    ['Gemini, without a role', { contents: [{ parts: [{ text: 'What grows here?' }] }] }],
    ['Gemini, twice JSON', JSON.stringify(JSON.stringify({ contents: 'What grows here?' }))],
    ['LlamaIndex, a prompt', { args: ['What grows here?'] }],
    [
      'LlamaIndex, messages',
      { args: [[{ role: 'user', content: 'What grows here?' }]], kwargs: {} },
    ],
    ['LlamaIndex, printed', { messages: ['user: What grows here?'] }],
    [
      'LlamaIndex, blocks',
      [{ role: 'user', blocks: [{ block_type: 'text', text: 'What grows here?' }] }],
    ],
    ['OpenLIT', 'user: What grows here?'],
    ['JSON in a list', ['{"content": "What grows here?", "role": "user"}']],
    ['Python', "[{'role': 'user', 'content': 'What grows here?'}]"],
    [
      'a message in itself',
      [{ role: 'user', content: '{"role":"user","content":"What grows here?"}' }],
    ],
  ])('%s', (_, value) => expect(asked(value)).toEqual(GROWS))

  it('a transcript in one text has its system prompt, answers and results', () => {
    const text =
      'developer: Be short.\nuser: Bed 3?\nassistant: None\ntool: dry\nwhen: now\nuser: So?'
    expect(asked(text)).toEqual([
      'system: Be short.',
      'user: Bed 3?',
      'tool_result: dry\nwhen: now',
      'user: So?',
    ])
  })

  it('lines that only look like a role stay words', () => {
    expect(asked('user: Read this:\nuser: admin\nsystem: linux')).toEqual([
      'user: Read this:\nuser: admin\nsystem: linux',
    ])
    expect(asked('Read this:\nuser: admin')).toEqual(['user: Read this:\nuser: admin'])
  })

  it('arguments that are no words stay as they are', () => {
    expect(asked({ args: [1], kwargs: {} })).toEqual(['user: {"args":[1],"kwargs":{}}'])
    expect(asked({ name: 'f', args: ['a'] })).toEqual(['user: {"name":"f","args":["a"]}'])
  })
})

describe('[I114] a role that is the name of a tool', () => {
  const call = (id: string, name: string): unknown => ({
    role: 'assistant',
    tool_calls: [{ id, function: { name, arguments: '{}' } }],
  })
  const results = (value: unknown): unknown =>
    callContent(value, 'user', skip)
      .events.filter(({ kind }) => kind !== 'tool_call')
      .map(({ kind, name, callId, text }) => [kind, name, callId, text])

  it('is a result of its calls in their order', () => {
    const list = [call('1', 'rain'), call('2', 'rain'), { role: 'rain', content: 'a' }]
    expect(results([...list, { role: 'rain', content: 'b' }])).toEqual([
      ['tool_result', 'rain', '1', 'a'],
      ['tool_result', 'rain', '2', 'b'],
    ])
  })

  it('is another role where nobody called it', () => {
    expect(results([{ role: 'rain', content: 'a' }])).toEqual([['meta', 'rain', null, 'a']])
    const extra = { role: 'rain', content: 'a', additional_kwargs: {} }
    expect(results([extra])).toEqual([['tool_result', 'rain', null, 'a']])
  })
})

describe('[I114] thoughts', () => {
  it.each([
    [{ thinking: 'dry?' }],
    [{ reasoning_details: [{ type: 'reasoning.text', text: 'dry?' }] }],
    [{ additional_kwargs: { reasoning_content: 'dry?' } }],
    [{ additional_kwargs: { reasoning: { summary: [{ type: 'summary_text', text: 'dry?' }] } } }],
  ])('beside the content: %j', (fields) => {
    const { events } = callContent(
      [{ role: 'assistant', content: 'Yes.', ...fields }],
      'agent',
      skip,
    )
    expect(events.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'reasoning: dry?',
      'agent: Yes.',
    ])
  })

  it.each([
    [{ type: 'Microsoft.Extensions.AI.TextReasoningContent', content: { text: 'dry?' } }],
    [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'dry?' }] }],
  ])('as a part: %j', (part) => {
    const { events } = callContent([{ role: 'assistant', content: [part] }], 'agent', skip)
    expect(events).toMatchObject([{ kind: 'reasoning', text: 'dry?' }])
  })
})
