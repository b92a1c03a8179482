/**
 * Text as Python sees it (specs: DECISIONS section 5). The documents' code runs `str.strip`, `\s`,
 * `\w` and `len` by Unicode rules that differ from JavaScript's: U+001C..1F and U+0085 are blank
 * there and U+FEFF is not, and a length counts code points.
 */

const WORD = /[\p{L}\p{N}_]/u
const DECIMAL = /\p{Nd}/u

const FAR_BLANKS: ReadonlySet<number> = new Set([
  0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
])

/** `str.isspace` of one UTF-16 unit, which is also the set that `\s` matches. There are no blanks outside the BMP. */
export function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 9 && code <= 13) || code >= 0x1c
  if (code < 0x85) return false
  return (code >= 0x2000 && code <= 0x200a) || FAR_BLANKS.has(code)
}

/** First offset in [start, end) that is not blank, or `end`. */
export function skipBlanks(text: string, start: number, end: number = text.length): number {
  let at = start
  while (at < end && isBlank(text.charCodeAt(at))) at++
  return at
}

/** Offset after the last unit in [start, end) that is not blank, or `start`. */
export function dropBlanks(text: string, start: number, end: number): number {
  let at = end
  while (at > start && isBlank(text.charCodeAt(at - 1))) at--
  return at
}

/** `str.strip()`. */
export function pyStrip(text: string): string {
  const start = skipBlanks(text, 0)
  return text.slice(start, dropBlanks(text, start, text.length))
}

/** `str.rstrip()`. */
export function pyRstrip(text: string): string {
  return text.slice(0, dropBlanks(text, 0, text.length))
}

/** `str.split()`: the words between blanks. */
export function pySplit(text: string): string[] {
  const words: string[] = []
  let at = skipBlanks(text, 0)
  while (at < text.length) {
    const start = at
    while (at < text.length && !isBlank(text.charCodeAt(at))) at++
    words.push(text.slice(start, at))
    at = skipBlanks(text, at)
  }
  return words
}

/** `len(text.split())`, without making the words. */
export function pyWordCount(text: string): number {
  let words = 0
  let at = skipBlanks(text, 0)
  while (at < text.length) {
    words++
    while (at < text.length && !isBlank(text.charCodeAt(at))) at++
    at = skipBlanks(text, at)
  }
  return words
}

/** `len(text)`: code points; a surrogate without its partner counts as one. */
export function codePoints(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at++) {
    const code = text.charCodeAt(at)
    if (code < 0xd800 || code > 0xdbff) continue
    const next = text.charCodeAt(at + 1)
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--
      at++
    }
  }
  return count
}

/** Units of the `\w` character at `at`, or 0 if it is not one. */
export function wordUnits(text: string, at: number): 0 | 1 | 2 {
  const code = text.charCodeAt(at)
  if (code < 0x80)
    return (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95
      ? 1
      : 0
  const point = text.codePointAt(at)
  if (point === undefined || !WORD.test(String.fromCodePoint(point))) return 0
  return point > 0xffff ? 2 : 1
}

/** Offset after the run of `\w` characters that starts at `at`. */
export function skipWord(text: string, at: number, end: number = text.length): number {
  let here = at
  while (here < end) {
    const units = wordUnits(text, here)
    if (units === 0) break
    here += units
  }
  return here
}

/**
 * Decimal digits of any script as ASCII digits, other characters unchanged (the first step of `int()` and `float()`).
 * Digits come in runs of ten that start at a zero.
 */
export function asciiDigits(text: string): string {
  // ASCII is by far the usual case.
  let at = 0
  while (at < text.length && text.charCodeAt(at) < 0x80) at++
  if (at === text.length) return text
  let out = ''
  for (const char of text) out += char > '\x7f' && DECIMAL.test(char) ? decimalValue(char) : char
  return out
}

function decimalValue(char: string): string {
  const point = char.codePointAt(0) ?? 0
  let zero = point
  while (DECIMAL.test(String.fromCodePoint(zero - 1))) zero--
  return String((point - zero) % 10)
}

const FOLDS: ReadonlyMap<number, number> = new Map([
  [0x130, 105],
  [0x131, 105],
  [0x17f, 115],
  [0x212a, 107],
])

/**
 * Whether `word` (lower-case ASCII) is at `at`, compared as by `re.IGNORECASE`. Besides upper and lower case, dotted
 * and dotless i count as `i`, long s as `s`, the Kelvin sign as `k`.
 */
export function startsWithFolded(text: string, word: string, at: number): boolean {
  for (let index = 0; index < word.length; index++)
    if (!isFolded(text.charCodeAt(at + index), word.charCodeAt(index))) return false
  return true
}

function isFolded(have: number, want: number): boolean {
  if (have === want) return true
  if (want < 97 || want > 122) return false
  return have > 0x7f ? FOLDS.get(have) === want : (have | 32) === want
}
