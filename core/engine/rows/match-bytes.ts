import { createGrowing } from '../lab/growing.ts'
import { err, ok, type Result } from '../result.ts'

/** Numbers of the signals that matched, turn by turn, as bytes. */
export interface MatchWriter {
  /** @param fired ascending */
  readonly turn: (fired: readonly number[]) => void
  readonly endSession: () => void
  readonly bytes: () => Uint8Array
}

/** The same, read: session `s` has the turns `firsts[s]` to `firsts[s + 1]`, turn `t` the numbers `starts[t]` to `starts[t + 1]`. */
export interface StoredMatches {
  readonly firsts: Uint32Array
  readonly starts: Uint32Array
  readonly numbers: Uint32Array
}

/** "TSM" and the version. */
const MAGIC = [0x54, 0x53, 0x4d, 0x01]

/** Bytes that grow. Numbers are written seven bits at a time, the lowest first. */
function createBytes() {
  let cells = new Uint8Array(1024)
  let length = 0
  return {
    byte: (value: number): void => {
      if (length === cells.length) {
        const larger = new Uint8Array(cells.length * 2)
        larger.set(cells)
        cells = larger
      }
      cells[length] = value
      length += 1
    },
    number(value: number): void {
      let rest = value
      for (; rest > 0x7f; rest >>>= 7) this.byte((rest & 0x7f) | 0x80)
      this.byte(rest)
    },
    done: (): Uint8Array => cells.slice(0, length),
  }
}

/**
 * [F145] A turn is the count of its signals, and of each how much larger its number is than the one before: mostly
 * one byte. A session is the number of its turns plus 1, and 0 stands at the end: what was cut off shows.
 */
export function createMatchWriter(): MatchWriter {
  const bytes = createBytes()
  for (const value of MAGIC) bytes.byte(value)
  let session: Array<readonly number[]> = []
  const endSession = (): void => {
    if (session.length === 0) return
    bytes.number(session.length + 1)
    for (const fired of session) {
      bytes.number(fired.length)
      let before = 0
      for (const number of fired) {
        bytes.number(number - before)
        before = number
      }
    }
    session = []
  }
  return {
    turn: (fired) => void session.push(fired),
    endSession,
    bytes: () => {
      endSession()
      bytes.number(0)
      return bytes.done()
    },
  }
}

/**
 * [F145] Reads what was written, in one pass.
 * @param signals how many there are: a number beyond them is damage
 */
export function readMatches(bytes: Uint8Array, signals: number): Result<StoredMatches, string> {
  if (MAGIC.some((value, at) => bytes[at] !== value)) return err('no matches of this version')
  // Of each there is at most one a byte.
  const [firsts, starts, numbers] = [
    createGrowing(1024),
    createGrowing(bytes.length + 1),
    createGrowing(bytes.length + 1),
  ]
  let at = MAGIC.length

  /** -1 where the bytes end, or the number has more than 32 bits. */
  function next(): number {
    const single = bytes[at]
    if (single !== undefined && single < 0x80) {
      at += 1
      return single
    }
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at]
      if (byte === undefined) return -1
      at += 1
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    return -1
  }

  function readTurn(): boolean {
    const count = next()
    if (count < 0 || count > signals) return false
    starts.push(numbers.length)
    let number = 0
    for (let left = count; left > 0; left -= 1) {
      const step = next()
      number += step
      if (step < 0 || number >= signals || (step === 0 && left < count)) return false
      numbers.push(number)
    }
    return true
  }

  for (;;) {
    const turns = next() - 1
    firsts.push(starts.length)
    if (turns === -1) break
    // Each turn has a byte at least.
    if (turns < 0 || turns > bytes.length - at) return err(`damaged at byte ${at}`)
    for (let turn = 0; turn < turns; turn += 1) if (!readTurn()) return err(`damaged at byte ${at}`)
  }
  if (at !== bytes.length) return err(`there is more behind the end, at byte ${at}`)
  starts.push(numbers.length)
  return ok({ firsts: firsts.done(), starts: starts.done(), numbers: numbers.done() })
}
