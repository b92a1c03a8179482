import type { EventKind, PlacedLook, Range, SignalEvent, Slot } from './events.ts'
import type { Member } from './member.ts'
import type { CharSet, Range as Span } from '../python/python-ast.ts'

/*
 * [C13] An automaton's data other than its states, as numbers. Reading and checking thousands of objects took as long
 * as all other work of reading an automaton.
 */

const KINDS: readonly EventKind[] = [
  ...(['match', 'begun', 'anywhere', 'head', 'tail'] as const),
  ...(['passed', 'ended', 'place', 'walk'] as const),
]
const CATEGORIES: CharSet['categories'] = ['w', 'W', 'd', 'D', 's', 'S']

/** Represents infinity. */
const WITHOUT_END = -(2 ** 31)
const toNumber = (value: number): number => (value === Infinity ? WITHOUT_END : value)
const ofNumber = (value: number): number => (value === WITHOUT_END ? Infinity : value)

/** Reads numbers in sequence. Throws at the end of the numbers. */
interface Reader {
  readonly next: () => number
  /** A list that begins with its length. */
  readonly list: <T>(read: () => T) => T[]
  readonly isDone: () => boolean
}

function readerOf(numbers: Int32Array): Reader {
  let at = 0
  const next = (): number => {
    const value = numbers[at]
    if (value === undefined) throw new RangeError('too few numbers')
    at += 1
    return value
  }
  const list = <T>(read: () => T): T[] => {
    const length = next()
    if (length < 0 || length > numbers.length) throw new RangeError('no length')
    return Array.from({ length }, read)
  }
  return { next, list, isDone: () => at === numbers.length }
}

/** Decodes all parts from the numbers. Throws if they are invalid. */
function readAll<T>(numbers: Int32Array, part: (reader: Reader) => T): T[] {
  const reader = readerOf(numbers)
  const parts: T[] = []
  while (!reader.isDone()) parts.push(part(reader))
  return parts
}

/** One of a few by its number. */
function oneOf<T>(all: readonly T[], { next }: Reader): T {
  const found = all[next()]
  if (found === undefined) throw new RangeError('no such number')
  return found
}

export const packEvents = (events: readonly SignalEvent[]): Int32Array =>
  Int32Array.from(
    events.flatMap(({ signal, kind, slot, skipped, most }) => [
      signal,
      KINDS.indexOf(kind),
      slot,
      skipped,
      toNumber(most),
    ]),
  )

export const unpackEvents = (numbers: Int32Array): SignalEvent[] =>
  readAll(numbers, (reader) => ({
    signal: reader.next(),
    kind: oneOf(KINDS, reader),
    slot: reader.next(),
    skipped: reader.next(),
    most: ofNumber(reader.next()),
  }))

const rangeNumbers = ({ least, reach, set }: Range): readonly number[] => [
  least,
  toNumber(reach),
  set,
]
const readRange = ({ next }: Reader): Range => ({
  least: next(),
  reach: ofNumber(next()),
  set: next(),
})

export const packSlots = (slots: readonly Slot[]): Int32Array =>
  Int32Array.from(
    slots.flatMap((slot) => [
      ...rangeNumbers(slot),
      slot.walk,
      slot.atStart.length,
      ...slot.atStart,
      slot.atEnd.length,
      ...slot.atEnd,
    ]),
  )

export const unpackSlots = (numbers: Int32Array): Slot[] =>
  readAll(numbers, (reader) => ({
    ...readRange(reader),
    walk: reader.next(),
    atStart: reader.list(reader.next),
    atEnd: reader.list(reader.next),
  }))

export const packLooks = (looks: readonly PlacedLook[]): Int32Array =>
  Int32Array.from(
    looks.flatMap(({ negative, parts }) => [
      Number(negative),
      parts.length,
      ...parts.flatMap((part) => [...rangeNumbers(part), part.slot]),
    ]),
  )

export const unpackLooks = (numbers: Int32Array): PlacedLook[] =>
  readAll(numbers, (reader) => ({
    negative: reader.next() === 1,
    parts: reader.list(() => ({ ...readRange(reader), slot: reader.next() })),
  }))

const spanNumbers = (spans: readonly Span[]): readonly number[] => [spans.length, ...spans.flat()]
const readSpans = (reader: Reader): Span[] =>
  reader.list((): Span => [reader.next(), reader.next()])

/** Bits for the boolean fields of a set. */
const NEGATE = 1
const IGNORES_CASE = 2
const ASCII = 4
const OPEN = 8

export const packMembers = (members: readonly Member[]): Int32Array =>
  Int32Array.from(
    members.flatMap(({ set, ascii, ranges, open }) => [
      (set.negate ? NEGATE : 0) |
        (set.ignoreCase ? IGNORES_CASE : 0) |
        (ascii ? ASCII : 0) |
        (open ? OPEN : 0),
      ...spanNumbers(set.ranges),
      set.categories.length,
      ...set.categories.map((one) => CATEGORIES.indexOf(one)),
      ...spanNumbers(ranges),
    ]),
  )

export const unpackMembers = (numbers: Int32Array): Member[] =>
  readAll(numbers, (reader) => {
    const bits = reader.next()
    const has = (bit: number): boolean => (bits & bit) !== 0
    const ranges = readSpans(reader)
    const categories = reader.list(() => oneOf(CATEGORIES, reader))
    return {
      set: { negate: has(NEGATE), ranges, categories, ignoreCase: has(IGNORES_CASE) },
      ascii: has(ASCII),
      ranges: readSpans(reader),
      open: has(OPEN),
    }
  })
