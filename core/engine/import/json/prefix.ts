/**
 * Reads the beginning of a JSON value that may be cut off. Files are recognised by their first
 * 64 KiB, and one record alone can be larger than that.
 */
export type Prefix =
  | { readonly state: 'complete'; readonly end: number }
  /** `closed` is the readable part with its brackets closed, so that it parses. */
  | { readonly state: 'partial'; readonly closed: string }
  /** `closed` is the readable part before `at`, with its brackets closed. */
  | { readonly state: 'invalid'; readonly at: number; readonly closed: string }

type Expect = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'comma'

const SPACE = /[ \t\r\n]*/y
const PRIMITIVE = /-?\d[\d.eE+-]*|true|false|null|NaN|-?Infinity/y
const LITERALS = ['true', 'false', 'null', 'NaN', 'Infinity', '-Infinity']
/** Allowed states by the character read and the expected token. Strings and values are handled separately. */
const CLOSES: Readonly<Record<string, readonly Expect[]>> = {
  ']': ['valueOrEnd', 'comma'],
  '}': ['keyOrEnd', 'comma'],
}

interface Scan {
  readonly text: string
  readonly start: number
  at: number
  expect: Expect
  /** Closers of the open brackets, outermost first. */
  readonly closers: string[]
  /** Readable up to here, with these closers. */
  safe: { readonly at: number; readonly closers: string } | null
}

type Step = 'next' | 'partial' | 'invalid' | 'complete'

export function scanPrefix(text: string, start: number): Prefix {
  const scan: Scan = { text, start, at: start, expect: 'value', closers: [], safe: null }
  for (;;) {
    SPACE.lastIndex = scan.at
    SPACE.exec(text)
    scan.at = SPACE.lastIndex
    const step: Step = scan.at >= text.length ? 'partial' : token(scan)
    if (step === 'next') continue
    if (step === 'complete') return { state: 'complete', end: scan.at }
    const safe = scan.safe
    const closed = safe ? text.slice(start, safe.at) + safe.closers : ''
    return step === 'invalid' ? { state: step, at: scan.at, closed } : { state: step, closed }
  }
}

function token(scan: Scan): Step {
  const c = scan.text.charAt(scan.at)
  if (c === '"') return stringToken(scan)
  if (c === '{' || c === '[') return open(scan, c)
  if (c === '}' || c === ']') return close(scan, c)
  if (c === ',') return comma(scan)
  if (c === ':') {
    if (scan.expect !== 'colon') return 'invalid'
    scan.at += 1
    scan.expect = 'value'
    return 'next'
  }
  return primitive(scan)
}

function wantsValue(scan: Scan): boolean {
  return scan.expect === 'value' || scan.expect === 'valueOrEnd'
}

function afterValue(scan: Scan): Step {
  scan.expect = 'comma'
  return scan.closers.length === 0 ? 'complete' : 'next'
}

function markSafe(scan: Scan): void {
  scan.safe = { at: scan.at, closers: scan.closers.toReversed().join('') }
}

function open(scan: Scan, c: '{' | '['): Step {
  if (!wantsValue(scan)) return 'invalid'
  scan.at += 1
  scan.closers.push(c === '{' ? '}' : ']')
  scan.expect = c === '{' ? 'keyOrEnd' : 'valueOrEnd'
  // Deeper marks would make long strings, and no format is recognised by values that deep.
  if (scan.closers.length <= 32) markSafe(scan)
  return 'next'
}

function close(scan: Scan, c: string): Step {
  if (scan.closers.at(-1) !== c || CLOSES[c]?.includes(scan.expect) !== true) return 'invalid'
  scan.at += 1
  scan.closers.pop()
  return afterValue(scan)
}

function comma(scan: Scan): Step {
  if (scan.expect !== 'comma') return 'invalid'
  if (scan.closers.length <= 32) markSafe(scan)
  scan.at += 1
  scan.expect = scan.closers.at(-1) === '}' ? 'key' : 'value'
  return 'next'
}

function stringToken(scan: Scan): Step {
  const isKey = scan.expect === 'key' || scan.expect === 'keyOrEnd'
  if (!isKey && !wantsValue(scan)) return 'invalid'
  const end = endOfString(scan.text, scan.at)
  if (end === 'cut') return 'partial'
  if (end === 'bad') return 'invalid'
  scan.at = end
  if (!isKey) return afterValue(scan)
  scan.expect = 'colon'
  return 'next'
}

const ESCAPES = '"\\/bfnrtu'

/** Position after the closing quote. Control characters are not allowed inside a JSON string, so a string never spans two lines. */
function endOfString(text: string, start: number): number | 'cut' | 'bad' {
  for (let at = start + 1; at < text.length; at += 1) {
    const c = text.charCodeAt(at)
    if (c === 0x5c) {
      at += 1
      if (!ESCAPES.includes(text.charAt(at))) return 'bad'
    } else if (c === 0x22) return at + 1
    else if (c < 0x20) return 'bad'
  }
  return 'cut'
}

function primitive(scan: Scan): Step {
  if (!wantsValue(scan)) return 'invalid'
  PRIMITIVE.lastIndex = scan.at
  if (PRIMITIVE.exec(scan.text) === null) {
    // A literal cut off by the end of the text (`tru`) is not an error.
    const rest = scan.text.slice(scan.at, scan.at + 10)
    return LITERALS.some((literal) => literal.startsWith(rest)) ? 'partial' : 'invalid'
  }
  if (PRIMITIVE.lastIndex === scan.text.length) return 'partial'
  scan.at = PRIMITIVE.lastIndex
  return afterValue(scan)
}
