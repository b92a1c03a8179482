import type { SessionDraft } from '../shared/drafts.ts'
import { asText, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { attributesOf, type Attributes } from './attributes.ts'
import { groupOf, tellSpan, type SpanEvent, type Told } from './conventions.ts'
import { answerIdIn } from './library.ts'
import { logResourcesOf, takeLogs, type LogRecord } from './log-record.ts'
import { createLogSessions } from './log-sessions.ts'
import { createSpanReader, type SpanReader } from './reader.ts'
import { EMPTY_SPAN, type SpanRecord } from './record.ts'
import type { SpanSessions } from './sessions.ts'
import { either, idOf, millis, nanos } from './values.ts'

/** Resource spans of a value: an export request, Tempo's `batches`, or one resource's spans. */
function resourcesOf(value: unknown): readonly unknown[] | null {
  const list =
    either(own(value, 'trace') ?? value, 'resourceSpans', 'resource_spans') ?? own(value, 'batches')
  if (isList(list)) return list
  return scopesOf(value) === null ? null : [value]
}

function scopesOf(value: unknown): readonly unknown[] | null {
  const list =
    either(value, 'scopeSpans', 'scope_spans') ??
    either(value, 'instrumentationLibrarySpans', 'ils')
  return isList(list) ? list : null
}

function isOtlp(value: unknown): boolean {
  const first = isList(value) ? value[0] : value
  if (logResourcesOf(first)?.some((resource) => isObject(resource)) === true) return true
  const resources = resourcesOf(first)
  if (resources === null) return false
  // An empty export is one too; `batches` of something else is not.
  return own(value, 'batches') === undefined || scopesOf(resources[0]) !== null
}

/** [I149] One file may hold spans and logs of one program. */
function readOtlp(log: ImportLog): Reader {
  const spans = createSpanReader(log)
  const logs = createLogReader(log, spans)
  return {
    take: (record) => takeRecord(record, { spans, logs }, log),
    drafts: () => [...spans.drafts(), ...logs.drafts()],
    tidy() {
      const made = spans.build(logs.words())
      const told = logs.build(made)
      log.recount(told === 0 ? made.left : new Map([...made.left, ['log told by spans', told]]))
    },
  }
}

interface Readers {
  readonly spans: SpanReader
  readonly logs: LogReader
}

function takeRecord(record: RawRecord, { spans, logs }: Readers, log: ImportLog): void {
  const { value, ref } = record
  const resources = resourcesOf(value)
  for (const resource of resources ?? []) takeResource(resource, record, log, spans.take)
  const written = logResourcesOf(value)
  for (const resource of written ?? []) takeLogs(resource, record, log, logs.take)
  if (resources !== null || written !== null) return
  if (own(value, 'resourceMetrics') !== undefined) log.skip('resourceMetrics')
  else log.problem('unknown_shape', { ...ref, text: '' }, 'not an export of spans or logs')
}

type Take = SpanReader['take']

function takeResource(resource: unknown, record: RawRecord, log: ImportLog, take: Take): void {
  const group = groupOf(attributesOf(own(own(resource, 'resource'), 'attributes')))
  for (const scope of scopesOf(resource) ?? []) {
    const library = textAt(own(scope, 'scope') ?? own(scope, 'instrumentationLibrary'), 'name')
    for (const span of listAt(scope, 'spans')) {
      if (isObject(span)) takeSpan(span, { group, library, record, log, take })
      else log.problem('unknown_shape', { ...record.ref, text: '' }, 'a span must be an object')
    }
  }
}

interface Context {
  readonly group: string | null
  readonly library: string | null
  readonly record: RawRecord
  readonly log: ImportLog
  readonly take: Take
}

function takeSpan(span: unknown, { group, library, record, log, take }: Context): void {
  const attributes = attributesOf(own(span, 'attributes'))
  const start = nanos(either(span, 'startTimeUnixNano', 'start_time_unix_nano'))
  const end = nanos(either(span, 'endTimeUnixNano', 'end_time_unix_nano'))
  const parent = idOf(either(span, 'parentSpanId', 'parent_span_id'))
  take(
    {
      ...toldOf(span, attributes, group, log),
      library,
      id: idOf(either(span, 'spanId', 'span_id')),
      trace: idOf(either(span, 'traceId', 'trace_id')),
      parent: parent ?? asText(attributes.get('virtual_parent.genai')),
      start,
      at: millis(start),
      endAt: millis(end),
    },
    record.ref,
  )
}

/** Facts of a span in OTLP and SDK dumps alike. `group` is that of its resource. */
export function toldOf(
  span: unknown,
  attributes: Attributes,
  group: string | null,
  log: ImportLog,
): Omit<SpanRecord, 'id' | 'trace' | 'parent' | 'start' | 'at' | 'endAt' | 'library'> {
  const name = textAt(span, 'name') ?? 'span'
  const events = eventsOf(own(span, 'events'))
  const told = tellSpan(name, attributes, events, (type) => log.skip(type))
  const error = errorOf(own(span, 'status'), events)
  return { ...told, name, group: told.group ?? group, answerId: answerIdIn(attributes), error }
}

/** Events of a span; their attributes are written like those of spans. */
function eventsOf(value: unknown): readonly SpanEvent[] {
  if (!isList(value)) return []
  return value.map((event) => {
    return {
      name: textAt(event, 'name') ?? '',
      attributes: attributesOf(own(event, 'attributes')),
    }
  })
}

const FAILED: readonly unknown[] = [2, '2', 'STATUS_CODE_ERROR', 'ERROR', 'error', 'Error']

/** Returns the error: the message of the status, else that of the exception. Null if no error occurred. */
function errorOf(status: unknown, events: readonly SpanEvent[]): string | null {
  if (!FAILED.includes(own(status, 'code') ?? own(status, 'status_code'))) return null
  const text = textAt(status, 'message', 'description')
  if (text !== null) return text
  const exception = events.find(({ name }) => name === 'exception')?.attributes
  const type = asText(exception?.get('exception.type'))
  const message = asText(exception?.get('exception.message'))
  return (
    [type, message].filter((part) => part !== null).join(': ') ||
    'the span failed without a message'
  )
}

const LISTS = ['resourceSpans', 'resource_spans', 'batches', 'resourceLogs', 'resource_logs']

/** Collects the logs of a file: data about spans, and separate sessions. */
interface LogReader {
  readonly take: (record: LogRecord) => void
  readonly drafts: () => Iterable<SessionDraft>
  /** [I152] Conversations that contain messages. */
  readonly words: () => ReadonlySet<string>
  /**
   * Rebuilds the sessions, excluding conversations already in those of spans. Returns the number of events that spans
   * already contain.
   */
  readonly build: (spans: SpanSessions) => number
}

/** [I149] [I151] [I152] */
function createLogReader(log: ImportLog, spans: Pick<SpanReader, 'tell'>): LogReader {
  const sessions = createLogSessions(log)
  const seen = new Set<string>()
  const calls = createCalls()
  let built: readonly SessionDraft[] = []
  return {
    take(record) {
      // An exporter that got no answer sends the same again.
      const print = `${record.group ?? record.home}\0${record.print}`
      if (record.order !== null && seen.has(print)) {
        log.skip('log repeated')
        return
      }
      seen.add(print)
      const told = toldByLog(record, log)
      if (told === null) sessions.take(record)
      else spans.tell({ ...spanOf(record, told), id: calls.of(record, told) }, record.source)
    },
    drafts: () => [sessions.pool(), ...built],
    words: sessions.words,
    build({ spoken }) {
      const made = sessions.build(spoken)
      built = made.sessions
      return made.left
    },
  }
}

/** [I151] The messages or judgements in a GenAI event; null for any other event, and for one without content. */
function toldByLog({ name, event, attributes }: LogRecord, log: ImportLog): Told | null {
  if (!event.startsWith('gen_ai.')) return null
  const told = tellSpan(name, attributes, [{ name, attributes }], log.skip)
  const says = told.input.events.length + told.output.events.length + told.notes.length > 0
  return says ? told : null
}

function spanOf({ group, home, trace, order, at, attributes }: LogRecord, told: Told) {
  return {
    ...EMPTY_SPAN,
    ...told,
    role: 'model' as const,
    name: 'model call',
    trace: trace ?? group ?? home,
    start: order,
    at,
    endAt: told.output.events.length > 0 ? at : null,
    group: told.group ?? group,
    library: typeof attributes.get('gen_ai.system') === 'string' ? 'gen_ai' : null,
  }
}

/** Spans of events; of those that name none, those up to an answer are one call. */
function createCalls() {
  const open = new Map<string, { nth: number; answered: boolean }>()
  return {
    of({ group, home, trace, span }: LogRecord, { input, output }: Told): string {
      if (span !== null) return span
      const key = trace ?? group ?? home
      const call = open.get(key) ?? { nth: 1, answered: false }
      if (call.answered && input.events.length > 0) call.nth += 1
      call.answered = output.events.length > 0 || (call.answered && input.events.length === 0)
      open.set(key, call)
      return `log-call-${call.nth}`
    },
  }
}

/**
 * OpenTelemetry traces and logs in OTLP's JSON, with the conventions of GenAI, Traceloop, OpenInference and
 * Vercel, and the events of coding agents.
 */
export const otlp: Importer = {
  name: 'otlp',
  label: 'OpenTelemetry spans and logs (OTLP JSON)',
  detect: (head) => head.values.some(isOtlp),
  split: () => ({ by: 'records', lists: LISTS }),
  read: readOtlp,
}
