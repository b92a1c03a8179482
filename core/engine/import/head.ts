import { scanPrefix } from './json/prefix.ts'
import { parseJson } from './json/value.ts'
import { isList, isObject, type JsonObject } from './shared/guards.ts'

/** Bytes that a host reads to recognise a file. */
export const HEAD_BYTES = 65_536
const MAX_VALUES = 50

/**
 * The beginning of a file as detection sees it.
 * `document`: one JSON value over the whole file; `lines`: a value a line; `text`: no JSON was found.
 */
export interface Head {
  readonly layout: 'document' | 'lines' | 'text'
  readonly text: string
  /** First values, in order. The last one may be truncated if the head ends in it. */
  readonly values: readonly unknown[]
  /** Those of `values` that are objects. */
  readonly objects: readonly JsonObject[]
  /** [I103] The head ends within the first record, or within a later one of the same document. */
  readonly cut?: 'first' | 'later'
}

/** Makes a head of the first characters of a file; `whole` when they are all there are. */
export function makeHead(text: string, whole: boolean): Head {
  const start = /^\s*/.exec(text)?.[0].length ?? 0
  const document = text.length > start ? asDocument(text, start, whole) : null
  if (document !== null) {
    const { value, cut = false } = document
    const made = head('document', text, [value])
    return cut && !whole
      ? { ...made, cut: isList(value) && value.length > 1 ? 'later' : 'first' }
      : made
  }
  const values = firstLines(text, whole)
  const made = head(values.length > 0 ? 'lines' : 'text', text, values)
  const isCut = values.length === 1 && !whole && !text.trim().includes('\n')
  return isCut ? { ...made, cut: 'first' } : made
}

/** [I103] The same head with the first value as a pass over the whole document found it. */
export function deeperHead({ layout, text }: Head, value: unknown): Head {
  return head(layout, text, [value])
}

/** A head of values that were found further down in a file whose beginning was not recognised. */
export function headOfValues(values: readonly unknown[]): Head {
  return head('lines', '', values)
}

function head(layout: Head['layout'], text: string, values: readonly unknown[]): Head {
  return { layout, text, values, objects: values.filter(isObject) }
}

interface Parsed {
  readonly value: unknown
  /** It is only the part of a document that the head has. */
  readonly cut?: boolean
}

function asDocument(text: string, start: number, whole: boolean): Parsed | null {
  const first = text.charAt(start)
  if (first !== '{' && first !== '[') return null
  const prefix = scanPrefix(text, start)
  if (prefix.state === 'complete') return asWhole(text, { start, end: prefix.end }, whole)
  if (prefix.state === 'invalid') return asDamaged(text, start, prefix)
  // An object without a line break so far is more likely the first of many lines.
  if (first === '{' && !text.includes('\n', start)) return null
  // A torn line at the very end of a small file is a line, not a document; and so is one before whole lines.
  if (whole && !text.trimEnd().includes('\n', start)) return null
  if (hasWholeLine(text)) return null
  const value = parsed(prefix.closed)
  return value === null ? null : { ...value, cut: true }
}

/** The first value is whole: it may be the document, or the first of several. */
function asWhole(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  whole: boolean,
): { value: unknown } | null {
  const alone = whole && text.slice(end).trim() === ''
  const spread = text.slice(start, end).includes('\n')
  // A single line that is one object is a file of one line; an array is a document either way.
  // Several printed values are read one after the other; lines of which one was printed are lines.
  const isDocument = alone ? spread || text.charAt(start) === '[' : spread && !hasWholeLine(text)
  return isDocument ? parsed(text.slice(start, end)) : null
}

/** Recognises a printed document with damage below its first line by the text before the damage. */
function asDamaged(
  text: string,
  start: number,
  { at, closed }: { readonly at: number; readonly closed: string },
): { value: unknown } | null {
  const printed = text.slice(start, at).includes('\n') && /^.\s*["{[]/.test(text.slice(start, at))
  // If each item has its own line, reading by lines loses less: damaged brackets do not affect the next line.
  return printed && !hasWholeLine(text, /,?\s*$/) ? parsed(closed) : null
}

/** A line that is an object from its first column on: items of a printed document are indented or end in a comma. */
function hasWholeLine(text: string, ending = /\r?$/): boolean {
  return text
    .split('\n')
    .some((line) => line.startsWith('{"') && parsed(line.replace(ending, '')) !== null)
}

function parsed(json: string): { value: unknown } | null {
  const value = parseJson(json)
  return value === undefined ? null : { value }
}

function firstLines(text: string, whole: boolean): readonly unknown[] {
  const values: unknown[] = []
  let at = 0
  while (at < text.length && values.length < MAX_VALUES) {
    const newline = text.indexOf('\n', at)
    const cut = newline < 0 && !whole
    const line = text.slice(at, newline < 0 ? undefined : newline)
    const found = cut ? cutValue(line) : (parsed(line) ?? gluedValue(line))
    if (found !== null) values.push(found.value)
    if (newline < 0) break
    at = newline + 1
  }
  return values
}

/** The first of two records whose newline was lost (`}{`). */
function gluedValue(line: string): { value: unknown } | null {
  if (!line.startsWith('{"')) return null
  const prefix = scanPrefix(line, 0)
  const isGlued = prefix.state === 'complete' && line.charAt(prefix.end) === '{'
  return isGlued ? parsed(line.slice(0, prefix.end)) : null
}

function cutValue(line: string): { value: unknown } | null {
  const prefix = scanPrefix(line, 0)
  if (prefix.state === 'partial') return parsed(prefix.closed)
  return prefix.state === 'complete' ? parsed(line.slice(0, prefix.end)) : null
}
