import { describe, expect, it } from 'vitest'
import { NO_TEXTS } from '../../schema/event.ts'
import { callContent } from '../shared/call-messages.ts'
import { createLog } from '../shared/import-log.ts'
import { langsmith } from './langsmith.ts'
import { answerIdOf } from './library.ts'
import { createSpanReader } from './reader.ts'
import { EMPTY_SPAN, type SpanRecord } from './record.ts'

const source = { offset: 0, length: 1, line: 1 }
const skip = (): void => undefined

interface Told extends Partial<SpanRecord> {
  readonly asked?: readonly unknown[]
  readonly answered?: readonly unknown[]
}

function message(given: unknown, role: string): unknown {
  return typeof given === 'string' ? { role, content: given } : given
}

/** A model call of 80 ms from `start` on, by a library. */
function call(id: string, library: string | null, start: number, told: Told = {}): SpanRecord {
  const { asked = ['water it?'], answered = ['yes'], ...fields } = told
  const list = (all: readonly unknown[], role: string): unknown =>
    all.map((given) => message(given, role))
  return {
    ...EMPTY_SPAN,
    id,
    library,
    trace: 't',
    role: 'model',
    name: id,
    start,
    at: start,
    endAt: start + 80,
    input: callContent(list(asked, 'user'), 'user', skip),
    output: callContent(list(answered, 'assistant'), 'agent', skip),
    ...fields,
  }
}

/** The texts of each session. A text that is neither the user's nor the agent's is prefixed with its kind. */
function read(records: readonly SpanRecord[]): unknown {
  const reader = createSpanReader(createLog())
  for (const record of records) reader.take(record, source)
  reader.tidy()
  return [...reader.drafts()]
    .filter(({ events }) => events.length > 0)
    .map(({ events }) =>
      events.map(({ kind, text }) =>
        kind === 'user' || kind === 'agent' ? text : `${kind}: ${String(text)}`,
      ),
    )
}

const SYSTEM = { role: 'system', content: 'Be short.' }
const THINKS = { role: 'assistant', content: 'yes', reasoning_content: 'It is dry.' }

describe('[I113] one call that two instrumentations tell', () => {
  it('is one, and has what only one of them knows', () => {
    const a = call('a', 'chain', 10, { asked: ['water it?'], answered: [THINKS] })
    const b = call('b', 'sdk', 20, { asked: [SYSTEM, 'water it?'] })
    const once = [['system: Be short.', 'water it?', 'reasoning: It is dry.', 'yes']]
    expect(read([a, b])).toEqual(once)
    expect(read([b, a])).toEqual(once)
    expect(read([a, { ...b, parent: 'a' }])).toEqual(once)
  })

  it('is one where one of them has no answer, or only the end of the list', () => {
    const a = call('a', 'chain', 10, { asked: ['hello', 'water it?'], answered: [] })
    const b = call('b', 'sdk', 20)
    expect(read([a, b])).toEqual([['water it?', 'yes']])
    const c = call('c', 'chain', 10, { asked: ['hello', 'water it?'] })
    expect(read([c, b])).toEqual([['hello', 'water it?', 'yes']])
  })

  it('is one when the ids of the answers are the same, whatever the clocks say', () => {
    const a = call('a', 'chain', 10, { answerId: 'chatcmpl-12345' })
    expect(read([a, call('b', 'sdk', 500, { answerId: 'chatcmpl-12345' })])).toEqual([
      ['water it?', 'yes'],
    ])
  })

  it('is one of three', () => {
    const all = [call('a', 'chain', 10), call('b', 'sdk', 20), call('c', 'proxy', 30)]
    expect(read(all)).toEqual([['water it?', 'yes']])
  })

  it('without scopes is known by the names that libraries give', () => {
    const named = (name: string, start: number): SpanRecord => call(name, null, start)
    expect(read([named('ChatOpenAI', 10), named('openai.chat', 20)])).toEqual([
      ['water it?', 'yes'],
    ])
    expect(read([named('vote one', 10), named('vote two', 20)])).toEqual([
      ['water it?', 'yes', 'yes'],
    ])
  })
})

describe('[I113] two calls that say the same', () => {
  const twice = [['water it?', 'yes', 'yes']]

  it('stay two after one another, each told twice', () => {
    const all = [10, 90].flatMap((start) => [
      call(`a${start}`, 'chain', start),
      call(`b${start}`, 'sdk', start),
    ])
    expect(read(all)).toEqual(twice)
  })

  it('stay two at the same time by one instrumentation, or by none that is known', () => {
    expect(read([call('a', 'sdk', 10), call('b', 'sdk', 20)])).toEqual(twice)
    expect(read([call('a', null, 10), call('b', 'sdk', 20)])).toEqual(twice)
  })

  it('stay two when their answers have other ids, or other words, or their ends are not known', () => {
    const ids = ['chatcmpl-12345', 'chatcmpl-54321'].map((answerId) => ({ answerId }))
    expect(read([call('a', 'chain', 10, ids[0]), call('b', 'sdk', 20, ids[1])])).toEqual(twice)
    const no = call('b', 'sdk', 20, { answered: ['no'] })
    expect(read([call('a', 'chain', 10), no])).toEqual([['water it?', 'yes', 'no']])
    expect(read([call('a', 'chain', 10), call('b', 'sdk', 20, { endAt: null })])).toEqual(twice)
  })

  it('stay two under different agents', () => {
    const agent = (id: string): SpanRecord => ({
      ...EMPTY_SPAN,
      id,
      trace: 't',
      role: 'agent',
      agent: id,
      start: 1,
      at: 1,
    })
    const all = [
      agent('x'),
      agent('y'),
      call('a', 'chain', 10, { parent: 'x' }),
      call('b', 'sdk', 20, { parent: 'y' }),
    ]
    expect(read(all)).toEqual([
      ['water it?', 'yes'],
      ['subagent_prompt: water it?', 'yes'],
    ])
  })
})

describe('[I113] in the formats', () => {
  const run = (id: string, library: string): object => ({
    id,
    trace_id: 'root',
    parent_run_id: 'root',
    run_type: 'llm',
    name: 'ChatOpenAI',
    start_time: '2026-03-01T10:00:01.000',
    end_time: '2026-03-01T10:00:02.000',
    extra: { runtime: { library } },
    inputs: { messages: [{ role: 'user', content: 'water it?' }] },
    outputs: { choices: [{ message: { role: 'assistant', content: 'yes' } }] },
  })

  function answers(runs: readonly object[]): number {
    const reader = langsmith.read(createLog(), NO_TEXTS)
    for (const value of runs) reader.take({ value, ref: source })
    reader.tidy?.()
    const events = [...reader.drafts()].flatMap((session) => session.events)
    return events.filter(({ kind }) => kind === 'agent').length
  }

  it('LangSmith says by which library a run was made', () => {
    expect(answers([run('a', 'langchain-core'), run('b', 'langsmith')])).toBe(1)
    expect(answers([run('a', 'langsmith'), run('b', 'langsmith')])).toBe(2)
  })
})

describe('[I113] what hangs on it', () => {
  it('a failure that is passed on is said once', () => {
    const failed = { error: 'Error 429', answered: [] }
    const all = [
      { ...EMPTY_SPAN, id: 'root', trace: 't', start: 1, at: 1, error: 'Error 429' },
      call('a', 'chain', 10, { ...failed, parent: 'root' }),
      call('b', 'sdk', 20, { ...failed, parent: 'root' }),
      call('c', 'sdk', 200, { ...failed, error: 'Error 500', parent: 'root' }),
    ]
    expect(read(all)).toEqual([['water it?', 'system: Error 429', 'system: Error 500']])
  })

  it('the id of an answer is found in a response and in what LangChain makes of it', () => {
    expect(answerIdOf({ id: 'chatcmpl-12345', choices: [] })).toBe('chatcmpl-12345')
    const kwargs = { id: 'run--1', response_metadata: { id: 'msg_0123456' } }
    expect(answerIdOf({ generations: [[{ message: { kwargs } }]] })).toBe('msg_0123456')
    expect(answerIdOf('{"llm_output": {"id": "resp_0123456"}}')).toBe('resp_0123456')
    expect(answerIdOf({ id: 'run-12345' })).toBeNull()
  })

  it('20,000 calls of two libraries at one time are looked through once', () => {
    const all = Array.from({ length: 20_000 }, (_, n) => call(`${n}`, n % 2 ? 'chain' : 'sdk', 10))
    expect((read(all) as string[][])[0]).toHaveLength(1 + 10_000)
  })
})
