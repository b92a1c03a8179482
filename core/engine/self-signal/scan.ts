import { dropBlanks, isBlank, skipBlanks, startsWithFolded } from '../python-text.ts'
import type { Meter } from './meter.ts'

/** `<signal …>…</signal>` in a text. Offsets are UTF-16 units. */
export interface Block {
  readonly start: number
  readonly end: number
  /** Start of the range that strip removes: the block, or the fence around it if the fence holds nothing else (S9). */
  readonly outerStart: number
  readonly outerEnd: number
  readonly type: string
  readonly attributes: ReadonlyMap<string, string>
  readonly tagEnd: number
  readonly closeStart: number
}

/** [start, end) of a part of the text that the scanner leaves out. */
export interface Skip {
  readonly start: number
  readonly end: number
}

interface Tag {
  readonly end: number
  /** Both quotes around the type are the same. */
  readonly tidy: boolean
  /** Null for a tag that opens nothing (no type, or self-closed). */
  readonly type: string | null
  readonly attributes: ReadonlyMap<string, string>
}

const OPEN = '<signal'
const CLOSE = '</signal>'
const NONE: ReadonlyMap<string, string> = new Map()

/** Looked at by hand before the native search: where `<` is frequent its calls would cost more. */
const NEAR = 16

/** Next position at or after `from` of `word` (starting with `<`), ignoring case; -1 if none. */
function findFolded(text: string, word: string, from: number, meter: Meter): number {
  const second = word.charCodeAt(1)
  let at = from
  let found = -1
  while (at < text.length) {
    const near = Math.min(at + NEAR, text.length)
    while (at < near && text.charCodeAt(at) !== 60) at++
    if (at === near) {
      at = text.indexOf('<', at)
      if (at < 0) break
    }
    const next = text.charCodeAt(at + 1)
    const likely = (next | 32) === (second | 32) || next === LONG_S
    if (likely && startsWithFolded(text, word, at)) {
      found = at
      break
    }
    at++
  }
  meter.steps += 1 + (found < 0 ? Math.max(0, text.length - from) : found - from)
  return found
}

/** `re.IGNORECASE` takes a long s for an s. */
const LONG_S = 0x17f

/** Earliest position of a self-signal, or -1. A fast check that is enough for most responses. */
export function firstMention(text: string, meter: Meter): number {
  return findFolded(text, OPEN, 0, meter)
}

/** The document's own form: blanks, `type=`, a quote, no quote inside, a quote, `>`. Quotes need not agree. */
function documentTag(text: string, at: number, meter: Meter): Tag | null {
  const word = skipBlanks(text, at)
  meter.steps += word - at
  // Most texts that are not an opener fail at this letter.
  if (word === at || (text.charCodeAt(word) | 32) !== 116) return null
  if (!startsWithFolded(text, 'type=', word)) return null
  const open = word + 5
  if (!isQuote(text.charCodeAt(open))) return null
  let close = open + 1
  while (close < text.length && !isQuote(text.charCodeAt(close))) close++
  meter.steps += close - open
  if (close === open + 1 || close === text.length || text[close + 1] !== '>') return null
  const tidy = text.charCodeAt(open) === text.charCodeAt(close)
  return { end: close + 2, tidy, type: text.slice(open + 1, close), attributes: NONE }
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39
}

/** Offset of the `>` that ends a tag, or -1: a quoted value may hold `>`, nothing may hold `<`. */
function tagEnd(text: string, at: number, meter: Meter): number {
  let here = at
  let quote = 0
  for (; here < text.length; here++) {
    const code = text.charCodeAt(here)
    if (code === 60 || (code === 62 && quote === 0)) break
    if (code === quote) quote = 0
    else if (quote === 0 && isQuote(code)) quote = code
  }
  meter.steps += here - at
  return quote === 0 && text.charCodeAt(here) === 62 ? here : -1
}

/** [S1] Any attributes up to `>`. */
function anyTag(text: string, at: number, meter: Meter): Tag | null {
  const first = text.charCodeAt(at)
  if (!isBlank(first) && first !== 62 && first !== 47) return null
  const end = tagEnd(text, at, meter)
  if (end < 0) return null
  const attributes = readAttributes(text, at, end, meter)
  const last = dropBlanks(text, at, end) - 1
  const type = text.charCodeAt(last) === 47 ? null : (attributes.get('type') ?? null)
  return { end: end + 1, tidy: true, type, attributes }
}

function isNameStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
}

function isNamePart(code: number): boolean {
  return isNameStart(code) || (code >= 48 && code <= 57) || code === 45 || code === 46
}

/** Attributes in [start, end), names in lower case; of two with one name the later counts. */
function readAttributes(
  text: string,
  start: number,
  end: number,
  meter: Meter,
): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  let at = start
  while (at < end) {
    if (!isNameStart(text.charCodeAt(at))) {
      at++
      continue
    }
    const name = at
    while (at < end && isNamePart(text.charCodeAt(at))) at++
    const nameEnd = at
    const equals = skipBlanks(text, at, end)
    if (text.charCodeAt(equals) !== 61) continue
    const quote = skipBlanks(text, equals + 1, end)
    const code = text.charCodeAt(quote)
    if (quote >= end || !isQuote(code)) continue
    let close = quote + 1
    while (close < end && text.charCodeAt(close) !== code) close++
    if (close >= end) continue
    attributes.set(text.slice(name, nameEnd).toLowerCase(), text.slice(quote + 1, close))
    at = close + 1
  }
  meter.steps += end - start
  return attributes
}

/** The document's form with equal quotes reads the same both ways, so it need not be read twice. */
function readTag(text: string, at: number, tolerant: boolean, meter: Meter): Tag | null {
  const plain = documentTag(text, at, meter)
  if (!tolerant || (plain?.tidy === true && !plain.type?.includes('<'))) return plain
  return anyTag(text, at, meter) ?? plain
}

export interface Found {
  readonly blocks: readonly Block[]
  /** Openers inside `skip` (the first few). Their blocks are quotations. */
  readonly quoted: readonly Skip[]
  /** If no block counts: the blocks (the first few) that a tolerant reader would accept. */
  readonly missed: readonly Skip[]
}

/** Enough for display; a thousand quotations need no list. */
const MAX_LISTED = 20

/**
 * All blocks outside `skip` (sorted, disjoint), in text order and in time linear in the text (S14). Openers and closers
 * are searched forward only, and the first opener without a closer ends the search.
 * @param tolerant [S1] accept attributes in any order, in addition to the document's own form
 * @param first position of the first opener
 */
export function findBlocks(
  source: { readonly text: string; readonly first: number; readonly meter: Meter },
  tolerant: boolean,
  skip: readonly Skip[],
): Found {
  const { text, meter } = source
  const blocks: Block[] = []
  const quoted: Skip[] = []
  const missed: Skip[] = []
  const skippedAt = forwardSkips(skip)
  let at = source.first
  while (at >= 0) {
    const tag = readTag(text, at + OPEN.length, tolerant, meter)
    let from = at + 1
    if (tag === null) {
      if (!tolerant && blocks.length === 0 && missed.length < MAX_LISTED)
        noteMissed(missed, at, anyTag(text, at + OPEN.length, meter))
    } else {
      from = tag.end
      const fence = skippedAt(at)
      if (fence !== null) {
        if (quoted.length < MAX_LISTED) quoted.push({ start: at, end: tag.end })
        from = Math.max(fence.end, tag.end)
      } else if (tag.type !== null) {
        const close = findFolded(text, CLOSE, tag.end, meter)
        if (close < 0) break
        from = close + CLOSE.length
        blocks.push(block(at, close, tag, tag.type))
      }
    }
    at = findFolded(text, OPEN, from, meter)
  }
  return { blocks, quoted, missed: blocks.length > 0 ? [] : closeMissed(source, missed) }
}

/** The skip at an offset. Offsets must ascend from call to call. */
function forwardSkips(skip: readonly Skip[]): (at: number) => Skip | null {
  let next = 0
  return (at) => {
    while (next < skip.length && (skip[next]?.end ?? 0) <= at) next++
    const candidate = skip[next]
    return candidate !== undefined && candidate.start <= at ? candidate : null
  }
}

function noteMissed(missed: Skip[], start: number, tag: Tag | null): void {
  if (tag !== null && tag.type !== null) missed.push({ start, end: tag.end })
}

/** Openers become blocks up to their closers. Openers inside another block or without a closer do not count. */
function closeMissed(
  { text, meter }: { readonly text: string; readonly meter: Meter },
  openers: readonly Skip[],
): readonly Skip[] {
  const missed: Skip[] = []
  let done = 0
  for (const { start, end } of openers) {
    if (start < done) continue
    const close = findFolded(text, CLOSE, end, meter)
    if (close < 0) break
    done = close + CLOSE.length
    missed.push({ start, end: done })
  }
  return missed
}

function block(start: number, closeStart: number, tag: Tag, type: string): Block {
  const end = closeStart + CLOSE.length
  const { attributes, end: tagEnd } = tag
  return { start, end, outerStart: start, outerEnd: end, type, attributes, tagEnd, closeStart }
}

/**
 * [S11] Start of a block that was cut off or is still being written: the last `<signal` after `after`, at the start of
 * its line. -1 if none exists.
 */
export function findUnfinished(text: string, after: number, meter: Meter): number {
  let at = text.lastIndexOf('<')
  while (at >= after) {
    if (text.slice(at, at + OPEN.length).toLowerCase() === OPEN) break
    if (at === 0) return -1
    const before = text.lastIndexOf('<', at - 1)
    meter.steps += at - before
    at = before
  }
  if (at < after) return -1
  const next = at + OPEN.length
  const code = text.charCodeAt(next)
  if (next < text.length && !isBlank(code) && code !== 62) return -1
  for (let before = at - 1; before >= 0 && text[before] !== '\n'; before--) {
    meter.steps++
    if (!isBlank(text.charCodeAt(before))) return -1
  }
  return at
}
