import type { JsonBounds } from '../../engine/json-bounds.ts'

// [F151] Limits of a receiver. Each is reported when it is reached.

const MIB = 1024 * 1024

/** A limit as display text: "512 MiB". */
export function sizeText(bytes: number): string {
  const [unit, name] = bytes % (1024 * MIB) === 0 ? [1024 * MIB, 'GiB'] : [MIB, 'MiB']
  return bytes % MIB === 0 ? `${bytes / unit} ${name}` : `${bytes} bytes`
}

/** Bytes of the body of a request as it is sent. */
export const MAX_PACKED = 20 * MIB
/** Bytes of a body when it is unpacked. */
export const MAX_UNPACKED = 64 * MIB
/** Bytes of bodies that are worked on at the same time. */
export const MAX_IN_WORK = 64 * MIB
/** Bytes that a request counts as held at least: many small requests take memory too. */
export const LEAST_HELD = 4096
/** Bytes of one span or log as JSON: a line of a record is read whole. */
export const MAX_RECORD = 16 * MIB
/** Levels of a span or log, in messages of protobuf or values of JSON. */
export const MAX_DEPTH = 100
/** Spans and logs of a request. */
export const MAX_RECORDS = 100_000
/**
 * [F206] Limits of a body before anything is built from it. A span of a coding agent has 40 to 70 values, so that
 * 2 million values are at least 28,000 spans: SDKs send 512 at a time, a collector 8,192. Fields of protobuf count as
 * values do: an attribute has four of both. OTLP's JSON has about 70 different keys.
 */
export const BODY_BOUNDS: JsonBounds = {
  values: 2_000_000,
  depth: 20_000,
  items: MAX_RECORDS,
  names: 2000,
  digits: 1000,
}
/** Limits for records. */
export interface Bounds {
  /** Bytes of the record of a session. */
  readonly session: number
  /** Bytes of all of them. */
  readonly folder: number
  /** Records that a folder may hold. */
  readonly sessions: number
  /** Bytes that one request may add: its resource is written again for each session that it names. */
  readonly request: number
}
export const BOUNDS: Bounds = {
  session: 512 * MIB,
  folder: 8192 * MIB,
  sessions: 5000,
  request: 256 * MIB,
}
/** Bytes of a line after which another one begins. */
export const LINE = MIB
/** Milliseconds in which a request has to be here. */
export const SLOW = 20_000
/** Connections at the same time. */
export const MAX_CONNECTIONS = 128

/** Requests in a burst, and how many each second gives back. */
const BURST = 2000
const EACH_SECOND = 1000

/** [F151] Whether another request may come now. @param now milliseconds, of a clock that never goes back */
export function createRate(): (now: number) => boolean {
  let left = BURST
  let last = 0
  return (now) => {
    left = Math.min(BURST, left + ((now - last) * EACH_SECOND) / 1000)
    last = now
    if (left < 1) return false
    left -= 1
    return true
  }
}
