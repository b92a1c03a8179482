import { addTo } from '../maps.ts'
import { dropBlanks, skipBlanks, skipWord } from '../python-text.ts'
import { find, type Meter } from './meter.ts'

/** `<name>value</name>` in a block. */
export interface RawField {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly valueStart: number
  readonly valueEnd: number
  readonly value: string
}

/** Start offsets of closing tags by name, ascending. */
type Closes = ReadonlyMap<string, readonly number[]>

function readCloses(text: string, start: number, end: number, meter: Meter): Closes {
  const closes = new Map<string, number[]>()
  let at = find(text, '</', start, meter)
  while (at >= 0 && at < end) {
    const nameEnd = skipWord(text, at + 2, end)
    if (nameEnd > at + 2 && nameEnd < end && text.charCodeAt(nameEnd) === 62) {
      addTo(closes, text.slice(at + 2, nameEnd), at)
    }
    at = find(text, '</', nameEnd, meter)
  }
  return closes
}

/** Finds the closing tag of an opening one; a name's closers are used up from front to back. */
function closer(closes: Closes): (name: string, after: number) => number {
  const pointers = new Map<string, number>()
  return (name, after) => {
    const places = closes.get(name)
    if (places === undefined) return -1
    let pointer = pointers.get(name) ?? 0
    while (pointer < places.length && (places[pointer] ?? 0) <= after) pointer++
    pointers.set(name, pointer)
    return places[pointer] ?? -1
  }
}

/**
 * The fields of a block in order: each opening tag with the next closing tag of exactly its name. Tags inside a field
 * belong to its value. Closing tags are indexed first, so a thousand unclosed tags cost one pass.
 */
export function readFields(
  text: string,
  start: number,
  end: number,
  meter: Meter,
): readonly RawField[] {
  const fields: RawField[] = []
  const closes = readCloses(text, start, end, meter)
  if (closes.size === 0) return fields
  const closeOf = closer(closes)
  let at = find(text, '<', start, meter)
  while (at >= 0 && at < end) {
    const nameEnd = skipWord(text, at + 1, end)
    let next = Math.max(nameEnd, at + 1)
    if (nameEnd > at + 1 && nameEnd < end && text.charCodeAt(nameEnd) === 62) {
      const name = text.slice(at + 1, nameEnd)
      const close = closeOf(name, nameEnd)
      if (close >= 0) {
        next = close + name.length + 3
        fields.push(field(text, name, { start: at, nameEnd, close, end: next }))
      }
    }
    meter.steps += nameEnd - at
    at = find(text, '<', next, meter)
  }
  return fields
}

interface Place {
  readonly start: number
  readonly nameEnd: number
  readonly close: number
  readonly end: number
}

function field(text: string, name: string, { start, nameEnd, close, end }: Place): RawField {
  const valueStart = skipBlanks(text, nameEnd + 1, close)
  const valueEnd = dropBlanks(text, valueStart, close)
  const value = text.slice(valueStart, valueEnd)
  return { name: name.toLowerCase(), start, end, valueStart, valueEnd, value }
}
