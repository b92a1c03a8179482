import type { Head } from '../head.ts'
import { NO_CONTENT, callContent } from '../shared/call-messages.ts'
import { jsonIn, textContent, type EventContent } from '../shared/call-parts.ts'
import {
  compact,
  entryOf,
  epoch,
  isList,
  isObject,
  listAt,
  own,
  pick,
  textAt,
} from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { attributesOf, firstTextOf, type Attributes } from './attributes.ts'
import { answerIdIn, answerIdOf } from './library.ts'
import { createSpanReader, type SpanReader } from './reader.ts'
import { EMPTY_SPAN, type SpanRecord } from './record.ts'
import { toolContent } from './tool.ts'

type Role = SpanRecord['role']

/** [I35] Types of observations. Those not here (SPAN, EVENT, CHAIN, …) surround the others. */
const ROLES: Readonly<Record<string, Role>> = { GENERATION: 'model', AGENT: 'agent', TOOL: 'tool' }
const TYPES: readonly string[] = [
  ...Object.keys(ROLES),
  'SPAN',
  'EVENT',
  'CHAIN',
  'RETRIEVER',
  'EVALUATOR',
  'EMBEDDING',
  'GUARDRAIL',
]

function isObservation(value: unknown): boolean {
  const type = own(value, 'type')
  const isTyped = typeof type === 'string' && TYPES.includes(type.toUpperCase())
  return (
    isTyped &&
    textAt(value, 'id') !== null &&
    own(value, 'startTime') !== undefined &&
    own(value, 'traceId') !== undefined
  )
}

/** A trace as the API gives it, or as the UI exports it: `{trace, observations}`. */
function traceOf(value: unknown): unknown {
  const trace = own(value, 'trace')
  if (isObject(trace) && textAt(trace, 'id') !== null && isList(own(value, 'observations')))
    return trace
  const isTrace = textAt(value, 'id') !== null && own(value, 'timestamp') !== undefined
  if (!isTrace) return null
  const list = own(value, 'observations')
  const marks = ['sessionId', 'projectId', 'userId', 'bookmarked', 'environment', 'htmlPath']
  const marked = marks.filter((key) => own(value, key) !== undefined).length
  return marked >= 2 && (list === undefined || isList(list)) ? value : null
}

/** Events of the ingestion API: `{batch: [{type: "generation-create", body}]}`. */
function ingested(value: unknown): { readonly type: string; readonly body: unknown } | null {
  const type = textAt(value, 'type')
  const body = own(value, 'body')
  if (type === null || !isObject(body)) return null
  return /^(trace|span|generation|event|observation|agent|tool|chain|score)-(create|update)$/.test(
    type,
  )
    ? { type, body }
    : null
}

function holds(value: unknown): boolean {
  const list = own(value, 'data') ?? own(value, 'batch') ?? own(value, 'traces')
  const first: unknown = isList(value) ? value[0] : isList(list) ? list[0] : value
  return isObservation(first) || traceOf(first) !== null || ingested(first) !== null
}

interface Reading {
  readonly log: ImportLog
  readonly spans: SpanReader
  /** Conversations by trace: observations do not know theirs. */
  readonly groups: Map<string, string>
}

function read(log: ImportLog): Reader {
  const spans = createSpanReader(log)
  const reading: Reading = { log, spans, groups: new Map() }
  return {
    take: (record) => takeValue(record, reading),
    drafts: spans.drafts,
    tidy: spans.tidy,
  }
}

function takeValue(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const event = ingested(value)
  const trace = traceOf(value)
  if (event !== null) takeEvent(event, record, reading)
  else if (isObservation(value)) takeObservation(value, record, reading)
  else if (trace !== null) takeTrace(trace, record, reading)
  else if (record.header === true) reading.log.skip('facts about the file')
  else
    reading.log.problem('unknown_shape', { ...ref, text: '' }, 'neither a trace nor an observation')
}

function takeEvent(
  event: { readonly type: string; readonly body: unknown },
  record: RawRecord,
  reading: Reading,
): void {
  const [what] = event.type.split('-')
  if (what === 'trace') takeTrace(event.body, record, reading)
  else if (what === 'score') reading.log.skip('score')
  else if (isObject(event.body)) {
    const type = textAt(event.body, 'type') ?? what ?? 'span'
    takeObservation({ type, ...event.body }, record, reading)
  }
}

/** [I35] Exports write observations twice, beside the trace and in it: the second ones are counted. */
function takeTrace(trace: unknown, record: RawRecord, reading: Reading): void {
  const id = textAt(trace, 'id') ?? 'trace'
  const group = textAt(trace, 'sessionId')
  if (group !== null && group !== 'null') reading.groups.set(id, group)
  reading.spans.take(ofTrace(trace, id, reading), record.ref)
  for (const each of trace === record.value ? [trace] : [record.value, trace]) {
    for (const item of listAt(each, 'observations')) {
      if (isObject(item)) takeObservation({ traceId: id, ...item }, record, reading)
      // The API lists ids only.
      else reading.log.skip('observation by id')
    }
  }
}

/** The trace itself as the outermost span: it speaks where no observation does. */
function ofTrace(trace: unknown, id: string, reading: Reading): SpanRecord {
  const at = epoch(own(trace, 'timestamp'))
  return {
    ...EMPTY_SPAN,
    id: `trace ${id}`,
    trace: id,
    group: reading.groups.get(id) ?? null,
    name: textAt(trace, 'name') ?? 'trace',
    start: at === null ? null : at - 0.5,
    at,
    endAt: at,
    input: callContent(whole(own(trace, 'input')), 'user', () => undefined),
    output: callContent(whole(own(trace, 'output')), 'agent', () => undefined),
    notes: scoresOf(trace),
    facts: factsOf(trace),
  }
}

/** [I35] Values are JSON in strings, JSON in those strings, or plain text; `null` may be a word. */
function whole(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value === 'null' || value === 'None' || value === 'undefined') return null
  return jsonIn(value) ?? value
}

function takeObservation(value: unknown, record: RawRecord, { log, spans, groups }: Reading): void {
  const metadata = whole(own(value, 'metadata'))
  const attributes = attributesOf(own(metadata, 'attributes'))
  const trace = textAt(value, 'traceId')
  const at = epoch(own(value, 'startTime'))
  const agent = firstTextOf(attributes, ['gen_ai.agent.name', 'agent_name', 'agent.name'])
  const role = roleOf(value, agent !== null)
  const failed = own(value, 'level') === 'ERROR'
  spans.take(
    {
      id: textAt(value, 'id'),
      parent: textAt(value, 'parentObservationId') ?? (trace === null ? null : `trace ${trace}`),
      trace,
      group: trace === null ? null : (groups.get(trace) ?? null),
      name: textAt(value, 'name') ?? 'observation',
      role,
      agent,
      start: at,
      at,
      endAt: epoch(own(value, 'endTime')),
      model: textAt(value, 'model'),
      library: textAt(own(metadata, 'scope'), 'name'),
      answerId: answerIdIn(attributes) ?? answerIdOf(own(value, 'output')),
      error: failed
        ? (textAt(value, 'statusMessage') ?? 'the observation failed without a message')
        : null,
      ...contentIn(value, role, attributes, log),
      notes: scoresOf(value),
      facts: factsOf(value),
    },
    record.ref,
  )
}

/** A span that other frameworks name as a tool's is one: `tool.<name>`, `execute_tool <name>`. */
const TOOL_NAME =
  /^(?:execute_tool |running tool:? |tool\.)(?!.*\.(?:start|finish|success|update)-)/

function roleOf(value: unknown, hasAgent: boolean): Role {
  const type = (textAt(value, 'type') ?? '').toUpperCase()
  const role = entryOf(ROLES, type)
  if (role !== undefined) return role
  const speaks = own(value, 'input') !== null && own(value, 'output') !== null
  return speaks && TOOL_NAME.test(textAt(value, 'name') ?? '')
    ? 'tool'
    : hasAgent
      ? 'agent'
      : 'other'
}

function contentIn(
  value: unknown,
  role: Role,
  attributes: Attributes,
  log: ImportLog,
): Pick<SpanRecord, 'input' | 'output'> {
  const input = whole(own(value, 'input'))
  const output = whole(own(value, 'output'))
  if (role === 'tool') {
    const name =
      firstTextOf(attributes, ['gen_ai.tool.name']) ??
      (textAt(value, 'name') ?? 'tool').replace(TOOL_NAME, '')
    const callId = firstTextOf(attributes, ['gen_ai.tool.call.id', 'ai.toolCall.id'])
    return toolContent({ name, callId, args: input, result: output })
  }
  // What surrounds model calls repeats their words; only the trace speaks where they do not.
  if (role === 'other') return { input: NO_CONTENT, output: NO_CONTENT }
  const skip = (type: string): void => log.skip(type)
  return { input: callContent(input, 'user', skip), output: callContent(output, 'agent', skip) }
}

/** Scores and corrections, as judgements. */
function scoresOf(value: unknown): readonly EventContent[] {
  const notes: EventContent[] = []
  for (const key of ['scores', 'corrections']) {
    const list = whole(own(value, key))
    for (const score of isList(list) ? list : []) {
      if (!isObject(score)) continue
      const facts = [
        own(score, 'stringValue') ?? own(score, 'value'),
        own(score, 'comment') ?? own(score, 'longStringValue'),
      ]
      const shown = facts.map(compact).filter((fact) => fact !== '')
      notes.push(textContent('meta', shown.join(' · '), textAt(score, 'name') ?? key))
    }
  }
  return notes
}

const FACTS = [
  'type',
  'level',
  'model',
  'usageDetails',
  'costDetails',
  'promptName',
  'promptVersion',
  'latency',
  'tags',
]

function factsOf(value: unknown): Readonly<Record<string, unknown>> {
  return pick(value, FACTS)
}

/** Traces and observations of Langfuse: exports of its screens and its API, batches of its SDKs. */
export const langfuse: Importer = {
  name: 'langfuse',
  label: 'Langfuse traces',
  detect: (head) => head.values.some(holds),
  split: ({ head }) => ({ by: 'records', lists: listsOf(head) }),
  read,
}

/** Pages of the API hold their items under `data`; a trace with its observations is one record. */
function listsOf(head: Head): readonly string[] {
  return head.values.some((value) => traceOf(value) !== null)
    ? []
    : ['data', 'batch', 'traces', 'observations']
}
