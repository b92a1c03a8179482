import { ownOf } from './schema/own.ts'
import { asciiDigits, isBlank } from './python-text.ts'

/** Python refuses to read integers longer than this from text. */
const MAX_INT_DIGITS = 4300

/** A whole number: a JavaScript number while exact, a bigint beyond. */
export type Whole = number | bigint

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function whole(digits: string, negative: boolean): Whole {
  const value = digits.length < 16 ? Number(digits) : BigInt(digits)
  const signed = negative ? -value : value
  if (typeof signed === 'number') return signed === 0 ? 0 : signed
  return signed <= Number.MAX_SAFE_INTEGER && signed >= Number.MIN_SAFE_INTEGER
    ? Number(signed)
    : signed
}

/** `int(text)` where text is an optional minus and digits of any script, as `_parse_field_value` asks; else null. */
export function plainInteger(text: string): Whole | null {
  const negative = text.charCodeAt(0) === 45
  const first = text.charCodeAt(negative ? 1 : 0)
  if (first < 0x80 && !isDigit(first)) return null
  const digits = asciiDigits(negative ? text.slice(1) : text)
  if (digits === '' || digits.length > MAX_INT_DIGITS) return null
  for (let at = 0; at < digits.length; at++) if (!isDigit(digits.charCodeAt(at))) return null
  return whole(digits, negative)
}

/** Length of digits with single underscores between them, from `at`; 0 when there is no digit. */
function digitRun(text: string, at: number): number {
  let here = at
  while (here < text.length) {
    const code = text.charCodeAt(here)
    const between = code === 95 && here > at && isDigit(text.charCodeAt(here + 1))
    if (!isDigit(code) && !between) break
    here++
  }
  return here - at
}

function afterSign(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code === 43 || code === 45 ? at + 1 : at
}

/** Whether text is mantissa and exponent of a Python float, underscores allowed. */
function isDecimalShape(text: string): boolean {
  let at = afterSign(text, 0)
  const before = digitRun(text, at)
  at += before
  let after = 0
  if (text.charCodeAt(at) === 46) {
    after = digitRun(text, at + 1)
    at += 1 + after
  }
  if (before + after === 0) return false
  if ((text.charCodeAt(at) | 32) === 101) {
    const exponent = afterSign(text, at + 1)
    const digits = digitRun(text, exponent)
    if (digits === 0) return false
    at = exponent + digits
  }
  return at === text.length
}

const NAMED: Readonly<Record<string, number>> = {
  inf: Infinity,
  infinity: Infinity,
  nan: NaN,
}

/** `float(text)` for text without outer blanks; null if Python raises. */
export function pyFloat(text: string): number | null {
  const ascii = asciiDigits(text)
  if (isDecimalShape(ascii)) return Number(ascii.includes('_') ? ascii.replaceAll('_', '') : ascii)
  if (ascii.length > 9) return null
  const named = ownOf(NAMED, ascii.slice(afterSign(ascii, 0)).toLowerCase())
  if (named === undefined) return null
  return ascii.startsWith('-') ? -named : named
}

/** [S8] A plain decimal number in ASCII digits; no names, no underscores, no other scripts. */
export function plainDecimal(text: string): number | null {
  return !text.includes('_') && isDecimalShape(text) ? Number(text) : null
}

type WholeProblem = 'int_parsing' | 'int_parsing_size'

/**
 * Parses an integer from text as pydantic does: outer blanks, `+`, single underscores and a final `.000` are allowed.
 */
export function wholeFromText(
  text: string,
): { readonly value: Whole } | { readonly problem: WholeProblem } {
  const trimmed = trimRust(text)
  let at = afterSign(trimmed, 0)
  const start = at
  at += digitRun(trimmed, at)
  const digits = trimmed
    .slice(start, at)
    .replaceAll('_', '')
    .replace(/^0+(?=\d)/, '')
  if (digits === '' || !isZeroTail(trimmed, at)) return { problem: 'int_parsing' }
  if (digits.length > MAX_INT_DIGITS)
    return { problem: digits.length === trimmed.length ? 'int_parsing_size' : 'int_parsing' }
  return { value: whole(digits, trimmed.startsWith('-')) }
}

function isZeroTail(text: string, from: number): boolean {
  if (from === text.length) return true
  if (text.charCodeAt(from) !== 46 || from + 1 === text.length) return false
  for (let at = from + 1; at < text.length; at++) if (text.charCodeAt(at) !== 48) return false
  return true
}

/** Blanks without U+001C..1F: pydantic trims by Unicode White_Space. */
function trimRust(text: string): string {
  const blank = (code: number) => isBlank(code) && !(code >= 0x1c && code <= 0x1f)
  let start = 0
  let end = text.length
  while (start < end && blank(text.charCodeAt(start))) start++
  while (end > start && blank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** `repr(float)`: shortest digits, exponent below 1e-4 and from 1e16. */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const [mantissa = '0', power = '0'] = Math.abs(value).toExponential().split('e')
  const exponent = Number(power)
  const digits = mantissa.replace('.', '')
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const padded = digits.padEnd(exponent + 1, '0')
  return `${sign}${padded.slice(0, exponent + 1)}.${padded.slice(exponent + 1) || '0'}`
}
