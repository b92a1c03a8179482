import { describe, expect, it } from 'vitest'
import { plainEvents } from '../../schema/event.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'

async function read(value: unknown): Promise<{ format: string; said: readonly string[] }> {
  const result = await readTranscript(Buffer.from(JSON.stringify(value)))
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  const { format, sessions } = result.value
  const events = sessions.flatMap(plainEvents)
  return { format, said: events.map(({ kind, name, text }) => `${kind} ${name ?? '-'}: ${text}`) }
}

const message = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Hi' }],
}

describe('items of the Responses API', () => {
  it('[I107] a new item type is shown, and never a reason to take the file for something else', async () => {
    const kite = { id: 'k', type: 'kite_call', action: { height: 4 } }
    const landed = { type: 'kite_call_output', call_id: 'k', output: 'landed' }
    const fresh = { type: 'tide_report', level: 'high' }
    const expected = [
      'meta tide_report: {"type":"tide_report","level":"high"}',
      'tool_call kite: {"height":4}',
      'tool_result kite: landed',
      'agent -: Hi',
    ]
    const output = [fresh, kite, landed, message]
    const response = await read({ id: 'r', object: 'response', output })
    expect(response).toEqual({ format: 'openai-messages', said: expected })
    expect(await read({ id: 'r', output })).toEqual(response)
    expect(await read([{ id: 'r', object: 'response', output }])).toEqual(response)
  })

  it('[I107] a response of nothing but new items is one, and so is one that failed', async () => {
    const only = { id: 'r', object: 'response', output: [{ type: 'tide_report', level: 'low' }] }
    expect((await read(only)).format).toBe('openai-messages')
    const failed = {
      object: 'response',
      output: [],
      error: { code: 'server_error', message: 'Down' },
    }
    const { format, said } = await read({ ...failed, input: 'Sing.' })
    expect(format).toBe('openai-messages')
    expect(said).toEqual(['user -: Sing.', 'system server_error: Down'])
  })
})

describe('logged calls', () => {
  it('[I127] end with the answer beside the messages; other outputs were not taken', async () => {
    const messages = [{ role: 'user', content: 'Which bridge?' }]
    const logged = [{ messages, outputs: ['The stone bridge.', 'The wooden one.'], uuid: 'a' }]
    expect(await read(logged)).toEqual({
      format: 'openai-messages',
      said: ['user -: Which bridge?', 'agent -: The stone bridge.', 'agent -: The wooden one.'],
    })
    const choices = [{ message: { role: 'assistant', content: 'By response.' } }]
    expect((await read([{ messages, response: { choices }, outputs: ['Twice.'] }])).said).toEqual([
      'user -: Which bridge?',
      'agent -: By response.',
    ])
  })

  it('[I127] a prompt without messages, and thoughts and calls of an output', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'map', arguments: '{}' } }
    const output = { text: 'I look.', reasoning_content: 'A map helps.', tool_calls: [call] }
    expect(
      (await read([{ prompt: 'The river?', messages: null, outputs: [output] }])).said,
    ).toEqual([
      'user -: The river?',
      'reasoning -: A map helps.',
      'agent -: I look.',
      'tool_call map: {}',
    ])
  })
})
