import type { Head } from '../head.ts'
import { isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { ROLES, ofObservation, ofTrace } from './langfuse-spans.ts'
import { createSpanReader, type SpanReader } from './reader.ts'

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
  reading.spans.take(ofTrace(trace, id, reading.groups.get(id) ?? null), record.ref)
  for (const each of trace === record.value ? [trace] : [record.value, trace]) {
    for (const item of listAt(each, 'observations')) {
      if (isObject(item)) takeObservation({ traceId: id, ...item }, record, reading)
      // The API lists ids only.
      else reading.log.skip('observation by id')
    }
  }
}

function takeObservation(value: unknown, record: RawRecord, { log, spans, groups }: Reading): void {
  spans.take(ofObservation(value, groups, log), record.ref)
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
