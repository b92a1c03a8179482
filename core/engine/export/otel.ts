import { jsonText } from '../json-text.ts'
import { type SessionEvent, textOf } from '../schema/event.ts'
import { EVENT_CODES, RULE_CODES } from '../schema/replay.ts'
import type { Replayed } from './csv.ts'

/** Injected helpers for making spans, because the engine has neither hashes nor a version. */
export interface SpanMaking {
  /** Hexadecimal digits of a text, at least 32. */
  readonly hash: (text: string) => string
  readonly redact: (text: string) => string
  readonly version: string
}

type Value = string | number | boolean
interface Span {
  readonly name: string
  readonly parent: Span | null
  readonly key: string
  readonly start: number
  end: number
  readonly attributes: Map<string, Value>
  isError: boolean
}

interface Part {
  readonly type: string
  readonly content?: string
  readonly id?: string | null
  readonly name?: string | null
  readonly arguments?: string
  readonly response?: string
}
interface Message {
  readonly role: string
  readonly parts: readonly Part[]
}

/** Events of a harness are no messages of a model's conversation. */
const ROLES: Readonly<Partial<Record<SessionEvent['kind'], string>>> = {
  user: 'user',
  subagent_prompt: 'user',
  system: 'system',
}

/**
 * [U129] Sessions as OTLP/JSON with the GenAI semantic conventions. Each session is a trace and each exchange a span
 * `invoke_agent`. Within it, each model answer is a span `chat` and each result a span `execute_tool`. Decisions are
 * stored in `turnscope.*` on the span of the turn. Phoenix reads `openinference.*`, `input.value` and `output.value`.
 */
export function* otelTexts(sessions: Iterable<Replayed>, making: SpanMaking): Generator<string> {
  const service = [{ key: 'service.name', value: { stringValue: 'turnscope' } }]
  const scopeSpans = [{ scope: { name: 'turnscope', version: making.version }, spans: [] }]
  const whole = jsonText({ resourceSpans: [{ resource: { attributes: service }, scopeSpans }] })
  yield whole.slice(0, -AFTER_SPANS.length)
  let between = ''
  for (const replayed of sessions) {
    for (const span of spansOf(replayed, making)) {
      yield span === null ? '' : `${between}${jsonText(span)}`
      if (span !== null) between = ','
    }
  }
  yield `${AFTER_SPANS}\n`
}

/** Closes the list of spans and everything that encloses it. */
const AFTER_SPANS = ']}]}]}'

/** One session on its way: the exchange, the answer and the calls that are open. */
interface Open {
  readonly spans: Span[]
  exchange: Span | null
  chat: { readonly span: Span; readonly parts: Part[] } | null
  input: Message[]
  readonly calls: Map<string, Part>
  at: number
}

/** Yields null after each event read, so that the writer may stop or yield to other work there. */
function* spansOf(
  { session, columns }: Replayed,
  { hash, redact }: SpanMaking,
): Generator<object | null> {
  const id = redact(session.id)
  const trace = hash(`trace ${id}`).slice(0, 32)
  const turnOf = new Map(columns.seq.map((seq, turn) => [seq, turn]))
  const open: Open = {
    spans: [],
    exchange: null,
    chat: null,
    input: [],
    calls: new Map(),
    at: session.startedAt ?? 0,
  }
  for (const event of session.events) {
    open.at = Math.max(open.at + 1, event.at ?? 0)
    const span = take(open, event, { text: redact(textOf(event, session.texts)), id })
    yield null
    const turn = turnOf.get(event.seq)
    if (turn === undefined || span === null) continue
    const name = (place: number | undefined) => columns.domains[place ?? -1] ?? ''
    span.attributes.set('turnscope.turn', turn + 1)
    span.attributes.set('turnscope.primary', name(columns.primary[turn]))
    span.attributes.set('turnscope.confidence', columns.primaryScore[turn] ?? 0)
    const secondary = name(columns.secondary[turn])
    span.attributes.set('turnscope.secondary', secondary)
    if (secondary !== '')
      span.attributes.set('turnscope.secondary_confidence', columns.secondaryScore[turn] ?? 0)
    span.attributes.set('turnscope.scored', name(columns.scoredPrimary[turn]))
    span.attributes.set('turnscope.momentum', columns.momentum[turn] ?? 0)
    span.attributes.set('turnscope.event', EVENT_CODES[columns.event[turn] ?? -1] ?? '')
    span.attributes.set('turnscope.rule', RULE_CODES[columns.rule[turn] ?? -1] ?? '')
  }
  closeChat(open)
  const spanId = (span: Span) => hash(`span ${id} ${span.key}`).slice(0, 16)
  for (const span of open.spans)
    yield {
      traceId: trace,
      spanId: spanId(span),
      ...(span.parent === null ? {} : { parentSpanId: spanId(span.parent) }),
      name: span.name,
      kind: 1,
      startTimeUnixNano: nanos(span.start),
      endTimeUnixNano: nanos(Math.max(span.end, span.parent === null ? open.at : span.start)),
      attributes: [...span.attributes].map(([key, value]) => ({ key, value: valueOf(value) })),
      status: span.isError ? { code: 2 } : {},
    }
}

/** Milliseconds as nanoseconds: more digits than a number has. */
const nanos = (at: number) => `${Math.round(at)}000000`

function valueOf(value: Value) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

interface Told {
  readonly text: string
  /** Of the session. */
  readonly id: string
}

/** The span that an event belongs to; null if the event is not part of the conversation. */
function take(open: Open, event: SessionEvent, { text, id }: Told): Span | null {
  const role = ROLES[event.kind]
  if (role !== undefined) {
    closeChat(open)
    if (event.kind === 'user')
      open.exchange = begin(open, `invoke_agent`, { event, id, of: 'AGENT' })
    open.input.push({ role, parts: [{ type: 'text', content: text }] })
    if (event.kind === 'user') open.exchange?.attributes.set('input.value', text)
    return event.kind === 'user' ? open.exchange : null
  }
  if (event.kind === 'tool_result') return takeResult(open, event, { text, id })
  if (event.kind !== 'agent' && event.kind !== 'reasoning' && event.kind !== 'tool_call')
    return null
  open.chat ??= { span: beginChat(open, event, id), parts: [] }
  open.chat.span.end = open.at
  const part = partOf(event, text)
  if (event.kind === 'tool_call') open.calls.set(event.callId ?? event.name ?? '', part)
  open.chat.parts.push(part)
  return open.chat.span
}

function partOf({ kind, callId, name }: SessionEvent, text: string): Part {
  if (kind === 'tool_call') return { type: 'tool_call', id: callId, name, arguments: text }
  return { type: kind === 'reasoning' ? 'reasoning' : 'text', content: text }
}

interface Begun {
  readonly event: SessionEvent
  readonly id: string
  /** Kind of the span in Phoenix. */
  readonly of: 'AGENT' | 'LLM' | 'TOOL'
}

const OPERATIONS = { AGENT: 'invoke_agent', LLM: 'chat', TOOL: 'execute_tool' } as const

function begin(open: Open, name: string, { event, id, of }: Begun): Span {
  const attributes = new Map<string, Value>([
    ['gen_ai.operation.name', OPERATIONS[of]],
    ['gen_ai.conversation.id', id],
    ['session.id', id],
    ['openinference.span.kind', of],
  ])
  const parent = of === 'AGENT' ? null : open.exchange
  const start = open.at
  const span = {
    name,
    parent,
    key: `${event.seq} ${of}`,
    start,
    end: start,
    attributes,
    isError: false,
  }
  open.spans.push(span)
  return span
}

function beginChat(open: Open, event: SessionEvent, id: string): Span {
  const span = begin(open, `chat ${event.model ?? 'model'}`, { event, id, of: 'LLM' })
  if (event.model !== null) {
    span.attributes.set('gen_ai.request.model', event.model)
    span.attributes.set('llm.model_name', event.model)
  }
  return span
}

function closeChat(open: Open): void {
  if (open.chat === null) return
  const { span, parts } = open.chat
  const output = [{ role: 'assistant', parts, finish_reason: finishOf(parts) }]
  span.attributes.set('gen_ai.input.messages', jsonText(open.input))
  span.attributes.set('gen_ai.output.messages', jsonText(output))
  const said = parts.flatMap(({ type, content }) => (type === 'text' ? (content ?? []) : []))
  span.attributes.set('output.value', said.join('\n\n'))
  open.exchange?.attributes.set('output.value', said.join('\n\n'))
  open.chat = null
  open.input = []
}

const finishOf = (parts: readonly Part[]) =>
  parts.some(({ type }) => type === 'tool_call') ? 'tool_call' : 'stop'

function takeResult(open: Open, event: SessionEvent, { text, id }: Told): Span {
  closeChat(open)
  const call = open.calls.get(event.callId ?? event.name ?? '')
  const name = event.name ?? call?.name ?? 'tool'
  const span = begin(open, `execute_tool ${name}`, { event, id, of: 'TOOL' })
  span.attributes.set('gen_ai.tool.name', name)
  if (event.callId !== null) span.attributes.set('gen_ai.tool.call.id', event.callId)
  if (call?.arguments !== undefined) {
    span.attributes.set('gen_ai.tool.call.arguments', call.arguments)
    span.attributes.set('input.value', call.arguments)
  }
  span.attributes.set('gen_ai.tool.call.result', text)
  span.attributes.set('output.value', text)
  span.isError = event.isError
  const part = { type: 'tool_call_response', id: event.callId, response: text }
  open.input.push({ role: 'tool', parts: [part] })
  return span
}
