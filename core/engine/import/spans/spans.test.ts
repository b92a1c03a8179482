import { describe, expect, it } from 'vitest'
import { createAttachments, fromPool } from '../inspect/attachments.ts'
import { memberOrder } from '../inspect/chunks.ts'
import { parseExact } from '../json/value.ts'
import { callContent } from '../shared/call-messages.ts'
import { createLog } from '../shared/import-log.ts'
import { withSystem } from './beside-messages.ts'
import { createSpanReader } from './reader.ts'
import type { SpanRecord } from './record.ts'

const source = { offset: 0, length: 1, line: 1 }
const none = { events: [], structured: false }

function span(id: string, start: number, fields: Partial<SpanRecord> = {}): SpanRecord {
  return {
    id,
    parent: null,
    trace: 't',
    group: null,
    name: id,
    role: 'model',
    agent: null,
    start,
    at: start,
    endAt: null,
    model: null,
    library: null,
    answerId: null,
    error: null,
    input: none,
    output: none,
    notes: [],
    facts: {},
    ...fields,
  }
}

type CallParts = [
  id: string,
  start: number,
  input: string,
  output: string,
  fields?: Partial<SpanRecord>,
]

/** A call: `u` and `a` before each text say whose it is. */
function call(...parts: CallParts): SpanRecord {
  const [id, start, input, output, fields = {}] = parts
  const list = (texts: string): unknown =>
    texts
      .split(' ')
      .map((text) => ({ role: text.startsWith('u') ? 'user' : 'assistant', content: text }))
  const skip = (): void => undefined
  return span(id, start, {
    input: callContent(list(input), 'user', skip),
    output: callContent(list(output), 'agent', skip),
    ...fields,
  })
}

function sessions(records: readonly SpanRecord[]): unknown {
  const reader = createSpanReader(createLog())
  for (const record of records) {
    reader.take(record, source)
    // A file may be looked at while it is read.
    reader.tidy()
  }
  return [...reader.drafts()]
    .filter(({ events }) => events.length > 0)
    .map(({ thread, events }) => [thread, events.map(({ text }) => text).join(' ')])
}

describe('[I31] what a model call adds', () => {
  it('is what follows the longest beginning shared with a call before', () => {
    const calls = [
      call('1', 1, 'u1', 'a1'),
      call('2', 2, 'u1 a1 u2', 'a2'),
      call('3', 3, 'u1 a1 u2 a2 u2', 'a3'),
    ]
    expect(sessions(calls)).toEqual([['main', 'u1 a1 u2 a2 u2 a3']])
  })

  it('is the same in whatever order the file has them', () => {
    const calls = [
      call('3', 3, 'u1 a1 u2 a2 u3', 'a3'),
      call('1', 1, 'u1', 'a1'),
      call('2', 2, 'u1 a1 u2', 'a2'),
    ]
    expect(sessions(calls)).toEqual([['main', 'u1 a1 u2 a2 u3 a3']])
  })

  it('is not the answer in other words', () => {
    const calls = [
      call('1', 1, 'u1', 'a1'),
      call('2', 2, 'u1 aONE u2', 'a2'),
      call('3', 3, 'u1 aONE u2 aTWO u3', 'a3'),
    ]
    expect(sessions(calls)).toEqual([['main', 'u1 a1 u2 a2 u3 a3']])
  })

  it('is nothing twice when the beginning of a list was cut off', () => {
    const calls = [
      call('1', 1, 'u1', 'a1'),
      call('2', 2, 'u1 a1 u2', 'a2'),
      call('3', 3, 'u2 a2 u3', 'a3'),
    ]
    expect(sessions(calls)).toEqual([['main', 'u1 a1 u2 a2 u3 a3']])
  })

  it('is found among calls with another list in between', () => {
    const calls = [
      call('1', 1, 'u1', 'a1'),
      call('p', 2, 'uplan', 'aplan'),
      call('2', 3, 'u1 a1 u2', 'a2'),
    ]
    expect(sessions(calls)).toEqual([['main', 'u1 a1 uplan aplan u2 a2']])
  })
})

describe('[I31] traces that are not as they should be', () => {
  it('parents in a circle, and parents that are not there, end a walk', () => {
    const loop = [
      call('1', 1, 'u1', 'a1', { parent: '2', role: 'agent' }),
      call('2', 2, 'u2', 'a2', { parent: '1', role: 'agent' }),
      call('3', 3, 'u3', 'a3', { parent: '3' }),
      call('4', 4, 'u4', 'a4', { parent: 'gone' }),
    ]
    expect(JSON.stringify(sessions(loop))).toContain('u3 a3 u4 a4')
  })

  it('the same span twice is one; another with its id is another', () => {
    const repeated = [call('1', 1, 'u1', 'a1'), call('1', 1, 'u1', 'a1'), call('1', 2, 'u2', 'a2')]
    expect(sessions(repeated)).toEqual([['main', 'u1 a1 u2 a2']])
  })

  it('20,000 spans below each other, agents and tools by turns, are all there', () => {
    const skip = (): void => undefined
    const chain = Array.from({ length: 20_000 }, (_, n) => {
      const input = callContent(
        [{ role: 'assistant', tool_calls: [{ id: `${n}`, function: { name: 'f' } }] }],
        'user',
        skip,
      )
      return span(`${n}`, n, { parent: `${n - 1}`, role: n % 2 === 0 ? 'tool' : 'agent', input })
    })
    const reader = createSpanReader(createLog())
    for (const record of chain) reader.take(record, source)
    reader.tidy()
    expect([...reader.drafts()].flatMap(({ events }) => events)).toHaveLength(20_000)
  })

  it('an agent inside another is a session of its own, and so is another agent beside it', () => {
    const team = [
      span('A', 0, { role: 'agent', agent: 'lead' }),
      call('1', 1, 'u1', 'a1', { parent: 'A' }),
      span('B', 2, { role: 'agent', agent: 'helper', parent: 'A' }),
      call('2', 3, 'u2', 'a2', { parent: 'B' }),
      span('C', 4, { role: 'agent', agent: 'judge' }),
      call('3', 5, 'u3', 'a3', { parent: 'C' }),
    ]
    expect(sessions(team)).toEqual([
      ['main', 'u1 a1'],
      ['helper', 'u2 a2'],
      ['judge', 'u3 a3'],
    ])
  })
})

describe('[I32] what was said, in every shape', () => {
  const shapes: Record<string, unknown> = {
    'a text': 'hello',
    'JSON in a text': '"hello"',
    'a message': { role: 'user', content: 'hello' },
    'GenAI parts': [{ role: 'user', parts: [{ type: 'text', content: 'hello' }] }],
    Gemini: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
    LangChain: { messages: [[{ lc: 1, id: ['x', 'HumanMessage'], kwargs: { content: 'hello' } }]] },
    'LangChain, plain': { messages: [{ type: 'human', content: 'hello' }] },
    'a request in a text': JSON.stringify({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
    }),
    'the Responses API': { model: 'm', input: 'hello' },
    Vercel: { prompt: 'hello' },
    'a Python repr': { messages: ["role='user' content='hello' name=None"] },
  }
  it.each(Object.entries(shapes))('%s', (_name, value) => {
    const { events: said } = callContent(value, 'user', () => undefined)
    expect(said.map(({ kind, text }) => [kind, text])).toEqual([['user', 'hello']])
  })

  it.each([
    null,
    0,
    true,
    [],
    {},
    [[]],
    [null],
    { messages: null },
    { role: 'user' },
    { content: {} },
  ])('%j does no harm', (value) => {
    expect(() => callContent(value, 'user', () => undefined)).not.toThrow()
  })

  it('wrappers in wrappers come to an end', () => {
    let value: unknown = { role: 'user', content: 'x' }
    for (let n = 0; n < 50_000; n += 1) value = { output: value, content: [value] }
    expect(() => callContent(value, 'user', () => undefined)).not.toThrow()
  })
})

describe('[I30] parts of Inspect', () => {
  it('references stand for attachments, but not for more text than there is room for', () => {
    const big = 'x'.repeat(100_000_000)
    const { resolve, missing } = createAttachments((key) =>
      key === 'big' ? big : key === 'a' ? 'text' : undefined,
    )
    expect(resolve({ b: ['attachment://a', 'see attachment://a', 'attachment://none'] })).toEqual({
      b: ['text', 'see text', 'attachment://none'],
    })
    const list = resolve([
      'attachment://big',
      'attachment://big',
      'attachment://big',
    ]) as readonly string[]
    expect(list.map((item) => item.length)).toEqual([
      100_000_000,
      100_000_000,
      'attachment://big'.length,
    ])
    expect(missing()).toBe(2)
  })

  it('ranges of the pool are cut to it', () => {
    expect(fromPool([[0, 2], [5, 1e9], [-1, 3], 'x', [1]], ['a', 'b', 'c'])).toEqual([
      'a',
      'b',
      'b',
    ])
    const many = Array.from({ length: 10_000 }, () => [0, 1000])
    expect(
      fromPool(
        many,
        Array.from({ length: 1000 }, () => 'm'),
      ).length,
    ).toBeLessThan(5000)
  })

  it('members are read in an order in which nothing is missing', () => {
    const names = [
      'samples/a_epoch_1/events/10.json',
      'samples/a_epoch_1/events/9.json',
      'samples/b_epoch_1.json',
      'summaries.json',
      'samples/a_epoch_1/attachments/0.json',
      'samples/a_epoch_1/sample.json',
      '_journal/start.json',
    ]
    expect(memberOrder(names)).toEqual([
      '_journal/start.json',
      'samples/a_epoch_1/sample.json',
      'samples/a_epoch_1/attachments/0.json',
      'samples/a_epoch_1/events/9.json',
      'samples/a_epoch_1/events/10.json',
      'samples/b_epoch_1.json',
    ])
  })
})

it('[I34] integers beyond 2⁵³ keep their digits, all other values are as ever', () => {
  const text =
    '{"id":397123732372918500019290577698262447,"n":12,"f":1.00000000000000001,"s":"1234567890123456789"}'
  expect(parseExact(text)).toEqual({
    id: '397123732372918500019290577698262447',
    n: 12,
    f: 1,
    s: '1234567890123456789',
  })
})

describe('[I115] what only the surroundings of a call know', () => {
  const skip = (): void => undefined
  const other = (id: string, start: number, fields: Partial<SpanRecord>): SpanRecord =>
    span(id, start, { role: 'other', ...fields })
  const system = callContent({ system: 'Be short.', prompt: 'u1' }, 'user', skip)

  it('a system prompt of the span around, which may begin later by its clock', () => {
    const around = other('chain', 2, { input: system })
    const calls = [around, call('1', 1, 'u1', 'a1', { parent: 'chain' })]
    expect(sessions(calls)).toEqual([['main', 'Be short. u1 a1']])
  })

  it('is not asked for where a call has one', () => {
    const own = call('1', 3, 'u1', 'a1', { parent: 'chain' })
    const first = callContent([{ role: 'system', content: 'Be kind.' }], 'user', skip)
    const calls = [
      other('chain', 2, { input: system }),
      { ...own, input: { ...own.input, events: [...first.events, ...own.input.events] } },
    ]
    expect(sessions(calls)).toEqual([['main', 'Be kind. u1 a1']])
  })

  it('the last answer, where the last call was recorded without one', () => {
    const output = callContent([{ role: 'user', content: 'u1' }, 'a2'], 'agent', skip)
    const whole = other('chain', 1, { output })
    const bare = call('2', 3, 'u1 a1 u2', 'a', { parent: 'chain', output: none })
    const calls = [whole, call('1', 2, 'u1', 'a1', { parent: 'chain' }), bare]
    expect(sessions(calls)).toEqual([['main', 'u1 a1 u2 a2']])
    expect(sessions([whole, call('1', 2, 'u1', 'a1', { parent: 'chain' })])).toEqual([
      ['main', 'u1 a1'],
    ])
  })

  it("a system prompt in the parameters, and none in a provider's name there", () => {
    const list = callContent([{ role: 'user', content: 'u1' }], 'user', skip)
    const texts = (parameters: unknown): unknown =>
      withSystem(list, [], [parameters]).events.map(({ text }) => text)
    expect(texts('{"instructions": "Be short."}')).toEqual(['Be short.', 'u1'])
    expect(texts({ system: [{ type: 'text', text: 'Be short.' }] })).toEqual(['Be short.', 'u1'])
    expect(texts({ system: 'openai.responses', instructions: null })).toEqual(['u1'])
  })
})
