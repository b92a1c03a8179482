// [F151] What a receiver takes at most. Each of these is said when it is met.

const MIB = 1024 * 1024

/** A bound as a person reads it: "512 MiB". */
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
/** Bytes of one span or log as JSON: a line of a record is read whole. */
export const MAX_RECORD = 16 * MIB
/** Levels of a span or log, in messages of protobuf or values of JSON. */
export const MAX_DEPTH = 100
/** Messages in a request of protobuf: two bytes each are enough for one. */
export const MAX_VALUES = 2_000_000
/** Spans and logs of a request. */
export const MAX_RECORDS = 100_000
/** What records may take. */
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
  ...{ session: 512 * MIB, folder: 8192 * MIB, sessions: 5000, request: 256 * MIB },
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
