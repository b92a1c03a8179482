import { extraCases, forEachCased, isCased, lowerCode, lowersWithUpperIn } from './python-case.ts'
import type { Category, CharSet, Range } from './python-ast.ts'
import { DIGIT, LETTER, OTHER, SPACE } from '../skeleton.ts'

const DIGITS = '0123456789'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const BLANKS = '\t\n\v\f\r '
/** Characters up to U+007F of each category; `\s` has the four separators in Unicode mode only. */
const ASCII_MEMBERS = {
  w: DIGITS + LETTERS + LETTERS.toUpperCase() + '_',
  d: DIGITS,
  s: BLANKS + '\x1c\x1d\x1e\x1f',
} as const
const TOKENS_OF = { w: LETTER + DIGIT, d: DIGIT, s: SPACE } as const
export const TOKENS = LETTER + DIGIT + SPACE + OTHER

type Base = keyof typeof ASCII_MEMBERS

/** The category without its negation: `W` gives `['w', true]`. */
export function splitCategory(category: Category): readonly [Base, boolean] {
  const base = category.toLowerCase()
  const known: Base = base === 'w' ? 'w' : base === 'd' ? 'd' : 's'
  return [known, base !== category]
}

/** Is this ASCII character, or token of a skeleton, in the category? */
export function inCategory(char: string, category: Category, ascii: boolean): boolean {
  const [base, negated] = splitCategory(category)
  if (char > '\x7f') return (!ascii && TOKENS_OF[base].includes(char)) !== negated
  const members = base === 's' && ascii ? BLANKS : ASCII_MEMBERS[base]
  return members.includes(char) !== negated
}

/** Sorts and joins ranges that touch. */
export function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: Array<[number, number]> = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

function closeAsciiRange([from, to]: Range): readonly Range[] {
  const shift = (low: number, high: number, by: number): readonly Range[] => {
    const start = Math.max(from, low)
    const end = Math.min(to, high)
    return start <= end ? [[start + by, end + by]] : []
  }
  // Python's rule for ranges beyond the BMP looks at the Unicode upper case even under re.ASCII.
  const far = to > 0xffff ? lowersWithUpperIn(from, to) : []
  return [[from, to], ...shift(0x41, 0x5a, 32), ...far.map((code): Range => [code, code])]
}

function closeRange([from, to]: Range): readonly Range[] {
  if (to < 0x80) return asciiAndExtra([from, to])
  const closed: Range[] = []
  for (let code = from; code <= Math.min(to, 0xffff); code += 1)
    for (const match of extraCases(lowerCode(code))) closed.push([match, match])
  if (to > 0xffff) {
    closed.push([from, to])
    for (const code of lowersWithUpperIn(from, to)) closed.push([code, code])
  }
  return closed
}

function asciiAndExtra(range: Range): readonly Range[] {
  const closed = [...closeAsciiRange(range)]
  for (const letter of [0x69, 0x73])
    if (closed.some(([from, to]) => from <= letter && letter <= to))
      for (const match of extraCases(letter)) closed.push([match, match])
  return closed
}

/**
 * The lower-case characters that match one of the ranges under IGNORECASE. A text in lower case is
 * then compared as it is. (Upper-case members stay in the list; such a text has none.)
 */
export function closeUnderCase(ranges: readonly Range[], ascii: boolean): readonly Range[] {
  return mergeRanges(ranges.flatMap(ascii ? closeAsciiRange : closeRange))
}

/** All characters, of either case, that match one of the ranges under IGNORECASE. */
export function expandCase(ranges: readonly Range[], ascii: boolean): readonly Range[] {
  const closed = closeUnderCase(ranges, ascii)
  const matches = (code: number): boolean => closed.some(([from, to]) => from <= code && code <= to)
  const expanded: Range[] = [...closed]
  forEachCased((code) => {
    if (ascii && code > 0x7f) return
    if (matches(lowerCode(code))) expanded.push([code, code])
  })
  return mergeRanges(expanded)
}

/** True when letter case matters to the set, because IGNORECASE is off and a member has case. */
export function isCaseSensitive(set: CharSet): boolean {
  if (set.ignoreCase) return false
  return set.ranges.some(([from, to]) => {
    for (let code = from; code <= to; code += 1) if (isCased(code)) return true
    return false
  })
}

/**
 * A single upper-case letter beyond the BMP that Python's IGNORECASE loses track of (it compares the
 * text's lower case with the letter as written, or not, depending on its neighbours); else null.
 */
export function unreliableLetter(set: CharSet): string | null {
  const found = set.ranges.find(
    ([from, to]) => from === to && from > 0xffff && lowerCode(from) !== from,
  )
  return found === undefined ? null : String.fromCodePoint(found[0])
}

/** True if the set distinguishes characters above U+007F other than by category. */
export function namesWideCharacters(set: CharSet): boolean {
  return set.ranges.some(([, to]) => to > 0x7f)
}
