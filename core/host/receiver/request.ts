import { type Result, err, ok, parseJson } from '../../engine/result.ts'
import { attributesOf } from '../../engine/import/spans/attributes.ts'
import { groupOf } from '../../engine/import/spans/conventions.ts'
import { homeOf } from '../../engine/import/spans/log-record.ts'
import { idOf } from '../../engine/import/spans/values.ts'
import { isList, isObject, own } from '../../engine/import/shared/guards.ts'
import type { MessageName } from './fields.ts'
import { MAX_DEPTH, MAX_RECORD, MAX_RECORDS } from './limits.ts'
import { decodeExport } from './protobuf.ts'

/** A kind of export, with the path that receives it. */
export interface Signal {
  readonly path: string
  readonly noun: 'span' | 'log record'
  readonly message: MessageName
  /** Names in OTLP's JSON. */
  readonly resources: string
  readonly scopes: string
  readonly records: string
  readonly rejected: string
}

export const SIGNALS: readonly Signal[] = [
  {
    path: '/v1/traces',
    noun: 'span',
    message: 'ExportTraceServiceRequest',
    resources: 'resourceSpans',
    scopes: 'scopeSpans',
    records: 'spans',
    rejected: 'rejectedSpans',
  },
  {
    path: '/v1/logs',
    noun: 'log record',
    message: 'ExportLogsServiceRequest',
    resources: 'resourceLogs',
    scopes: 'scopeLogs',
    records: 'logRecords',
    rejected: 'rejectedLogRecords',
  },
]

/** A span or log that is taken, as the text of its JSON. */
export interface Taken {
  readonly text: string
  /** The conversation that it names, or null. */
  readonly group: string | null
  readonly trace: string | null
}

/** Records of one resource and scope, with the text before and after them on a line of the record. */
export interface Batch {
  readonly signal: Signal
  readonly before: string
  readonly behind: string
  /** Bytes of both. */
  readonly around: number
  /** Process that owns records which name neither a conversation nor a trace. */
  readonly home: string
  readonly records: readonly Taken[]
}

/** [F149] An export that was read at the door. */
interface Export {
  readonly batches: readonly Batch[]
  readonly taken: number
  /** Why records were not taken, and how many for each reason. */
  readonly refused: ReadonlyMap<string, number>
}

/** Why a whole request is refused. `isTooMuch`: it is valid, but over the size limit. */
interface Unreadable {
  readonly what: string
  readonly isTooMuch: boolean
}

/**
 * [F149] Reads an export once, at the door. Records that cannot be used cost themselves.
 * @param bytes JSON within `BODY_BOUNDS` (F206), as `unpacked` returns it; protobuf is measured here
 */
export function readExport(
  bytes: Buffer,
  encoding: 'json' | 'protobuf',
  signal: Signal,
): Result<Export, Unreadable> {
  const value = encoding === 'protobuf' ? decodeExport(bytes, signal.message) : jsonOf(bytes)
  if (!value.ok) return value
  const isEmpty = isObject(value.value) && Object.keys(value.value).length === 0
  const resources = isEmpty ? [] : own(value.value, signal.resources)
  if (!isList(resources)) return err({ what: `it is no ${signal.message}`, isTooMuch: false })
  const reading: Reading = { signal, batches: [], refused: new Map(), taken: 0 }
  for (const resource of resources) takeResource(resource, reading)
  if (reading.taken > MAX_RECORDS)
    return err({ what: `it holds more than ${MAX_RECORDS} ${signal.noun}s`, isTooMuch: true })
  return ok(reading)
}

function jsonOf(bytes: Buffer): Result<unknown, Unreadable> {
  const parsed = parseJson(bytes.toString('utf8').replace(/^\uFEFF/u, ''))
  return parsed.ok ? parsed : err({ what: `it is no JSON: ${parsed.error}`, isTooMuch: false })
}

interface Reading {
  readonly signal: Signal
  readonly batches: Batch[]
  readonly refused: Map<string, number>
  taken: number
}

function refuse({ refused }: Reading, reason: string, count = 1): void {
  if (count > 0) refused.set(reason, (refused.get(reason) ?? 0) + count)
}

/** The text around records, created once for all of them. */
interface Around {
  readonly text: string
  readonly url: string
}

/** Null: it is nested too deeply. */
function aroundOf(value: unknown, key: 'resource' | 'scope'): Around | null {
  const inner = own(value, key) ?? {}
  if (isDeeper(inner, MAX_DEPTH - 1)) return null
  const url = own(value, 'schemaUrl')
  return {
    text: JSON.stringify(inner),
    url: typeof url === 'string' && url !== '' ? `,"schemaUrl":${JSON.stringify(url)}` : '',
  }
}

function takeResource(value: unknown, reading: Reading): void {
  const { resources, scopes, records, noun } = reading.signal
  const outer = aroundOf(value, 'resource')
  const attributes = attributesOf(outer === null ? [] : own(own(value, 'resource'), 'attributes'))
  const fallback = groupOf(attributes)
  const home = homeOf(attributes)
  const bytes = outer === null ? 0 : Buffer.byteLength(outer.text + outer.url)
  const listed = own(value, scopes)
  for (const scope of isList(listed) ? listed : []) {
    const list = own(scope, records)
    const all = isList(list) ? list : []
    const inner = aroundOf(scope, 'scope')
    if (outer === null || inner === null) {
      refuse(reading, `its resource or scope is nested deeper than ${MAX_DEPTH} levels`, all.length)
      continue
    }
    const taken = all.flatMap((record) => {
      const one = recordOf(record, noun, fallback)
      if (one.ok) return [one.value]
      refuse(reading, one.error)
      return []
    })
    reading.taken += taken.length
    if (taken.length === 0) continue
    const start = `"${scopes}":[{"scope":${inner.text},"${records}":[`
    const behind = `]${inner.url}}]${outer.url}}]}`
    const open = `{"${resources}":[{"resource":`
    reading.batches.push({
      signal: reading.signal,
      home,
      records: taken,
      behind,
      before: `${open}${outer.text},${start}`,
      around: bytes + Buffer.byteLength(`${open},${start}]${inner.url}}]}]}`),
    })
  }
}

/** Ids are hex. Some exporters write base64, which also identifies records. */
const ID = /^[\w+/=-]{1,64}$/

function recordOf(
  value: unknown,
  noun: Signal['noun'],
  fallback: string | null,
): Result<Taken, string> {
  if (value === null || isDeeper(value, MAX_DEPTH))
    return err(`it is nothing, or nested deeper than ${MAX_DEPTH} levels`)
  if (!isObject(value)) return err(`it is no ${noun}`)
  const trace = idIn(value, 'traceId')
  if (noun === 'span' && (trace === null || idIn(value, 'spanId') === null))
    return err('it has no traceId or no spanId')
  const text = JSON.stringify(value)
  if (text.length > MAX_RECORD) return err(`it is larger than ${MAX_RECORD} bytes`)
  const group = groupOf(attributesOf(own(value, 'attributes'))) ?? fallback
  return ok({ text, group, trace })
}

function idIn(value: unknown, key: string): string | null {
  const id = idOf(own(value, key))
  return id !== null && ID.test(id) ? id : null
}

/** Whether a value has more levels than a number; it looks no deeper than that. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
