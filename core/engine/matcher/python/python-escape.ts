import { next, peek, refuse, takeWhile, type Reader } from './pattern-reader.ts'
import type { Category, Position } from './python-ast.ts'

/** Meaning of a backslash sequence. */
export type Escape =
  | { readonly kind: 'char'; readonly code: number }
  | { readonly kind: 'category'; readonly category: Category }
  | { readonly kind: 'position'; readonly position: Position }
  | { readonly kind: 'reference'; readonly group: number }

const OCTAL = '01234567'
const DIGITS = '0123456789'
const HEX = '0123456789abcdefABCDEF'
const CONTROL: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
])
const CATEGORIES = new Set<string>(['w', 'W', 'd', 'D', 's', 'S'])
const POSITIONS: ReadonlyMap<string, Position> = new Map([
  ['A', 'start'],
  ['Z', 'textEnd'],
  ['b', 'boundary'],
  ['B', 'notBoundary'],
])
const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

function isCategory(letter: string): letter is Category {
  return CATEGORIES.has(letter)
}

function char(code: number): Escape {
  return { kind: 'char', code }
}

function hexEscape(reader: Reader, letter: string, digits: number, at: number): Escape {
  const hex = takeWhile(reader, HEX, digits)
  const code = Number.parseInt(hex, 16)
  if (hex.length < digits)
    refuse(reader, at, `incomplete escape \\${letter}${hex}`, `Give ${digits} hexadecimal digits.`)
  else if (code > 0x10ffff)
    refuse(reader, at, `\\U${hex} is no character`, 'Use a code point up to 0010FFFF.')
  // The parse of a refused pattern ends behind this node, which has to be one.
  return char(code <= 0x10ffff ? code : 0)
}

function octal(reader: Reader, digits: string, at: number): Escape {
  const code = Number.parseInt(digits, 8)
  if (code > 0o377)
    refuse(
      reader,
      at,
      `octal escape \\${digits} is above \\377`,
      'Write it as \\u and 4 hex digits.',
    )
  return char(code)
}

/** `\1` … `\99` are group references unless three octal digits follow the backslash. */
function referenceOrOctal(reader: Reader, first: string, at: number): Escape {
  let digits = first + takeWhile(reader, DIGITS, 1)
  if (digits.length === 2 && OCTAL.includes(digits.charAt(0)) && OCTAL.includes(digits.charAt(1))) {
    digits += takeWhile(reader, OCTAL, 1)
    if (digits.length === 3) return octal(reader, digits, at)
  }
  return { kind: 'reference', group: Number.parseInt(digits, 10) }
}

/** Escapes with the same meaning inside and outside a class; null for any other letter. */
function commonEscape(reader: Reader, letter: string, at: number): Escape | null {
  const control = CONTROL.get(letter)
  if (control !== undefined) return char(control)
  if (isCategory(letter)) return { kind: 'category', category: letter }
  const digits = HEX_DIGITS.get(letter)
  if (digits !== undefined) return hexEscape(reader, letter, digits, at)
  if (letter === 'N')
    refuse(
      reader,
      at,
      'named character \\N{…} is not supported',
      'Write it as \\u and 4 hex digits.',
    )
  else if (letter === '')
    refuse(reader, at, 'bad escape (end of pattern)', 'Double the backslash or remove it.')
  else if (/^[A-Za-z]$/.test(letter))
    refuse(reader, at, `bad escape \\${letter}`, 'Remove the backslash, or double it.')
  else return /^[0-9]$/.test(letter) ? null : char(letter.codePointAt(0) ?? 0)
  return char(0)
}

/** Reads an escape outside a class. The cursor is after the backslash. */
export function readEscape(reader: Reader): Escape {
  const at = reader.pos - 1
  const letter = next(reader)
  const position = POSITIONS.get(letter)
  if (position !== undefined) return { kind: 'position', position }
  const common = commonEscape(reader, letter, at)
  if (common !== null) return common
  if (letter === '0') return octal(reader, letter + takeWhile(reader, OCTAL, 2), at)
  return referenceOrOctal(reader, letter, at)
}

/** Reads an escape inside a class, where `\b` is backspace and digits are always octal. */
export function readClassEscape(reader: Reader): Escape {
  const at = reader.pos - 1
  const letter = next(reader)
  if (letter === 'b') return char(8)
  const common = commonEscape(reader, letter, at)
  if (common !== null) return common
  if (OCTAL.includes(letter)) return octal(reader, letter + takeWhile(reader, OCTAL, 2), at)
  refuse(reader, at, `bad escape \\${letter}${peek(reader)}`, 'Remove the backslash, or double it.')
  return char(0)
}
