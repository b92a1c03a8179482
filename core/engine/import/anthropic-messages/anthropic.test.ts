import { describe, expect, it } from 'vitest'
import { plainEvents } from '../../schema/event.ts'
import type { ImportedTranscript } from '../source.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'

async function read(...values: readonly unknown[]): Promise<ImportedTranscript> {
  const text = values.map((value) => JSON.stringify(value)).join('\n')
  const result = await readTranscript(Buffer.from(text))
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

function said({ sessions }: ImportedTranscript): readonly string[] {
  return sessions.flatMap((session) =>
    plainEvents(session).map(
      ({ kind, text, name, isError }) =>
        `${kind}${isError ? '!' : ''}${name === null ? '' : ` ${name}`}: ${text}`,
    ),
  )
}

const answer = (content: readonly unknown[], more: object = {}): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content,
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 2 },
  ...more,
})
const text = (words: string): object => ({ type: 'text', text: words })

describe('records of the Messages API', () => {
  it('[I105] tools of the provider are a call and its result, whatever they are called', async () => {
    const use = { type: 'server_tool_use', id: 's1', name: 'code_execution', input: { code: 'x' } }
    const result = (content: unknown): object => ({
      type: 'bash_code_execution_tool_result',
      tool_use_id: 's1',
      content,
    })
    const printed = { type: 'x_result', stdout: 'two lines', stderr: '', return_code: 0 }
    const broken = { type: 'x_result', stdout: '', stderr: 'no such file', return_code: 2 }
    const refused = { type: 'x_tool_result_error', error_code: 'unavailable' }
    const blocks = [text('I look.'), use, result(printed), result(broken), result(refused)]
    const transcript = await read(answer(blocks))
    expect(transcript.format).toBe('anthropic-messages')
    expect(transcript.skipped).toEqual({})
    expect(said(transcript)).toEqual([
      'agent: I look.',
      'tool_call code_execution: {"code":"x"}',
      'tool_result code_execution: two lines',
      'tool_result! code_execution: no such file',
      'tool_result! code_execution: {"type":"x_tool_result_error","error_code":"unavailable"}',
    ])
  })

  it('[I105] a message of Codex stays one: it has other types of text, and says no stop_reason', async () => {
    const item = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hi' }],
    }
    expect((await read(item)).format).toBe('codex')
    expect((await read({ ...item, stop_reason: null })).format).toBe('codex')
  })

  it('[I105] what a search found is shown without what only the provider can read', async () => {
    const found = {
      type: 'web_search_result',
      url: 'https://x.test',
      encrypted_content: 'Q'.repeat(9000),
    }
    const block = { type: 'web_search_tool_result', tool_use_id: 's', content: [found] }
    expect(said(await read(answer([block])))).toEqual([
      'tool_result: {"type":"web_search_result","url":"https://x.test","encrypted_content":"[encrypted, 9 kB]"}',
    ])
  })

  it('[I105] a request has its system prompt first; with its answer beside it, it is one session', async () => {
    const request = {
      model: 'claude-x',
      max_tokens: 10,
      system: [text('Be brief.')],
      tools: [],
      messages: [{ role: 'user', content: 'Why?' }],
    }
    const expected = ['system: Be brief.', 'user: Why?']
    expect(said(await read(request))).toEqual(expected)
    for (const pair of [
      { request, response: answer([text('So.')]) },
      { request: { body: request }, response: { body: answer([text('So.')]) } },
      { ...request, response: answer([text('So.')]) },
    ]) {
      const transcript = await read(pair)
      expect(transcript.format).toBe('anthropic-messages')
      expect(said(transcript)).toEqual([...expected, 'agent: So.'])
    }
  })

  it('[I106] results of a batch are sessions by custom_id; those without an answer say why', async () => {
    const error = { type: 'error', error: { type: 'invalid_request_error', message: 'too long' } }
    const lines = [
      { custom_id: 'a', params: { model: 'm', messages: [{ role: 'user', content: 'Why?' }] } },
      { custom_id: 'a', result: { type: 'succeeded', message: answer([text('So.')]) } },
      { custom_id: 'b', result: { type: 'errored', error } },
      { custom_id: 'c', result: { type: 'expired' } },
      { custom_id: 'd', result: { type: 'canceled' } },
      { custom_id: 'e', result: { type: 'succeeded' } },
    ]
    const transcript = await read(...lines)
    expect(transcript.format).toBe('anthropic-messages')
    expect(transcript.sessions.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
    expect(said(transcript)).toEqual([
      'user: Why?',
      'agent: So.',
      'system! errored invalid_request_error: too long',
      'system! expired: expired',
      'system! canceled: canceled',
    ])
    expect(transcript.problems.map(({ line }) => line)).toEqual([6])
  })

  it('[I105] a list and lines of answers read alike; hidden thoughts leave a mark', async () => {
    const thoughts = [
      { type: 'thinking', thinking: 'Hm.', signature: 'x' },
      { type: 'redacted_thinking', data: 'y' },
    ]
    const answers = [answer([...thoughts, text('One.')]), answer([text('Two.')], { id: 'msg_2' })]
    const expected = [
      'reasoning: Hm.',
      'reasoning: [redacted thinking]',
      'agent: One.',
      'agent: Two.',
    ]
    for (const transcript of [await read(answers), await read(...answers)]) {
      expect(transcript.format).toBe('anthropic-messages')
      expect(said(transcript)).toEqual(expected)
    }
  })
})
