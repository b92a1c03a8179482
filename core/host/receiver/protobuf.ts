import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { type JsonExcess, excessText } from '../../engine/json-bounds.ts'
import { type Result, err, messageOf, ok } from '../../engine/result.ts'
import type { JsonObject } from '../../engine/import/shared/guards.ts'
import { type Field, type MessageName, type Scalar, MESSAGES, isRecord } from './fields.ts'
import { BODY_BOUNDS, MAX_DEPTH } from './limits.ts'

/** A record (a span, a log) that is nested too deeply becomes null; the door counts it. */
class TooDeep extends Error {}
class TooMany extends Error {
  readonly excess: JsonExcess
  constructor(excess: JsonExcess) {
    super(excess)
    this.excess = excess
  }
}

/** [F206] Fields of a request that may still come, unknown ones too. */
interface Budget {
  left: number
}

/**
 * [F149] Converts a protobuf export to the form of OTLP's JSON: ids in hex, 64-bit integers as text, JSON field names,
 * and no unknown fields. The error describes the fault in the bytes.
 */
export function decodeExport(
  bytes: Uint8Array,
  message: MessageName,
): Result<JsonObject, { readonly what: string; readonly isTooMuch: boolean }> {
  try {
    const reader = new BinaryReader(bytes)
    return ok(
      readMessage(reader, bytes.length, message, {
        depth: 0,
        budget: { left: BODY_BOUNDS.values },
      }),
    )
  } catch (error) {
    if (error instanceof TooMany)
      return err({ what: excessText(error.excess, BODY_BOUNDS), isTooMuch: true })
    return err({ what: messageOf(error), isTooMuch: false })
  }
}

interface Place {
  readonly depth: number
  readonly budget: Budget
}

function readMessage(
  reader: BinaryReader,
  end: number,
  name: MessageName,
  place: Place,
): JsonObject {
  if (place.depth > MAX_DEPTH) throw new TooDeep(`nested deeper than ${MAX_DEPTH} levels`)
  const fields = MESSAGES[name]
  const found: Record<string, unknown> = {}
  while (reader.pos < end) {
    place.budget.left -= 1
    if (place.budget.left < 0) throw new TooMany('values')
    const [number, wire] = reader.tag()
    const field = Object.hasOwn(fields, number) ? fields[number] : undefined
    if (field === undefined || wire !== wireOf(field.is)) reader.skip(wire, number)
    else take(found, field, readField(reader, end, field, place))
    if (reader.pos > end) throw new Error(`a field of ${name} is longer than the message`)
  }
  return found
}

function take(found: Record<string, unknown>, { name, many }: Field, value: unknown): void {
  const before = found[name]
  if (many !== true) found[name] = value
  else if (Array.isArray(before)) {
    if (before.push(value) > BODY_BOUNDS.items) throw new TooMany('items')
  } else found[name] = [value]
}

function readField(reader: BinaryReader, end: number, { is }: Field, place: Place): unknown {
  if (typeof is === 'string') return SCALARS[is].read(reader)
  const length = reader.uint32()
  const inner = reader.pos + length
  if (inner > end) throw new Error(`a ${is.message} is longer than what is around it`)
  const below = { ...place, depth: place.depth + 1 }
  if (!isRecord(is.message)) return readMessage(reader, inner, is.message, below)
  try {
    return readMessage(reader, inner, is.message, below)
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    reader.pos = inner
    return null
  }
}

interface ScalarReader {
  readonly wire: WireType
  readonly read: (reader: BinaryReader) => unknown
}

const SCALARS: Readonly<Record<Scalar, ScalarReader>> = {
  string: { wire: WireType.LengthDelimited, read: (reader) => reader.string() },
  hex: { wire: WireType.LengthDelimited, read: (reader) => bufferOf(reader).toString('hex') },
  bytes: { wire: WireType.LengthDelimited, read: (reader) => bufferOf(reader).toString('base64') },
  bool: { wire: WireType.Varint, read: (reader) => reader.bool() },
  double: { wire: WireType.Bit64, read: (reader) => number(reader.double()) },
  int64: { wire: WireType.Varint, read: (reader) => String(reader.int64()) },
  fixed64: { wire: WireType.Bit64, read: (reader) => String(reader.fixed64()) },
  fixed32: { wire: WireType.Bit32, read: (reader) => reader.fixed32() },
  uint32: { wire: WireType.Varint, read: (reader) => reader.uint32() },
  enum: { wire: WireType.Varint, read: (reader) => reader.int32() },
}

function wireOf(is: Field['is']): WireType {
  return typeof is === 'string' ? SCALARS[is].wire : WireType.LengthDelimited
}

function bufferOf(reader: BinaryReader): Buffer {
  const bytes = reader.bytes()
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** JSON has no NaN and no infinity: protobuf's JSON writes their names. */
function number(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}

/** [F150] Refused records of an export; null if none was refused. */
export interface Partial {
  readonly rejected: number
  readonly message: string
}

/** [F150] ExportTraceServiceResponse or ExportLogsServiceResponse: both have the same fields. */
export function encodeAnswer(partial: Partial | null): Uint8Array {
  const writer = new BinaryWriter()
  if (partial === null) return writer.finish()
  writer.tag(1, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.Varint).int64(partial.rejected)
  writer.tag(2, WireType.LengthDelimited).string(partial.message)
  return writer.join().finish()
}

/** [F150] google.rpc.Status. */
export function encodeStatus(code: number, message: string): Uint8Array {
  const writer = new BinaryWriter()
  writer.tag(1, WireType.Varint).int32(code)
  writer.tag(2, WireType.LengthDelimited).string(message)
  return writer.finish()
}
