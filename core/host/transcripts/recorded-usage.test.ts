import { expect, test } from 'vitest'
import { readTranscript } from '../../../fixtures/read-transcript.ts'

const lines = (...records: readonly unknown[]) =>
  records.map((record) => JSON.stringify(record)).join('\n')
const document = (value: unknown) => JSON.stringify(value, null, 1)

/** A format, a file of it, and the tokens in the context of its calls. */
const ROWS: ReadonlyArray<readonly [format: string, file: string, contexts: readonly number[]]> = [
  [
    'openai-messages',
    document({
      id: 'c1',
      object: 'chat.completion',
      model: 'gpt-lab',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Three ducks.' } }],
      usage: { prompt_tokens: 90, completion_tokens: 4, total_tokens: 94 },
    }),
    [90],
  ],
  [
    'openai-messages',
    document({
      id: 'r1',
      object: 'response',
      model: 'gpt-lab',
      output: [
        { type: 'reasoning', id: 'q', summary: [{ type: 'summary_text', text: 'Count.' }] },
        {
          type: 'message',
          id: 'm',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Three ducks.' }],
        },
      ],
      usage: { input_tokens: 70, input_tokens_details: { cached_tokens: 20 }, output_tokens: 4 },
    }),
    [70],
  ],
  [
    'openai-messages',
    document({
      messages: [
        { role: 'user', content: 'How many ducks?' },
        { role: 'assistant', content: 'Three.' },
        { role: 'user', content: 'And geese?' },
        { role: 'assistant', content: 'None.' },
      ],
      // The total of a whole conversation is no context.
      usage: { prompt_tokens: 900, completion_tokens: 8 },
    }),
    [],
  ],
  [
    'autogen',
    lines(
      { type: 'TextMessage', source: 'user', content: 'How many ducks?', models_usage: null },
      {
        type: 'TextMessage',
        source: 'keeper',
        content: 'Three.',
        models_usage: { prompt_tokens: 31, completion_tokens: 2 },
      },
    ),
    [31],
  ],
  [
    'cline',
    document([
      { ts: 1780000000000, type: 'say', say: 'task', text: 'Count the ducks.' },
      {
        ts: 1780000001000,
        type: 'say',
        say: 'api_req_started',
        text: JSON.stringify({
          request: 'x',
          tokensIn: 5,
          tokensOut: 9,
          cacheReads: 40,
          cacheWrites: 3,
        }),
      },
      { ts: 1780000002000, type: 'say', say: 'reasoning', text: 'They swim.' },
      { ts: 1780000003000, type: 'say', say: 'text', text: 'Three.' },
    ]),
    [48],
  ],
  [
    'kimi',
    lines(
      { type: 'metadata', protocol_version: '1.1' },
      { timestamp: 1780000000, message: { type: 'TurnBegin', payload: { user_input: 'Count.' } } },
      {
        timestamp: 1780000001,
        message: { type: 'ThinkPart', payload: { type: 'think', think: 'Swim.' } },
      },
      {
        timestamp: 1780000002,
        message: { type: 'TextPart', payload: { type: 'text', text: 'Three.' } },
      },
      {
        timestamp: 1780000003,
        message: {
          type: 'StatusUpdate',
          payload: {
            token_usage: {
              input_other: 7,
              output: 2,
              input_cache_read: 50,
              input_cache_creation: 0,
            },
            message_id: 'k1',
          },
        },
      },
    ),
    [57],
  ],
  [
    'langsmith',
    document({
      post: [
        {
          id: '11111111-0000-4000-8000-000000000001',
          trace_id: '11111111-0000-4000-8000-000000000001',
          dotted_order: '20260504T080000000000Z11111111-0000-4000-8000-000000000001',
          run_type: 'llm',
          name: 'ChatLab',
          start_time: '2026-05-04T08:00:00Z',
          inputs: { messages: [{ role: 'user', content: 'How many ducks?' }] },
        },
      ],
      patch: [
        {
          id: '11111111-0000-4000-8000-000000000001',
          trace_id: '11111111-0000-4000-8000-000000000001',
          dotted_order: '20260504T080000000000Z11111111-0000-4000-8000-000000000001',
          end_time: '2026-05-04T08:00:02Z',
          outputs: {
            choices: [{ message: { role: 'assistant', content: 'Three.' } }],
            usage_metadata: { input_tokens: 9, output_tokens: 2, total_tokens: 11 },
          },
        },
      ],
    }),
    [9],
  ],
]

test.each(ROWS)('[X19] calls of %s have their recorded tokens', async (format, file, contexts) => {
  const read = await readTranscript(new TextEncoder().encode(file))
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  expect(read.value.format).toBe(format)
  const events = read.value.sessions.flatMap((session) => session.events)
  const calls = events.flatMap(({ call }) => call ?? [])
  expect(calls.map(({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite)).toEqual(
    contexts,
  )
})

test('[X20] definitions of tools in a span are injected once, as a tool list', async () => {
  const text = (value: unknown) => ({ stringValue: JSON.stringify(value) })
  const span = (spanId: string, start: string, asked: readonly object[], answer: string) => ({
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId,
    name: 'chat lab-1',
    startTimeUnixNano: `178000000${start}000000000`,
    endTimeUnixNano: `178000000${start}500000000`,
    attributes: [
      { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
      { key: 'gen_ai.request.model', value: { stringValue: 'lab-1' } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: '44' } },
      { key: 'gen_ai.input.messages', value: text(asked) },
      { key: 'gen_ai.output.messages', value: text([say('assistant', answer)]) },
      {
        key: 'gen_ai.tool.definitions',
        value: text([{ type: 'function', name: 'count_ducks', description: 'Counts ducks.' }]),
      },
    ],
  })
  const say = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] })
  const first = [say('user', 'How many ducks?')]
  const file = document({
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              span('00f067aa0ba902b7', '1', first, 'Three.'),
              span(
                '00f067aa0ba902b8',
                '2',
                [...first, say('assistant', 'Three.'), say('user', 'Geese?')],
                'None.',
              ),
            ],
          },
        ],
      },
    ],
  })
  const read = await readTranscript(new TextEncoder().encode(file))
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  const events = read.value.sessions.flatMap((session) => session.events)
  expect(events.map(({ kind, name }) => [kind, name])).toEqual([
    ['injected', 'tool-definitions'],
    ['user', null],
    ['agent', null],
    ['user', null],
    ['agent', null],
  ])
})
