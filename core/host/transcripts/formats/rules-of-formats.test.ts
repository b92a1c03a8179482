import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { plainEvents } from '../../../engine/schema/event.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'

// Rules about whole formats, on one small record or on the fixtures written another way.

const fixture = (path: string): string =>
  readFileSync(new URL(`../../../../fixtures/import/${path}`, import.meta.url), 'utf8')
const lines = (records: readonly unknown[]): string =>
  records.map((record) => JSON.stringify(record)).join('\n')

async function read(text: string): Promise<ImportedTranscript> {
  const result = await readTranscript(Buffer.from(text))
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

/** Content of every session, without its place in the file. */
function said({ format, sessions }: ImportedTranscript): unknown {
  return {
    format,
    sessions: sessions.map((session) => ({
      id: session.id,
      thread: session.thread,
      events: plainEvents(session).map(({ kind, name, text, at }) => ({ kind, name, text, at })),
    })),
  }
}

const kinds = ({ sessions }: ImportedTranscript) =>
  sessions.flatMap(({ events }) => events.map(({ kind }) => kind))

type Json = readonly Json[] | { readonly [name: string]: Json } | string | number | boolean | null

/** Names of the protocol in another spelling; keys of attributes are values and stay. */
function renamed(value: Json, rename: (name: string) => string): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one: Json) => renamed(one, rename))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]),
  )
}

describe('OTLP', () => {
  const genai = JSON.parse(fixture('otlp/genai-current.json')) as Json
  const snake = (name: string) => name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)
  const batches = (name: string) => (name === 'resourceSpans' ? 'batches' : name)

  it.each([
    ['an array', JSON.stringify([genai])],
    ['lines', lines([genai])],
    ['snake_case', JSON.stringify(renamed(genai, snake))],
    ['the batches of Tempo', JSON.stringify(renamed(genai, batches))],
  ])('[I33] %s says the same as one object', async (_, text) => {
    const one = await read(JSON.stringify(genai))
    expect(kinds(one).length).toBeGreaterThan(3)
    expect(said(await read(text))).toEqual(said(one))
  })

  it('[I33] only zeros is no parent; the first attributes that hold messages win', async () => {
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })
    const messages = (content: string) =>
      JSON.stringify([{ role: 'user', parts: [{ type: 'text', content }] }])
    const span = (parentSpanId: string) => ({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
                  spanId: '00f067aa0ba902b7',
                  parentSpanId,
                  name: 'chat',
                  startTimeUnixNano: '1760000000000000000',
                  attributes: [
                    attribute('input.value', 'from the generic name'),
                    attribute('gen_ai.operation.name', 'chat'),
                    attribute('gen_ai.input.messages', messages('from GenAI')),
                  ],
                },
              ],
            },
          ],
        },
      ],
    })
    const none = await read(JSON.stringify(span('')))
    expect(none.sessions[0]?.events.map(({ text }) => text)).toEqual(['from GenAI'])
    expect(said(await read(JSON.stringify(span('0000000000000000'))))).toEqual(said(none))
  })
})

describe('Langfuse', () => {
  const time = (second: number) => `2026-03-01T10:00:0${second}.000Z`
  const observation = {
    id: 'o1',
    traceId: 't1',
    type: 'GENERATION',
    name: 'chat',
    startTime: time(1),
    endTime: time(2),
    model: 'm',
    input: [{ role: 'user', content: 'hello' }],
    output: { role: 'assistant', content: 'good day' },
  }
  const tool = {
    id: 'o2',
    traceId: 't1',
    type: 'TOOL',
    name: 'search',
    startTime: time(3),
    endTime: time(4),
    input: { q: 'frost' },
    output: 'none',
  }
  const score = { id: 's1', name: 'helpful', value: 1, timestamp: time(5) }
  const trace = {
    id: 't1',
    name: 'trace',
    timestamp: time(0),
    sessionId: 'chat',
    scores: [score],
    input: null,
    output: null,
    metadata: null,
    tags: [],
  }

  it('[I35] what is written twice counts once; values may be JSON in strings; scores are meta', async () => {
    const readWith = (observations: readonly object[]) =>
      read(JSON.stringify({ trace, observations }))
    const once = await readWith([observation, tool])
    expect(kinds(once)).toEqual(
      expect.arrayContaining(['user', 'agent', 'tool_call', 'tool_result', 'meta']),
    )
    expect(said(await readWith([observation, tool, observation, tool]))).toEqual(said(once))
    const packed = {
      ...observation,
      input: JSON.stringify(observation.input),
      output: JSON.stringify(observation.output),
    }
    expect(said(await readWith([packed, tool]))).toEqual(said(once))
  })
})

describe('LangSmith', () => {
  const id = '00000000-0000-4000-8000-000000000001'
  const order = `20260301T100001000000Z${id}`
  const run = {
    id,
    trace_id: id,
    dotted_order: order,
    name: 'chat',
    run_type: 'llm',
    start_time: '2026-03-01T10:00:01.000000',
    error: null,
    inputs: { messages: [{ role: 'user', content: 'howdy' }] },
    extra: { metadata: { thread_id: 'kitchen' } },
  }
  const outputs = { choices: [{ index: 0, message: { role: 'assistant', content: 'Howdy!' } }] }
  const end = '2026-03-01T10:00:02.000000'

  it('[I36] post and patch of one id are one run; the order stands in for what is missing', async () => {
    const whole = await read(lines([{ ...run, outputs, end_time: end }]))
    expect(kinds(whole)).toEqual(['user', 'agent'])
    expect(whole.sessions[0]?.id).toContain('kitchen')
    const patch = { trace_id: id, dotted_order: order, outputs, end_time: end }
    expect(said(await read(JSON.stringify({ post: [run], patch: [patch] })))).toEqual(said(whole))
    const bare = { ...run, id: undefined, trace_id: undefined, outputs, end_time: end }
    expect(said(await read(lines([bare])))).toEqual(said(whole))
  })
})

describe('Codex', () => {
  const at = (second: number) => `2026-05-04T18:00:0${second}.000Z`
  const event = (second: number, payload: object) => ({
    timestamp: at(second),
    type: 'event_msg',
    payload,
  })
  const item = (second: number, payload: object) => ({
    timestamp: at(second),
    type: 'response_item',
    payload,
  })
  const meta = { timestamp: at(0), type: 'session_meta', payload: { id: 'c', cwd: '/w' } }
  const hello = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }

  it('[I13] interruptions and errors are events, counts and marks are counted, world state is injected', async () => {
    const transcript = await read(
      lines([
        meta,
        item(1, hello),
        event(2, { type: 'token_count', info: null }),
        event(3, { type: 'turn_aborted', reason: 'interrupted' }),
        event(4, { type: 'error', message: 'stream ended' }),
        event(5, { type: 'never_heard_of' }),
        { timestamp: at(6), type: 'world_state', payload: { state: { files: ['a'] } } },
      ]),
    )
    expect(kinds(transcript)).toEqual(['user', 'interruption', 'system', 'injected'])
    expect(Object.keys(transcript.skipped).join(' ')).toMatch(/token_count.*never_heard_of/u)
  })

  it('[I13] an item of `codex exec --json` that begins, changes and ends is one call and its result', async () => {
    const command = (status: string, more: object) => ({
      id: 'item_1',
      type: 'command_execution',
      command: 'ls',
      status,
      aggregated_output: '',
      ...more,
    })
    const transcript = await read(
      lines([
        { type: 'thread.started', thread_id: 't' },
        { type: 'turn.started' },
        { type: 'item.started', item: command('in_progress', {}) },
        { type: 'item.updated', item: command('in_progress', { aggregated_output: 'a' }) },
        {
          type: 'item.completed',
          item: command('completed', { aggregated_output: 'a\nb', exit_code: 0 }),
        },
        { type: 'item.completed', item: { id: 'item_2', type: 'agent_message', text: 'done' } },
      ]),
    )
    expect(kinds(transcript).filter((kind) => kind.startsWith('tool'))).toEqual([
      'tool_call',
      'tool_result',
    ])
  })
})
