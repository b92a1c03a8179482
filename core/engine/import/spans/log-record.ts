import type { SourceRef } from '../../schema/event.ts'
import {
  asText,
  compact,
  epoch,
  isList,
  isObject,
  listAt,
  numberIn,
  own,
  textAt,
} from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { RawRecord } from '../source.ts'
import { anyValue, attributesOf, type Attributes } from './attributes.ts'
import { groupOf } from './conventions.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import { either, exactMillis, idOf, nanos } from './values.ts'

/** [I149] A record of an OTLP log, in terms of a conversation. Unknown fields are null. */
export interface LogRecord {
  /** The name in the record, with the name of its program (`claude_code.user_prompt`); empty if it has none. */
  readonly name: string
  /** The name without that of the program; GenAI events keep theirs whole. */
  readonly event: string
  /** Those of the record, and its body as `event.body`. */
  readonly attributes: Attributes
  /** The conversation, as attributes of the record or its resource name it. */
  readonly group: string | null
  readonly trace: string | null
  readonly span: string | null
  /** Fallback conversation id if none is named: its trace, else its process. */
  readonly home: string
  /** Nanoseconds since 1970, to put records in order. */
  readonly order: number | null
  /** Count of the program within its session: orders records of the same time. */
  readonly sequence: number | null
  /** Epoch milliseconds. */
  readonly at: number | null
  /** The same for a record that was written twice. */
  readonly print: string
  readonly source: SourceRef
}

/** Resources of an export of logs: the export itself, or one resource's logs; null for anything else. */
export function logResourcesOf(value: unknown): readonly unknown[] | null {
  const list = either(value, 'resourceLogs', 'resource_logs')
  if (isList(list)) return list
  return logScopesOf(value) === null ? null : [value]
}

function logScopesOf(value: unknown): readonly unknown[] | null {
  const list =
    either(value, 'scopeLogs', 'scope_logs') ??
    either(value, 'instrumentationLibraryLogs', 'instrumentation_library_logs')
  return isList(list) ? list : null
}

/**
 * [I149] Passes on the records of one resource. A value that is not a record is reported as a problem of its line, and
 * only that value is lost.
 */
export function takeLogs(
  resource: unknown,
  record: RawRecord,
  log: ImportLog,
  take: (one: LogRecord) => void,
): void {
  const around = attributesOf(own(own(resource, 'resource'), 'attributes'))
  const place = { group: groupOf(around), home: homeOf(around), source: record.ref }
  for (const scope of logScopesOf(resource) ?? []) {
    for (const one of listAt(scope, 'logRecords').concat(listAt(scope, 'log_records'))) {
      if (isObject(one)) take(recordOf(one, place))
      else log.problem('unknown_shape', { ...record.ref, text: '' }, 'a log must be an object')
    }
  }
}

/** The process that wrote the logs. */
export function homeOf(resource: Attributes): string {
  const name = asText(resource.get('service.name')) ?? 'logs'
  const instance = asText(resource.get('service.instance.id'))
  return instance === null ? name : `${name} ${instance}`
}

interface Around {
  readonly group: string | null
  readonly home: string
  readonly source: SourceRef
}

function recordOf(value: unknown, { group, home, source }: Around): LogRecord {
  const attributes = attributesOf(own(value, 'attributes'))
  const body = anyValue(own(value, 'body'), 0)
  const name = nameOf(value, attributes, body)
  const trace = idOf(either(value, 'traceId', 'trace_id'))
  const written = either(value, 'timeUnixNano', 'time_unix_nano')
  const seen = either(value, 'observedTimeUnixNano', 'observed_time_unix_nano')
  const time = nanos(written)
  const observed = nanos(seen)
  const at = exactMillis(written) ?? epoch(attributes.get('event.timestamp')) ?? exactMillis(seen)
  const words = compact([...attributes, body])
  if (body !== undefined && body !== null) attributes.set('event.body', body)
  return {
    name,
    event: eventOf(name),
    attributes,
    trace,
    source,
    at,
    group: groupOf(attributes) ?? group,
    span: idOf(either(value, 'spanId', 'span_id')),
    home: trace ?? home,
    order: time ?? (at === null ? null : at * 1e6),
    sequence: numberOf(attributes.get('event.sequence')),
    print: `${name}\0${time ?? observed ?? ''}\0${fingerprint(words)}`,
  }
}

const DOTTED = /^[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}$/

/** The field for it, the older attribute, or a body that is nothing else; a name that has its program wins. */
function nameOf(value: unknown, attributes: Attributes, body: unknown): string {
  const own = textAt(value, 'eventName', 'event_name') ?? asText(attributes.get('event.name'))
  const written = typeof body === 'string' && DOTTED.test(body) ? body : null
  if (own === null) return written ?? ''
  return written?.endsWith(`.${own}`) === true ? written : own
}

function eventOf(name: string): string {
  return name.startsWith('gen_ai.') ? name : name.slice(name.lastIndexOf('.') + 1)
}

function numberOf(value: unknown): number | null {
  const number = numberIn(value)
  return Number.isFinite(number) ? number : null
}
