import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { plainEvent } from '../../../fixtures/events.ts'
import { compileFixture, loadPreset, must } from '../../../fixtures/load.ts'
import { replay } from '../../../fixtures/replays.ts'
import { createPipeline, initialBeliefState } from '../pipeline.ts'
import { NO_TEXTS, type PlainEvent } from '../schema/event.ts'
import type { Session } from '../schema/session.ts'
import { traceTurn } from '../trace.ts'
import { csvLines } from './csv.ts'
import { turnMarkdown } from './markdown.ts'
import { otelTexts } from './otel.ts'

const set = compileFixture([
  { name: 'coding', signals: ['code', { id: 'py', pattern: 'python' }] },
  { name: 'data', signals: ['table'] },
])
const pipeline = must(createPipeline(set, loadPreset('recommended'), null))
const config = { preset: 'recommended', domains: 'x', profile: null, classify: null }

function replayed(parts: ReadonlyArray<Partial<PlainEvent>>, more: Partial<Session> = {}) {
  const events = parts.map((part, seq) => plainEvent({ ...part, seq }))
  const session: Session = {
    id: 'sk-session',
    title: '',
    thread: 'main',
    parent: null,
    startedAt: null,
    cwd: null,
    events,
    texts: NO_TEXTS,
    ...more,
  }
  const turns = events.filter(({ kind }) => kind === 'user')
  return { session, columns: replay(pipeline, turns, config).columns }
}

interface WrittenSpan {
  readonly name: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code?: number }
  readonly attributes: ReadonlyArray<{
    readonly key: string
    readonly value: Readonly<Record<string, string>>
  }>
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

function spans(...sessions: ReadonlyArray<ReturnType<typeof replayed>>): readonly WrittenSpan[] {
  const redact = (text: string) => text.replaceAll('sk-', '[key]')
  const written = JSON.parse([...otelTexts(sessions, { hash, redact, version: '1' })].join('')) as {
    readonly resourceSpans: ReadonlyArray<{
      readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly WrittenSpan[] }>
    }>
  }
  return written.resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans))
}

const at = (span: WrittenSpan | undefined, key: string): string | undefined =>
  Object.values(span?.attributes.find((each) => each.key === key)?.value ?? {})[0]

const exchange = [
  { kind: 'system', text: 'be brief' },
  { kind: 'user', text: 'write python code with sk-123', at: 1_000 },
  { kind: 'reasoning', text: 'hm', model: 'm-1' },
  { kind: 'tool_call', text: '{"a":1}', name: 'run', callId: 'c1', model: 'm-1' },
  { kind: 'tool_result', text: 'boom', callId: 'c1', isError: true },
  { kind: 'meta', text: 'no message' },
  { kind: 'agent', text: 'done' },
  { kind: 'agent', text: 'and again' },
] as const

test('[U129] an exchange is a span, with an answer and a tool in it, and the decision on the turn', () => {
  const [turn, chat, tool, last, ...more] = spans(replayed(exchange))
  expect(more).toEqual([])
  expect([turn, chat, tool, last].map((span) => span?.name)).toEqual([
    'invoke_agent',
    'chat m-1',
    'execute_tool run',
    'chat model',
  ])
  expect(turn?.parentSpanId).toBeUndefined()
  expect([chat, tool, last].map((span) => span?.parentSpanId)).toEqual(
    [1, 2, 3].map(() => turn?.spanId),
  )
  expect(at(turn, 'turnscope.primary')).toBe('coding')
  expect(at(turn, 'turnscope.turn')).toBe('1')
  expect(at(turn, 'input.value')).toBe('write python code with [key]123')
  expect(at(turn, 'output.value')).toBe('done\n\nand again')
  expect(at(turn, 'gen_ai.conversation.id')).toBe('[key]session')
  expect(at(chat, 'gen_ai.output.messages')).toContain('"finish_reason":"tool_call"')
  expect(at(chat, 'gen_ai.request.model')).toBe('m-1')
  expect(at(last, 'gen_ai.output.messages')).toContain('"finish_reason":"stop"')
  expect(at(last, 'gen_ai.request.model')).toBeUndefined()
  // The tool's answer is the input of the next model answer.
  expect(at(last, 'gen_ai.input.messages')).toContain('tool_call_response')
  expect(at(tool, 'gen_ai.tool.call.arguments')).toBe('{"a":1}')
  expect([turn, chat, tool].map((span) => span?.status)).toEqual([{}, {}, { code: 2 }])
})

test('[U129] no span ends before it begins, whatever the times of the file say', () => {
  const times = [5_000, 1_000, null, 4_000, 9_000, null, 2_000, null]
  const events = exchange.map((event, place) => ({ ...event, at: times[place] ?? null }))
  const found = spans(replayed(events, { startedAt: 7_000 }))
  for (const { startTimeUnixNano, endTimeUnixNano } of found)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
  const starts = found.map(({ startTimeUnixNano }) => BigInt(startTimeUnixNano))
  expect(starts).toEqual(starts.toSorted((a, b) => (a < b ? -1 : 1)))
})

test('[U129] a result without its call, a call without an id, and an answer before anybody asked', () => {
  const found = spans(
    replayed([
      { kind: 'agent', text: 'hello' },
      { kind: 'tool_result', text: 'lost' },
      { kind: 'tool_call', text: '{}', name: 'look' },
      { kind: 'tool_result', text: 'seen', name: 'look' },
      { kind: 'subagent_prompt', text: 'help' },
    ]),
  )
  expect(found.map(({ name }) => name)).toEqual([
    'chat model',
    'execute_tool tool',
    'chat model',
    'execute_tool look',
  ])
  expect(found.map(({ parentSpanId }) => parentSpanId)).toEqual(found.map(() => undefined))
  const [, lost, , look] = found
  expect(at(lost, 'input.value')).toBeUndefined()
  expect(at(lost, 'gen_ai.tool.call.id')).toBeUndefined()
  expect(at(look, 'input.value')).toBe('{}')
})

test('[U129] a session of nothing has no span, and two sessions share none', () => {
  expect(spans(replayed([]))).toEqual([])
  const found = spans(replayed(exchange), replayed(exchange, { id: 'other' }))
  expect(new Set(found.map(({ spanId }) => spanId)).size).toBe(found.length)
})

test('[U129] a table has the time of a turn where there is one, and no line for a session of nothing', () => {
  const text = [{ kind: 'user', text: 'python code' }] as const
  const timed = text.map((event) => ({ ...event, at: 0 }))
  const lines = [...csvLines([replayed(timed), replayed([]), replayed(text)], (each) => each)]
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain('sk-session,1,0,user,1970-01-01T00:00:00.000Z,coding,')
  expect(lines[2]).toContain('sk-session,1,0,user,,coding,')
})

const about = { preset: 'recommended', session: 'a|b', redact: (text: string) => text }
const markdown = (text: string): string => {
  const turn = { turn: 0, seq: 0, kind: 'user', text, state: initialBeliefState } as const
  return turnMarkdown(traceTurn(pipeline, turn), about)
}

test('[U129] a turn for a pull request names what matched, and its text cannot end the fence', () => {
  const text = markdown('python code\n````\n# not a heading')
  expect(text).toContain('### Turn 1 of a&#124;b: coding')
  expect(text).toContain('| coding | 2 | code, py |')
  expect(text).toContain('`````text\npython code')
})

test('[U129] a turn of which nothing matches says so, and a long text is cut', () => {
  const text = markdown('x'.repeat(5_000))
  expect(text).toContain('No signal matched.')
  expect(text).toContain(' …\n```')
  expect(text.length).toBeLessThan(3_000)
})
