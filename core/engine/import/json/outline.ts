import { readJson } from '../../json-read.ts'
import type { ByteDocument } from '../source.ts'
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  endOfText,
  isSpace,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './cursor.ts'

/** The first value of a document, made small. */
export interface Outline {
  /**
   * The value with at most 50 items per list, 500 members per object and eight levels. Long strings are cut. Items
   * beyond a limit are missing, so counts are not meaningful.
   */
  readonly value: unknown
  /** The value is complete, and nothing follows it. */
  readonly alone: boolean
}

/** Bytes read at a time. */
const WINDOW = 1 << 19
/** The token that the next byte continues, if any. */
type Within =
  | { readonly is: 'string'; readonly limit: number; readonly kept: Uint8Array[]; escapes: number }
  | { readonly is: 'primitive'; text: string }

interface Outliner extends Tree {
  readonly document: ByteDocument
  within: Within | null
}

const LONGEST_KEY = 1024

/**
 * [I103] Reads the first value of a document in one pass and keeps the parts by which a format can be recognised. A
 * deciding member may follow a list of any length. Memory is bounded by 16 MB for any document. Null if the document
 * holds no value.
 */
export async function outlineOf(document: ByteDocument): Promise<Outline | null> {
  const outliner: Outliner = {
    document,
    frames: [],
    within: null,
    skipped: 0,
    used: 0,
    root: null,
    state: 'open',
  }
  try {
    for (let from = 0; ;) {
      const { bytes, last } = await document.window(from, WINDOW)
      const end = feed(outliner, bytes)
      const { state } = outliner
      if (state === 'open' && !last && bytes.length > 0) from += bytes.length
      else return ended(outliner, state === 'done' && last && isBlank(bytes, end))
    }
  } finally {
    await document.close()
  }
}

function ended(outliner: Outliner, alone: boolean): Outline | null {
  if (outliner.within?.is === 'primitive') endPrimitive(outliner, outliner.within)
  return outliner.root === null ? null : { value: outliner.root.value, alone }
}

function isBlank(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at += 1) if (!isSpace(bytes[at])) return false
  return true
}

/** Consumes the bytes of a window. Returns the position after the value, or the end of the window. */
function feed(outliner: Outliner, bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length && outliner.state === 'open') {
    const { within } = outliner
    if (within?.is === 'string') at = inString(outliner, within, bytes, at)
    else if (within?.is === 'primitive') at = inPrimitive(outliner, within, bytes, at)
    else if (outliner.skipped > 0) at = skipOver(outliner, bytes, at)
    else {
      take(outliner, bytes[at] ?? 0)
      // The first byte of a number or a word belongs to it, so it is read again as a primitive.
      if (isPrimitive(outliner.within)) continue
      at += 1
    }
  }
  return at
}

function isPrimitive(within: Within | null): boolean {
  return within?.is === 'primitive'
}

function take(outliner: Outliner, byte: number): void {
  if (isSpace(byte) || byte === COMMA || byte === COLON) return
  if (byte === QUOTE) {
    const text = wants(outliner) ? limitsOf(outliner).text : 0
    const limit = awaitsKey(outliner) ? LONGEST_KEY : text
    outliner.within = { is: 'string', limit, kept: [], escapes: 0 }
  } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) open(outliner, byte)
  else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) close(outliner, byte)
  else outliner.within = { is: 'primitive', text: '' }
}

/** Passes over brackets and strings of a value that is not kept: nearly all of a long document. */
function skipOver(outliner: Outliner, bytes: Uint8Array, from: number): number {
  let depth = outliner.skipped
  for (let at = from; at < bytes.length;) {
    const byte = bytes[at]
    at += 1
    if (byte === QUOTE) {
      const end = endOfText(bytes, at)
      if (end < 0) {
        outliner.skipped = depth
        const escapes = trailing(bytes, at, 0)
        outliner.within = { is: 'string', limit: -1, kept: [], escapes }
        return bytes.length
      }
      at = end
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1
      if (depth > 0) continue
      outliner.skipped = 0
      attach(outliner, undefined)
      return at
    }
  }
  outliner.skipped = depth
  return bytes.length
}

type InString = Within & { readonly is: 'string' }

function inString(outliner: Outliner, within: InString, bytes: Uint8Array, from: number): number {
  const end = endOfPart(bytes, from, within.escapes)
  const until = end < 0 ? bytes.length : end
  const room = within.limit - within.kept.reduce((sum, part) => sum + part.length, 0)
  // The window may be written over by the next one.
  if (room > 0 && until > from) within.kept.push(bytes.slice(from, Math.min(until, from + room)))
  if (end < 0) {
    within.escapes = trailing(bytes, from, within.escapes)
    return bytes.length
  }
  outliner.within = null
  if (outliner.skipped === 0) endString(outliner, within)
  return end + 1
}

function endString(outliner: Outliner, within: InString): void {
  const raw = joined(outliner.document, within.kept)
  outliner.used += raw.length + 16
  const frame = outliner.frames.at(-1)
  if (frame !== undefined && awaitsKey(outliner)) frame.key = plain(raw)
  else attach(outliner, within.limit > 0 ? plain(raw) : undefined)
  if (frame === undefined) outliner.state = 'done'
}

/** Decodes all parts together, because a character may span two windows. */
function joined(document: ByteDocument, parts: readonly Uint8Array[]): string {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return document.decode(bytes, 0, bytes.length)
}

type InPrimitive = Within & { readonly is: 'primitive' }

function inPrimitive(
  outliner: Outliner,
  within: InPrimitive,
  bytes: Uint8Array,
  from: number,
): number {
  let at = from
  for (let byte = bytes[at]; byte !== undefined && !isDelimiter(byte); byte = bytes[at]) at += 1
  const start = from
  if (within.text.length < 400)
    within.text += String.fromCharCode(...bytes.subarray(start, Math.min(at, start + 400)))
  if (at < bytes.length) endPrimitive(outliner, within)
  return at
}

function isDelimiter(byte: number): boolean {
  if (isSpace(byte) || byte === COMMA || byte === COLON || byte === QUOTE) return true
  return byte === OPEN_OBJECT || byte === OPEN_LIST || byte === CLOSE_OBJECT || byte === CLOSE_LIST
}

function endPrimitive(outliner: Outliner, within: InPrimitive): void {
  outliner.within = null
  const keep = wants(outliner)
  try {
    const value = readJson(within.text)
    attach(outliner, keep ? value : undefined)
    if (outliner.frames.length === 0) outliner.state = 'done'
  } catch {
    outliner.state = 'broken'
  }
}

const BACKSLASH = 0x5c

/** Position of the closing quote. `before` is the number of backslashes directly before the bytes. */
function endOfPart(bytes: Uint8Array, from: number, before: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let back = at - 1
    while (back >= from && bytes[back] === BACKSLASH) back -= 1
    const escapes = at - 1 - back + (back < from ? before : 0)
    if (escapes % 2 === 0) return at
  }
  return -1
}

/** Backslashes at the end of the bytes, 0 or 1 of them counts. */
function trailing(bytes: Uint8Array, from: number, before: number): number {
  let back = bytes.length - 1
  while (back >= from && bytes[back] === BACKSLASH) back -= 1
  return (bytes.length - 1 - back + (back < from ? before : 0)) % 2
}

/** A string without its escapes; one that was cut within an escape loses that. */
function plain(raw: string): string {
  if (!raw.includes('\\')) return raw
  for (let cut = 0; cut < 6; cut += 1) {
    try {
      const value: unknown = JSON.parse(`"${raw.slice(0, raw.length - cut)}"`)
      if (typeof value === 'string') return value
    } catch {
      // Shorter by one, until the escape is gone.
    }
  }
  return raw
}

/** The kept part of a value that is read in one pass, and its open containers. */
interface Tree {
  readonly frames: Frame[]
  /** Open brackets of a value that is not kept. */
  skipped: number
  /** Bytes that are kept. */
  used: number
  root: { readonly value: unknown } | null
  state: 'open' | 'done' | 'broken'
}

const ITEMS = 50
const MEMBERS = 500

/** Limits that apply until `used` bytes are kept: nesting depth, and length of a string. */
interface Limits {
  readonly used: number
  readonly depth: number
  readonly text: number
}

const DEEPEST = 8
const LIMITS: readonly Limits[] = [
  { used: 1 << 22, depth: DEEPEST, text: 1 << 16 },
  { used: 1 << 23, depth: 3, text: 256 },
]
const LAST: Limits = { used: Infinity, depth: 1, text: 256 }

/** An open object or list that is kept. */
interface Frame {
  readonly value: unknown[] | Record<string, unknown>
  /** Key of the next member; null in a list, and while a key is expected. */
  key: string | null
  seen: number
}

/** Limits for the next value. */
function limitsOf({ used }: Tree): Limits {
  return LIMITS.find((limits) => used < limits.used) ?? LAST
}

/** Whether the value that comes next is kept. */
function wants(tree: Tree): boolean {
  const frame = tree.frames.at(-1)
  if (frame === undefined) return true
  if (tree.frames.length > limitsOf(tree).depth) return false
  return frame.seen < (Array.isArray(frame.value) ? ITEMS : MEMBERS)
}

/** An object or a list begins. */
function open(tree: Tree, byte: number): void {
  if (!wants(tree) || tree.frames.length >= DEEPEST) {
    tree.skipped = 1
    return
  }
  const value = byte === OPEN_LIST ? [] : {}
  attach(tree, value)
  tree.frames.push({ value, key: null, seen: 0 })
  tree.used += 32
}

/** It ends; a bracket of the other kind breaks the document off. */
function close(tree: Tree, byte: number): void {
  const frame = tree.frames.pop()
  if (frame === undefined || Array.isArray(frame.value) !== (byte === CLOSE_LIST))
    tree.state = 'broken'
  else if (tree.frames.length === 0) tree.state = 'done'
}

/** Adds a value to the open container; undefined means a value that is not kept. */
function attach(tree: Tree, value: unknown): void {
  const frame = tree.frames.at(-1)
  if (frame === undefined) {
    tree.root = { value }
    return
  }
  frame.seen += 1
  if (Array.isArray(frame.value)) {
    if (value !== undefined) frame.value.push(value)
    return
  }
  const { key } = frame
  frame.key = null
  if (key === null || value === undefined) return
  // A key named `__proto__` must become a key, not a prototype.
  const member = { value, enumerable: true, writable: true, configurable: true }
  Object.defineProperty(frame.value, key, member)
}

/** Whether a string that comes next is a key. */
function awaitsKey({ frames }: Tree): boolean {
  const frame = frames.at(-1)
  return frame !== undefined && !Array.isArray(frame.value) && frame.key === null
}
