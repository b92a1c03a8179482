import { createLru } from '../../lru.ts'
import { keptIn } from '../../maps.ts'
import {
  closeUnderCase,
  expandCase,
  inCategory,
  mergeRanges,
  splitCategory,
  TOKENS,
} from './char-set.ts'
import type { Category, CharSet, Range } from './python-ast.ts'

/**
 * The form of text that the emitted pattern runs on. `native`: ASCII text. `skeleton`: a skeleton (text-facts.ts).
 * `unicode`: any text, with the `v` flag.
 */
export type Alphabet = 'native' | 'skeleton' | 'unicode'

export interface Target {
  readonly alphabet: Alphabet
  /** re.ASCII rules. */
  readonly ascii: boolean
  /** The text is in lower case, so no character needs its other case spelled out. */
  readonly folded: boolean
}

export const UNICODE_CLASS = {
  w: '\\p{L}\\p{N}_',
  d: '\\p{Nd}',
  s: '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000',
} as const
const ASCII_CLASS = { w: '\\w', d: '\\d', s: '\\t-\\r ' } as const
export const ALL_ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
const SHORT_CLASSES: ReadonlyMap<string, string> = new Map([
  ['0-9A-Z_a-z', '\\w'],
  ['0-9', '\\d'],
])

function escapeCode(code: number, alphabet: Alphabet): string {
  const char = String.fromCodePoint(code)
  if (/[A-Za-z0-9]/.test(char)) return char
  if (code > 0xffff) return `\\u{${code.toString(16)}}`
  if (code > 0xff || alphabet === 'unicode') return `\\u${code.toString(16).padStart(4, '0')}`
  return `\\x${code.toString(16).padStart(2, '0')}`
}

function rangeText([from, to]: Range, alphabet: Alphabet): string {
  const start = escapeCode(from, alphabet)
  return from === to ? start : `${start}-${escapeCode(to, alphabet)}`
}

function hasCode(ranges: readonly Range[], code: number): boolean {
  return ranges.some(([from, to]) => from <= code && code <= to)
}

/** The characters that a set names, for the kind of text that the target runs on. */
export function memberRanges(target: Target, set: CharSet): readonly Range[] {
  if (target.folded) return closeUnderCase(set.ranges, target.ascii)
  return set.ignoreCase ? expandCase(set.ranges, target.ascii) : mergeRanges(set.ranges)
}

/** Tests a character of the small alphabets against the set by Python's rules. */
export function smallMember(
  target: Target,
  set: CharSet,
  ranges: readonly Range[],
  char: string,
): boolean {
  // On lower-case text upper-case letters never occur: give them their lower case's answer, so that
  // the class comes out as a plain \w or [a-z].
  const seen = target.folded && char <= '\x7f' ? char.toLowerCase() : char
  const named = seen <= '\x7f' && hasCode(ranges, seen.charCodeAt(0))
  const inClass = set.categories.some((category) => inCategory(seen, category, target.ascii))
  return (named || inClass) !== set.negate
}

function smallRanges(target: Target, set: CharSet): { in: Range[]; out: Range[] } {
  const ranges = memberRanges(target, set)
  const alphabet = target.alphabet === 'native' ? ALL_ASCII : [...ALL_ASCII, ...Array.from(TOKENS)]
  const sorted: { in: Range[]; out: Range[] } = { in: [], out: [] }
  for (const char of alphabet) {
    const code = char.charCodeAt(0)
    sorted[smallMember(target, set, ranges, char) ? 'in' : 'out'].push([code, code])
  }
  return sorted
}

/** A class over ASCII (and the four tokens). Its members are found by testing each character. */
function emitSmallSet(target: Target, set: CharSet): string {
  const sorted = smallRanges(target, set)
  const inside = mergeRanges(sorted.in)
  const outside = mergeRanges(sorted.out)
  if (outside.length === 0) return '[^]'
  if (inside.length === 0) return '[]'
  const text = (ranges: readonly Range[]): string =>
    ranges.map((range) => rangeText(range, target.alphabet)).join('')
  // `5f` is "_": the short forms below are written with plain characters.
  const short = SHORT_CLASSES.get(text(inside).replace('\\x5f', '_'))
  if (short !== undefined) return short
  const [only] = inside
  if (inside.length === 1 && only !== undefined && only[0] === only[1]) return text(inside)
  return outside.length < inside.length ? `[^${text(outside)}]` : `[${text(inside)}]`
}

/** One letter, neither negated nor a category: emitted as itself when the text is in lower case. */
function plainLetter(target: Target, set: CharSet): string | null {
  const [range] = set.ranges
  if (set.negate || set.categories.length > 0 || set.ranges.length !== 1) return null
  if (range === undefined || range[0] !== range[1] || !target.folded) return null
  if (target.alphabet === 'unicode' || range[0] > 0x7f) return null
  return escapeCode(
    range[0] >= 0x41 && range[0] <= 0x5a ? range[0] + 32 : range[0],
    target.alphabet,
  )
}

function unicodeCategory(category: Category, ascii: boolean): string {
  const [base, negated] = splitCategory(category)
  const members = ascii ? ASCII_CLASS[base] : UNICODE_CLASS[base]
  return negated ? `[^${members}]` : members
}

function emitUnicodeSet(target: Target, set: CharSet): string {
  const ranges = memberRanges(target, set).map((range) => rangeText(range, 'unicode'))
  const classes = set.categories.map((category) => unicodeCategory(category, target.ascii))
  const members = [...ranges, ...classes].join('')
  if (members === '') return set.negate ? '[^]' : '[]'
  return `[${set.negate ? '^' : ''}${members}]`
}

/** Small sets that were emitted before: the signals of a file have a few hundred, each many times. */
const emitted = createLru<string, string>(2000)

function rememberedSmallSet(target: Target, set: CharSet): string {
  const { negate, ignoreCase, categories, ranges } = set
  const flags = [target.alphabet, target.ascii, target.folded, negate, ignoreCase]
  const key = `${flags.join()} ${categories.join()} ${ranges.join()}`
  return keptIn(emitted, key, () => emitSmallSet(target, set))
}

/** One character of the text, as the target writes it. */
export function emitSet(target: Target, set: CharSet): string {
  if (target.alphabet === 'unicode') return emitUnicodeSet(target, set)
  return plainLetter(target, set) ?? rememberedSmallSet(target, set)
}
