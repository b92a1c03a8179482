import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ReplayConfig } from '../../../engine/schema/replay.ts'
import { FallbackAction, SelfSignalType } from '../../../engine/schema/self-signal.ts'
import { QueryType } from '../../../engine/schema/query.ts'
import { connect } from '../../../wire/rpc.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import { portPair } from '../../../../fixtures/port-pair.ts'
import { CONFIG, makeFolder, openIn, replayIn, REPOSITORY } from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'

const FIELD: ReplayConfig = { ...CONFIG, preset: 'field' }
const host = makeHostHere()
const pair = portPair()
host.mount(pair.right)
const client = connect<TurnscopeContract>(pair.left)
const { key } = await openIn(client, { kind: 'sample', id: 'six-signals' })
const session = { key, session: 0 }
const { responses, queries } = await client.call('session.answers', { ...session, config: FIELD })
const types = responses.type.map((type) => SelfSignalType.options[type] ?? null)

/** The trace of the n-th response. */
const response = async (index: number, config = FIELD) =>
  client.call('session.response', { ...session, seq: responses.seq[index] ?? -1, config })
const prompt = (seq: number, compare: ReplayConfig | null = null, config = FIELD) =>
  client.call('session.prompt', { ...session, seq, config, compare })

afterAll(async () => {
  await host.close()
})

test('columns: all six self-signals, in order', () => {
  expect(new Set(types.filter((type) => type !== null))).toEqual(new Set(SelfSignalType.options))
  expect(types).toEqual([
    'need_turn',
    'context_sufficient',
    'partial_answer',
    'context_sufficient',
    ...Array<string>(6).fill('need_turn'),
    'stuck',
    'need_capability',
    'delegation_recommended',
    null,
    null,
    null,
    null,
    null,
    null,
    'context_sufficient',
  ])
  expect(responses.confidence[1]).toBe(0.92)
})

test('[L15] a loop begins with the third equal reason, in the field with the fifth', async () => {
  const plain = await client.call('session.answers', { ...session, config: CONFIG })
  expect(plain.responses.stuck.slice(4, 11)).toEqual([0, 0, 1, 1, 1, 1, 0])
  expect(responses.stuck.slice(4, 11)).toEqual([0, 0, 0, 0, 1, 1, 0])
})

test('[L16] silence counts from the third response on; fallbacks come with the preset', async () => {
  expect(responses.silent).toEqual([...Array<number>(15).fill(0), 1, 1, 1, 1, 0])
  expect(responses.quiet.every((quiet) => quiet === 0)).toBe(true)
  const actions = responses.fallback.map((code) => FallbackAction.options[code] ?? null)
  expect([7, 8, 10, 15, 17, 18, 19].map((index) => actions[index])).toEqual([
    null,
    'retry_with_hint',
    'retry_with_hint',
    'continue',
    'retry_with_hint',
    'force_response',
    null,
  ])
  const plain = await client.call('session.answers', { ...session, config: CONFIG })
  expect(plain.responses.fallback.every((code) => code === -1)).toBe(true)
  expect(plain.responses.silent).toEqual(responses.silent)
})

test('claimed against observed: context_sufficient, then three more tool calls', async () => {
  const { text, trace } = await response(1)
  expect(trace.claims).toEqual([
    {
      claim: 'context_sufficient: done',
      observed: '3 tool calls before the next message',
      agrees: false,
    },
    { claim: 'sources_found: 2', observed: '2 tool calls so far', agrees: true },
  ])
  const [start, end] = trace.signal?.span ?? [0, 0]
  expect(text.slice(start, end)).toBe(trace.signal?.raw_xml)
  expect((await response(3)).trace.claims[0]).toMatchObject({ agrees: true })
})

test.each([
  [3, 'in_fence', null],
  [11, 'duplicate_field', 'reason'],
  [12, 'dropped_field', 'estimated_tokens'],
  [13, 'unfinished', null],
])('[L14] response %i: %s', async (index, code, field) => {
  const { text, trace } = await response(index)
  expect(trace.diagnostics.map((each) => [each.code, each.field])).toEqual([[code, field]])
  expect(responses.diagnostics[index]).toBe(1)
  const [from, to] = trace.diagnostics[0]?.span ?? [0, 0]
  expect(text.slice(from, to)).toMatch(/^<(?:signal|reason|estimated_tokens)/u)
})

test('[S18] counters go from one response to the next', async () => {
  const traces = await Promise.all(types.map((_, index) => response(index)))
  for (const [index, { trace }] of traces.entries()) {
    if (index > 0) expect(trace.before).toEqual(traces[index - 1]?.trace.after)
  }
  expect(traces.at(-1)?.trace.after).toMatchObject({ emitted: 14, turnsWithoutSignal: 0 })
})

test('session.response refuses what is no response of the agent', async () => {
  const asked = client.call('session.response', { ...session, seq: 0, config: FIELD })
  await expect(asked).rejects.toThrow('event 0 is no response of the agent')
})

test('query columns: type and size of each prompt are those of its trace', async () => {
  expect(queries.type.map((type) => QueryType.options[type])).toEqual([
    'code',
    'documentation',
    'research',
    'conversational',
    'conversational',
    'action',
    'code',
    'conversational',
  ])
  expect(queries.budget).toBe(8000)
  for (const [index, seq] of queries.seq.entries()) {
    const answer = await prompt(seq)
    expect(answer.prompt.prompt?.tokenEstimate).toBe(queries.tokens[index])
    expect(answer.query.classification.confidence).toBe(queries.confidence[index])
  }
})

test('[P9] the turn’s enrichment is in the prompt, word for word', async () => {
  const { columns } = await replayIn(client, key, FIELD)
  let placed = 0
  for (const seq of queries.seq) {
    const turn = columns.seq.indexOf(seq)
    const { enrichment } = await client.call('session.trace', { ...session, turn, config: FIELD })
    const { prompt: answer } = await prompt(seq)
    if (enrichment === '') {
      expect(answer.placements).toEqual([])
      continue
    }
    placed += 1
    expect(answer.placements).toMatchObject([{ what: 'enrichment', placed: true }])
    const [from, to] = answer.prompt?.segments.find(({ id }) => id === 'enrichment')?.span ?? [0, 0]
    expect(answer.prompt?.content.slice(from, to)).toBe(enrichment)
  }
  expect(placed).toBeGreaterThan(2)
})

test('[L19] estimators and the real tokenizer side by side; what the transcript knows is supplied', async () => {
  const { prompt: answer, query } = await prompt(queries.seq[0] ?? -1)
  expect(Object.keys(answer.prompt?.sizes ?? {})).toEqual(['chars4', 'words13', 'o200k_base'])
  expect(answer.prompt?.sizes['o200k_base']).toBeGreaterThan(500)
  expect(answer.prompt?.content).toContain('Project: invoice-exporter\nDate: 2026-04-14')
  expect(query.hasContext).toBe(false)
})

type Diff = NonNullable<Awaited<ReturnType<typeof prompt>>['compare']>['diff']

/** Both sides of a comparison, put together again. */
const sides = (diff: Diff | undefined) =>
  ['added', 'removed'].map((not) => diff?.map(({ op, text }) => (op === not ? '' : text)).join(''))

test('an event belongs to the message before it; its prompt is compared both ways', async () => {
  const [first = 0, second = 0] = queries.seq
  const literal = { ...CONFIG, preset: 'literal' }
  const [before, at, later, compared, other] = await Promise.all([
    prompt(first),
    prompt(second),
    prompt(second + 1),
    prompt(second, literal),
    prompt(second, null, literal),
  ])
  const texts = [before, at, other].map((answer) => answer.prompt.prompt?.content)
  expect(later).toEqual(at)
  expect(before.previous).toBeNull()
  expect(at.compare).toBeNull()
  expect(at.previous?.seq).toBe(first)
  expect(sides(at.previous?.diff)).toEqual(texts.slice(0, 2))
  expect(compared.compare?.preset).toBe('literal')
  expect(sides(compared.compare?.diff)).toEqual(texts.slice(1))
})

test('[Q8] what the agent said before is the context of a message', async () =>
  expect((await prompt(queries.seq[7] ?? -1)).query.hasContext).toBe(true))

test('a transcript without self-signals is quiet and gives no alarm', async () => {
  const opened = await openIn(client, { kind: 'sample', id: 'claude-code-demo' })
  const asked = { key: opened.key, session: 0, config: FIELD }
  const { responses: demo } = await client.call('session.answers', asked)
  expect(demo.seq.length).toBeGreaterThan(3)
  for (const column of ['stuck', 'silent', 'diagnostics'] as const) {
    expect(demo[column].every((cell) => cell === 0)).toBe(true)
  }
  expect(demo.quiet.every((cell) => cell === 1)).toBe(true)
  const calm = [-1, FallbackAction.options.indexOf('continue')]
  expect(demo.fallback.every((code) => calm.includes(code))).toBe(true)
  const { trace } = await client.call('session.response', { ...asked, seq: demo.seq.at(-1) ?? -1 })
  expect(trace).toMatchObject({ silent: true, quiet: true, fallback: { action: 'continue' } })
})

const draft = {
  preset: 'recommended',
  text: 'Compare React vs Vue',
  type: null,
  drafts: {},
  variables: {},
  budget: null,
}

test('playground: classifies, composes, and lists every segment with its text', async () => {
  const answer = await client.call('playground.compose', draft)
  expect(answer).toMatchObject({ query: { type: 'research' }, problem: null })
  expect(answer.prompt?.segmentsIncluded).toEqual(['base', 'signals', 'tools', 'research'])
  expect(answer.sources).toHaveLength(7)
  for (const { path, text } of answer.sources) {
    expect(text).toBe(readFileSync(join(REPOSITORY, 'prompts', path), 'utf8'))
  }
})

test('playground: type, budget, drafts and variables by hand; nothing is saved', async () => {
  const drafts = { base: 'Hello {{ who }}', code: '{{ nobody }}' }
  const given = { ...draft, type: 'code' as const, budget: 1, drafts, variables: { who: 'you' } }
  const { query, prompt: composed, sources } = await client.call('playground.compose', given)
  expect(query).toMatchObject({ type: 'code', confidence: 1 })
  expect(composed?.content.startsWith('Hello you')).toBe(true)
  expect(composed?.segmentsIncluded).toEqual(['base', 'signals', 'tools'])
  expect(sources.find(({ id }) => id === 'base')?.text).toContain('# Oracle')
  const after = await client.call('playground.compose', draft)
  expect(after.prompt?.content).not.toContain('Hello you')
})

test('playground: a draft that is broken or never ends is a problem, and the worker lives', async () => {
  const broken = { ...draft, drafts: { base: '{% if %}' } }
  expect((await client.call('playground.compose', broken)).problem).toContain(
    "Failed to load required segment 'base'",
  )
  const loop = '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}'
  const hung = await client.call('playground.compose', { ...draft, drafts: { base: loop } })
  expect(hung).toMatchObject({ prompt: null })
  // Which of the two limits is met first depends on the machine: the count of steps, or the time.
  expect(hung.problem).toMatch(/cut off after \d+ ms|the template does too much/u)
  expect((await client.call('playground.compose', draft)).problem).toBeNull()
})

test('the workspace’s prompts come first, file by file; an edit counts at once', async () => {
  const workspace = makeFolder({ 'prompts/oracle/base.md': 'Mine.' })
  const own = makeHostHere({ workspace })
  const ports = portPair()
  own.mount(ports.right)
  const mine = connect<TurnscopeContract>(ports.left)
  try {
    const { prompt: first } = await mine.call('playground.compose', draft)
    expect(first?.content).toMatch(/^Mine\.\n\n---\n\n# Self-signals/u)
    const opened = await openIn(mine, { kind: 'sample', id: 'six-signals' })
    const asked = { key: opened.key, session: 0, config: FIELD }
    const before = await mine.call('session.answers', asked)
    writeFileSync(join(workspace, 'prompts/oracle/base.md'), 'Mine, '.repeat(100))
    const after = await mine.call('session.answers', asked)
    expect(after.queries.tokens[0]).toBeGreaterThan((before.queries.tokens[0] ?? 0) + 100)
    expect(after.responses).toEqual(before.responses)
  } finally {
    await own.close()
  }
})
