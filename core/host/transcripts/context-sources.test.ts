import { expect, test } from 'vitest'
import { readTranscript } from '../../../fixtures/read-transcript.ts'
import type { ImportedTranscript } from '../../engine/import/source.ts'
import { plainEvents } from '../../engine/schema/event.ts'
import { writeSessionFile } from '../../../fixtures/session-file.ts'

async function read(records: readonly unknown[]): Promise<ImportedTranscript> {
  const text = records.map((record) => JSON.stringify(record)).join('\n')
  const result = await readTranscript(Buffer.from(`${text}\n`))
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

const eventsOf = ({ sessions: [session] }: ImportedTranscript) =>
  session === undefined ? [] : plainEvents(session)

const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString()
const record = (second: number, type: string, payload: unknown) => {
  return { timestamp: at(second), type, payload }
}
const message = (role: string, type: string, text: string) => {
  return { type: 'message', role, content: [{ type, text }] }
}
const META = record(0, 'session_meta', { id: 's', timestamp: at(0), cwd: '/pond' })
const RULES = 'Never feed bread to the ducks.'
const turn = (second: number, instructions = RULES) =>
  record(second, 'turn_context', { cwd: '/pond', model: 'm', user_instructions: instructions })
const asked = (second: number, text: string) => [
  record(second, 'response_item', message('user', 'input_text', text)),
  record(second, 'event_msg', { type: 'user_message', message: text }),
]
const answered = (second: number, text: string) =>
  record(second, 'response_item', message('assistant', 'output_text', text))

test('[X4] instructions that only a turn_context has are an event, once for each text', async () => {
  const transcript = await read([
    META,
    turn(1),
    ...asked(2, 'count the ducks'),
    answered(3, 'Three.'),
    turn(4),
    ...asked(5, 'and the geese?'),
    answered(6, 'None.'),
    turn(7, 'Feed them oats.'),
    ...asked(8, 'feed them'),
    answered(9, 'Done.'),
  ])
  expect(eventsOf(transcript).map(({ kind, text }) => [kind, text])).toEqual([
    ['injected', RULES],
    ['user', 'count the ducks'],
    ['agent', 'Three.'],
    ['user', 'and the geese?'],
    ['agent', 'None.'],
    ['injected', 'Feed them oats.'],
    ['user', 'feed them'],
    ['agent', 'Done.'],
  ])
  expect(eventsOf(transcript)[0]?.from).toMatchObject({ kind: 'instructions', name: 'AGENTS.md' })
})

test.each([
  ['before', true],
  ['behind', false],
])('[X4] a message %s the turn_context that has the text is the event', async (_, isBefore) => {
  const wrapped = `# AGENTS.md instructions for /pond\n\n<INSTRUCTIONS>\n${RULES}\n</INSTRUCTIONS>`
  const rules = record(1, 'response_item', message('user', 'input_text', wrapped))
  const first = isBefore ? [rules, turn(1)] : [turn(1), rules]
  const transcript = await read([META, ...first, ...asked(2, 'count'), answered(3, 'Three.')])
  const injected = eventsOf(transcript).filter(({ kind }) => kind === 'injected')
  expect(injected.map(({ from }) => [from?.name, from?.path])).toEqual([['AGENTS.md', '/pond']])
})

test('[X2] a token count belongs to the output before it, and one that is repeated to none', async () => {
  const count = (second: number, input: number, cached: number) =>
    record(second, 'event_msg', {
      type: 'token_count',
      info: {
        total_token_usage: { input_tokens: input * 2 },
        last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: 7 },
        model_context_window: 272_000,
      },
    })
  const transcript = await read([
    META,
    turn(1),
    ...asked(2, 'count'),
    answered(3, 'Three.'),
    count(4, 900, 0),
    count(4, 900, 0),
    ...asked(5, 'again'),
    answered(6, 'Three.'),
    count(7, 1000, 880),
  ])
  const calls = eventsOf(transcript).map(({ call }) => call && [call.input, call.cacheRead])
  expect(calls).toEqual([undefined, undefined, [900, 0], undefined, [120, 880]])
  expect(eventsOf(transcript).at(-1)?.call?.window).toBe(272_000)
})

const claude = (uuid: string, parentUuid: string | null, more: object) => {
  return { uuid, parentUuid, isSidechain: false, sessionId: 's', timestamp: at(1), ...more }
}
const attachment = (uuid: string, parent: string, value: object) =>
  claude(uuid, parent, { type: 'attachment', attachment: value })
const USER = claude('u', null, { type: 'user', message: { role: 'user', content: 'hello there' } })

test('[X3] an attachment of an unknown type with words is an event or a problem, never dropped', async () => {
  const transcript = await read([
    USER,
    attachment('a', 'u', { type: 'pond_news', content: 'The pond is frozen today.' }),
    attachment('b', 'a', { type: 'pond_depths', depths: { text: 'It is very deep here.' } }),
    attachment('c', 'b', { type: 'pond_level', level: 3 }),
  ])
  expect(eventsOf(transcript).map(({ kind }) => kind)).toEqual(['user', 'injected'])
  expect(transcript.problems.map(({ line, code }) => [line, code])).toEqual([[3, 'unknown_kind']])
  expect(transcript.skipped).toEqual({ 'attachment/pond_level': 1 })
})

test('[X3] text that the user queued stays the text of the user', async () => {
  const queued = attachment('a', 'u', { type: 'queued_command', prompt: 'and the geese' })
  expect(eventsOf(await read([USER, queued])).map(({ kind }) => kind)).toEqual(['user', 'user'])
})

test('[X1] [X2] a native file keeps sources and calls; others of these names stay as they are', async () => {
  const source = { kind: 'hook', name: 'Stop', path: null, globs: null, cause: null }
  const call = {
    id: 'm',
    input: 1,
    cacheRead: 2,
    cacheWrite: 3,
    output: 4,
    reasoning: null,
    window: null,
  }
  const transcript = await read([
    { type: 'session', schemaVersion: 1, id: 's', title: 's' },
    { kind: 'injected', text: 'wait', from: source },
    { kind: 'agent', text: 'yes', call },
    { kind: 'user', text: 'no', from: 'me', call: 7 },
  ])
  const [hook, answer, other] = eventsOf(transcript)
  expect([hook?.from, answer?.call, other?.extras]).toEqual([source, call, { from: 'me', call: 7 }])
  const again = await readTranscript(Buffer.from(writeSessionFile(transcript)))
  const events = again.ok ? eventsOf(again.value) : []
  const facts = (list: typeof events) =>
    list.map(({ from, call: of, extras }) => [from, of, extras])
  expect(facts(events)).toEqual(facts(eventsOf(transcript)))
})

test('[X2] a span of OpenTelemetry keeps the counts of its call on the answer', async () => {
  const message = (role: string, content: string) =>
    JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
  const value = (count: string | number) =>
    typeof count === 'string' ? { stringValue: count } : { intValue: String(count) }
  const facts = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.input.messages': message('user', 'count the ducks'),
    'gen_ai.output.messages': message('assistant', 'Three ducks.'),
    'gen_ai.usage.input_tokens': 120,
    'gen_ai.usage.cache_read.input_tokens': 100,
    'gen_ai.usage.output_tokens': 5,
  }
  const attributes = Object.entries(facts).map(([key, fact]) => ({ key, value: value(fact) }))
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
  const times = { startTimeUnixNano: '1767323045000000000', endTimeUnixNano: '1767323046000000000' }
  const span = { ...ids, ...times, name: 'chat m', attributes }
  const transcript = await read([{ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }])
  const calls = eventsOf(transcript).map(({ kind, call }) => [kind, call?.input, call?.cacheRead])
  expect(calls).toEqual([
    ['user', undefined, undefined],
    ['agent', 20, 100],
  ])
})
