/**
 * The messages of OTLP as data: fields by their number, with their names in OTLP's JSON. Numbers and names are facts of
 * the format (opentelemetry-proto 1.9). Fields that are not listed are skipped.
 */
export type Scalar =
  | 'string'
  /** Of ids: hex in OTLP's JSON, where other bytes are base64. */
  | 'hex'
  | 'bytes'
  | 'bool'
  | 'double'
  | 'int64'
  | 'fixed64'
  | 'fixed32'
  | 'uint32'
  | 'enum'

export interface Field {
  readonly name: string
  readonly is: Scalar | { readonly message: MessageName }
  readonly many?: true
}

export type MessageName = keyof typeof NAMES
type Message = Readonly<Record<number, Field>>

/** All messages. True for independent ones: if one is bad, only that one is refused, not the export. */
const NAMES = {
  ExportTraceServiceRequest: false,
  ExportLogsServiceRequest: false,
  ResourceSpans: false,
  ResourceLogs: false,
  ScopeSpans: false,
  ScopeLogs: false,
  Resource: false,
  Scope: false,
  Span: true,
  LogRecord: true,
  Event: false,
  Link: false,
  Status: false,
  KeyValue: false,
  AnyValue: false,
  ArrayValue: false,
  KeyValueList: false,
} as const

/** Whether a message is a record: one that cannot be used costs itself. */
export const isRecord = (name: MessageName): boolean => NAMES[name]

const one = (name: string, is: Scalar): Field => ({ name, is })
const inner = (name: string, message: MessageName): Field => ({ name, is: { message } })
const many = (name: string, message: MessageName): Field => ({ name, is: { message }, many: true })
const ATTRIBUTES = many('attributes', 'KeyValue')
const DROPPED = one('droppedAttributesCount', 'uint32')

export const MESSAGES: Readonly<Record<MessageName, Message>> = {
  ExportTraceServiceRequest: { 1: many('resourceSpans', 'ResourceSpans') },
  ExportLogsServiceRequest: { 1: many('resourceLogs', 'ResourceLogs') },
  ResourceSpans: {
    1: inner('resource', 'Resource'),
    2: many('scopeSpans', 'ScopeSpans'),
    3: one('schemaUrl', 'string'),
  },
  ResourceLogs: {
    1: inner('resource', 'Resource'),
    2: many('scopeLogs', 'ScopeLogs'),
    3: one('schemaUrl', 'string'),
  },
  ScopeSpans: {
    1: inner('scope', 'Scope'),
    2: many('spans', 'Span'),
    3: one('schemaUrl', 'string'),
  },
  ScopeLogs: {
    1: inner('scope', 'Scope'),
    2: many('logRecords', 'LogRecord'),
    3: one('schemaUrl', 'string'),
  },
  Resource: { 1: ATTRIBUTES, 2: DROPPED },
  Scope: { 1: one('name', 'string'), 2: one('version', 'string'), 3: ATTRIBUTES, 4: DROPPED },
  Span: {
    1: one('traceId', 'hex'),
    2: one('spanId', 'hex'),
    3: one('traceState', 'string'),
    4: one('parentSpanId', 'hex'),
    5: one('name', 'string'),
    6: one('kind', 'enum'),
    7: one('startTimeUnixNano', 'fixed64'),
    8: one('endTimeUnixNano', 'fixed64'),
    9: ATTRIBUTES,
    10: DROPPED,
    11: many('events', 'Event'),
    12: one('droppedEventsCount', 'uint32'),
    13: many('links', 'Link'),
    14: one('droppedLinksCount', 'uint32'),
    15: inner('status', 'Status'),
    16: one('flags', 'fixed32'),
  },
  Event: { 1: one('timeUnixNano', 'fixed64'), 2: one('name', 'string'), 3: ATTRIBUTES, 4: DROPPED },
  Link: {
    1: one('traceId', 'hex'),
    2: one('spanId', 'hex'),
    3: one('traceState', 'string'),
    4: ATTRIBUTES,
    5: DROPPED,
    6: one('flags', 'fixed32'),
  },
  Status: { 2: one('message', 'string'), 3: one('code', 'enum') },
  LogRecord: {
    1: one('timeUnixNano', 'fixed64'),
    2: one('severityNumber', 'enum'),
    3: one('severityText', 'string'),
    5: inner('body', 'AnyValue'),
    6: ATTRIBUTES,
    7: DROPPED,
    8: one('flags', 'fixed32'),
    9: one('traceId', 'hex'),
    10: one('spanId', 'hex'),
    11: one('observedTimeUnixNano', 'fixed64'),
    12: one('eventName', 'string'),
  },
  KeyValue: { 1: one('key', 'string'), 2: inner('value', 'AnyValue') },
  AnyValue: {
    1: one('stringValue', 'string'),
    2: one('boolValue', 'bool'),
    3: one('intValue', 'int64'),
    4: one('doubleValue', 'double'),
    5: inner('arrayValue', 'ArrayValue'),
    6: inner('kvlistValue', 'KeyValueList'),
    7: one('bytesValue', 'bytes'),
  },
  ArrayValue: { 1: many('values', 'AnyValue') },
  KeyValueList: { 1: many('values', 'KeyValue') },
}
