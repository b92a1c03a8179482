import { z } from 'zod'
import { err, ok, type Result } from '../result.ts'
import { BeliefState } from '../schema/trace.ts'
import { type ByteReader, createByteReader } from './byte-numbers.ts'

/** "TSM" and the version. */
export const MATCHES_MAGIC = [0x54, 0x53, 0x4d, 0x02] as const

/** Bytes of a row with one bit a signal. */
export const rowBytes = (signals: number): number => Math.ceil(signals / 8)

/** The turns of a session, in room that is used for one session after the other. */
export interface SessionMatches {
  /** Number of turns; the lists may be longer. */
  turns: number
  /** By turn: numbers `starts[turn]` to `starts[turn + 1]` of the signals that matched, ascending. */
  starts: Uint32Array
  numbers: Uint32Array
  /** By turn: number of the state behind it. */
  states: Uint32Array
}

/** [F145] A batch's stored data of a part. Sessions are read on demand. */
export interface StoredMatches {
  readonly turns: number
  /** Session `s` has the turns `firsts[s]` to `firsts[s + 1]` of the part. */
  readonly firsts: Uint32Array
  readonly states: readonly BeliefState[]
  /** Did this signal match in this session? */
  readonly has: (session: number, signal: number) => boolean
  /** Reads a session into the room; the error says the damaged byte. */
  readonly read: (session: number, into: SessionMatches) => Result<null, string>
}

export function createSessionMatches(): SessionMatches {
  const none = () => new Uint32Array(0)
  return { turns: 0, starts: none(), numbers: none(), states: none() }
}

/** The largest single allocation is a part, so this array grows by doubling. */
function atLeast(cells: Uint32Array, length: number): Uint32Array {
  return cells.length >= length ? cells : new Uint32Array(Math.max(length, cells.length * 2))
}

const States = z.array(BeliefState).readonly()

/** Letters per call, because a call takes only some ten thousand arguments. */
const LETTERS = 8192

/** Letters of one byte each. */
function asciiText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += LETTERS)
    // Spread, the bytes would be gone through one by one.
    text += String(Reflect.apply(String.fromCharCode, String, bytes.subarray(at, at + LETTERS)))
  return text
}

/** The states are stored as JSON with one byte per letter. */
function statesOf(bytes: Uint8Array): readonly BeliefState[] | null {
  try {
    return States.parse(JSON.parse(asciiText(bytes)))
  } catch {
    return null
  }
}

/** Positions of the sessions of a part. */
interface Directory {
  readonly firsts: Uint32Array
  /** Bytes of each session, from `bodies` on. */
  readonly offsets: Uint32Array
  /** Start of each session's row of bits. */
  readonly rows: Uint32Array
  readonly bodies: number
}

/** Reads the directory; null: damaged at the reader's byte. */
function readDirectory(reader: ByteReader, row: number): Directory | null {
  const count = reader.number()
  // Each session has its row, two numbers, and two bytes a turn at least.
  if (count < 0 || count * (row + 4) > reader.end - reader.at) return null
  const firsts = new Uint32Array(count + 1)
  const offsets = new Uint32Array(count + 1)
  const rows = new Uint32Array(count)
  for (let at = 0; at < count; at += 1) {
    const turns = reader.number()
    const size = reader.number()
    rows[at] = reader.at
    reader.at += row
    if (turns < 1 || size < turns * 2 || reader.at + size > reader.end) return null
    firsts[at + 1] = (firsts[at] ?? 0) + turns
    offsets[at + 1] = (offsets[at] ?? 0) + size
  }
  const bodies = reader.at
  return bodies + (offsets[count] ?? 0) === reader.end ? { firsts, offsets, rows, bodies } : null
}

/**
 * [F145] The directory of stored matches: the states by number, and of each session its turns, its bytes, and a row
 * of bits that says which signals matched in it. Sessions themselves are read by `read`.
 * @param signals how many there are: a number beyond them is damage
 */
export function readMatches(bytes: Uint8Array, signals: number): Result<StoredMatches, string> {
  if (MATCHES_MAGIC.some((value, at) => bytes[at] !== value))
    return err('no matches of this version')
  const reader = createByteReader(bytes, MATCHES_MAGIC.length)
  const damaged = () => err(`damaged at byte ${reader.at}`)
  const length = reader.number()
  if (length < 0 || length > bytes.length - reader.at) return damaged()
  const states = statesOf(bytes.subarray(reader.at, reader.at + length))
  if (states === null) return err(`the states from byte ${reader.at} on are damaged`)
  reader.at += length
  const directory = readDirectory(reader, rowBytes(signals))
  if (directory === null) return damaged()
  const { firsts, offsets, rows, bodies } = directory

  return ok({
    turns: firsts.at(-1) ?? 0,
    firsts,
    states,
    has: (session, signal) =>
      ((bytes[(rows[session] ?? 0) + (signal >> 3)] ?? 0) & (1 << (signal & 7))) !== 0,
    read: (session, into) => {
      const from = offsets[session] ?? 0
      const to = offsets[session + 1] ?? 0
      const place = { from: bodies + from, to: bodies + to }
      const turns = (firsts[session + 1] ?? 0) - (firsts[session] ?? 0)
      const at = readSession(bytes, place, { turns, signals, states: states.length }, into)
      return at === DONE ? ok(null) : err(`damaged at byte ${at}`)
    },
  })
}

interface Limits {
  readonly turns: number
  readonly signals: number
  readonly states: number
}

const DONE = -1

/** Reads the turns of a session; answers the byte that is damaged, or -1. */
function readSession(
  bytes: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
  { turns, signals, states }: Limits,
  into: SessionMatches,
): number {
  into.turns = turns
  into.starts = atLeast(into.starts, turns + 1)
  into.states = atLeast(into.states, turns)
  // Of each there is at most one a byte.
  into.numbers = atLeast(into.numbers, to - from)
  const { starts, numbers, states: behind } = into
  const reader = createByteReader(bytes, from, to)
  let filled = 0
  for (let turn = 0; turn < turns; turn += 1) {
    const state = reader.number()
    const count = reader.number()
    if (state < 0 || state >= states || count < 0 || count > to - reader.at) return reader.at
    behind[turn] = state
    starts[turn] = filled
    let number = 0
    for (let left = count; left > 0; left -= 1) {
      const step = reader.number()
      number += step
      if (step < 0 || number >= signals || (step === 0 && left < count)) return reader.at
      numbers[filled] = number
      filled += 1
    }
  }
  starts[turns] = filled
  return reader.at === to ? DONE : reader.at
}
