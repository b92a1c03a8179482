import { epoch, isList, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord } from '../source.ts'
import { attributesOf } from './attributes.ts'
import { groupOf } from './conventions.ts'
import { toldOf } from './otlp.ts'
import { readSpans, type SpanReader } from './reader.ts'
import { idOf, millis } from './values.ts'

/** A span as OpenTelemetry's SDKs hold it: the ids are in `context`, attributes are an object. */
function isSpan(value: unknown): boolean {
  const context = own(value, 'context')
  return (
    isObject(context) &&
    own(context, 'trace_id') !== undefined &&
    own(context, 'span_id') !== undefined &&
    own(value, 'start_time') !== undefined
  )
}

function holdsSpans(value: unknown): boolean {
  const list = isList(value) ? value : own(value, 'spans')
  return isSpan(value) || (isList(list) && isSpan(list[0]))
}

function takeRecord(record: RawRecord, spans: SpanReader, log: ImportLog): void {
  const { value, ref } = record
  const list = own(value, 'spans')
  if (record.header === true) log.skip('facts about the file')
  else if (isSpan(value)) takeSpan(record, log, spans.take)
  else if (isList(list)) {
    for (const span of list) takeSpan({ ...record, value: span }, log, spans.take)
  } else log.problem('unknown_shape', { ...ref, text: '' }, 'not a span: it has no context')
}

function takeSpan({ value, ref }: RawRecord, log: ImportLog, take: SpanReader['take']): void {
  if (!isObject(value)) {
    log.problem('unknown_shape', { ...ref, text: '' }, 'a span must be an object')
    return
  }
  const context = own(value, 'context')
  const group = groupOf(attributesOf(own(own(value, 'resource'), 'attributes')))
  const attributes = attributesOf(own(value, 'attributes'))
  const start = timeOf(own(value, 'start_time'))
  const end = timeOf(own(value, 'end_time'))
  take(
    {
      ...toldOf(value, attributes, group, log),
      library: textAt(own(value, 'instrumentation_scope') ?? own(value, 'scope'), 'name'),
      id: numberId(own(context, 'span_id')),
      trace: numberId(own(context, 'trace_id')),
      parent: numberId(own(value, 'parent_id')) ?? numberId(own(own(value, 'parent'), 'span_id')),
      start: start === null ? null : start.order,
      at: start?.ms ?? null,
      endAt: end?.ms ?? null,
    },
    ref,
  )
}

/**
 * [I34] any-agent writes ids as integers of 64 and 128 bits. Those of a document arrive as text. On lines of several
 * dumps they are rounded to 53 bits, which still distinguishes the random ids of a trace.
 */
function numberId(value: unknown): string | null {
  if (typeof value !== 'number') return idOf(value)
  if (!Number.isFinite(value) || value <= 0) return null
  if (Number.isSafeInteger(value)) return String(value)
  const digits = value.toExponential(16).replace(/e.*$/, '').replace('.', '')
  return `${digits}…`
}

interface Time {
  /** Of the same unit for all spans: nanoseconds. */
  readonly order: number
  readonly ms: number | null
}

/** Nanoseconds as a number, or an ISO time. */
function timeOf(given: unknown): Time | null {
  const isLong = typeof given === 'string' && /^\d{16,22}$/.test(given)
  const value = isLong ? Number(given) : given
  if (typeof value === 'number' && value > 1e15 && value < 8.64e21)
    return { order: value, ms: millis(value) }
  const ms = epoch(typeof value === 'string' ? value.replace(/(\.\d{3})\d+/, '$1') : value)
  return ms === null ? null : { order: ms * 1e6, ms }
}

/** Spans as an SDK dumps them: any-agent's trace files, the console exporter's lines. */
export const otelSpans: Importer = {
  name: 'otel-spans',
  label: 'OpenTelemetry spans as an SDK dumps them (any-agent)',
  detect: (head) => head.values.some(holdsSpans),
  split: () => ({ by: 'records', lists: ['spans'], header: true, exact: true }),
  read: readSpans(takeRecord),
}
