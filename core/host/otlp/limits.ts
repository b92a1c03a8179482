// [F151] What a receiver takes at most. Each of these is said when it is met.

const MIB = 1024 * 1024

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
/** Bytes of the record of a session. */
export const MAX_SESSION = 512 * MIB
/** Bytes of all of them. */
export const MAX_FOLDER = 8192 * MIB
/** Records that a folder may hold. */
export const MAX_SESSIONS = 5000
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
