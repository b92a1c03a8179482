import { dropBlanks, skipBlanks, skipWord } from '../python-text.ts'
import { find } from './meter.ts'
import type { Meter } from './meter.ts'

/** `<name>value</name>` in a block. */
export interface RawField {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly valueStart: number
  readonly valueEnd: number
  readonly value: string
}

interface Tags {
  /** Start and end-of-name offsets of opening tags, in pairs. */
  readonly opens: readonly number[]
  /** Start offsets of closing tags by name, ascending. */
  readonly closes: ReadonlyMap<string, readonly number[]>
}

function readTags(text: string, start: number, end: number, meter: Meter): Tags {
  const opens: number[] = []
  const closes = new Map<string, number[]>()
  let at = find(text, '<', start, meter)
  while (at >= 0 && at < end) {
    const closing = text.charCodeAt(at + 1) === 47
    const name = at + (closing ? 2 : 1)
    const nameEnd = skipWord(text, name, end)
    meter.steps += nameEnd - at
    if (nameEnd > name && nameEnd < end && text.charCodeAt(nameEnd) === 62) {
      if (closing) {
        const key = text.slice(name, nameEnd)
        const places = closes.get(key)
        if (places === undefined) closes.set(key, [at])
        else places.push(at)
      } else opens.push(at, nameEnd)
    }
    at = find(text, '<', nameEnd, meter)
  }
  return { opens, closes }
}

/**
 * The fields of a block in order: each opening tag with the next closing tag of exactly its name;
 * tags inside a field belong to its value. Closing tags are indexed first, so a thousand tags that
 * nobody closes cost one pass.
 */
export function readFields(
  text: string,
  start: number,
  end: number,
  meter: Meter,
): readonly RawField[] {
  const { opens, closes } = readTags(text, start, end, meter)
  const fields: RawField[] = []
  if (closes.size === 0) return fields
  const pointers = new Map<string, number>()
  let done = start
  for (let index = 0; index < opens.length; index += 2) {
    const open = opens[index] ?? 0
    const nameEnd = opens[index + 1] ?? 0
    if (open < done) continue
    const name = text.slice(open + 1, nameEnd)
    const places = closes.get(name)
    if (places === undefined) continue
    let pointer = pointers.get(name) ?? 0
    while (pointer < places.length && (places[pointer] ?? 0) <= nameEnd) pointer++
    meter.steps += 1 + pointer - (pointers.get(name) ?? 0)
    pointers.set(name, pointer)
    const close = places[pointer]
    if (close === undefined) continue
    const valueStart = skipBlanks(text, nameEnd + 1, close)
    const valueEnd = dropBlanks(text, valueStart, close)
    done = close + name.length + 3
    const value = text.slice(valueStart, valueEnd)
    fields.push({ name: name.toLowerCase(), start: open, end: done, valueStart, valueEnd, value })
  }
  return fields
}
