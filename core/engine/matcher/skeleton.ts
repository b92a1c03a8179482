/** Tokens of a skeleton. Any units above U+007F would do; these keep strings in Latin-1. */
export const LETTER = '\u00e0'
export const DIGIT = '\u00e1'
export const SPACE = '\u00e2'
export const OTHER = '\u00e3'

/** Space characters above U+007F in Python's `str.isspace`. */
const WIDE_SPACE = /[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/
const WIDE_RUN = /[^\0-\x7f]+/g
const FOLDED_TO_ASCII: ReadonlyMap<string, string> = new Map([
  ['\u0131', 'i'],
  ['\u017f', 's'],
])

/**
 * The token for a character above U+007F in a skeleton. Under IGNORECASE no pattern can distinguish ı from i or ſ from
 * s, so these map to i and s.
 */
export function tokenOf(char: string): string {
  const folded = FOLDED_TO_ASCII.get(char)
  if (folded !== undefined) return folded
  if (/\p{Nd}/u.test(char)) return DIGIT
  if (/[\p{L}\p{N}]/u.test(char)) return LETTER
  return WIDE_SPACE.test(char) ? SPACE : OTHER
}

/** Maximum number of equal tokens appended together. */
const AT_ONCE = 64
/** Tokens to append: numbers of the lists below, from 1 on. */
const TOKENS = [LETTER, DIGIT, SPACE, OTHER, ...FOLDED_TO_ASCII.values()]
const ROWS = ['', ...TOKENS.map((token) => token.repeat(AT_ONCE))]

/** Memo of `tokenOf` by UTF-16 unit; 0: not known yet. Pure, so sharing it changes no answer. */
const numbers = new Uint8Array(0x10000)
/** The same by code point, for characters that one unit does not identify: surrogate pairs and lone surrogates. */
const numbersOfOthers = new Map<number, number>()

function numberOfCode(code: number): number {
  const known = numbersOfOthers.get(code)
  if (known !== undefined) return known
  const number = TOKENS.indexOf(tokenOf(String.fromCodePoint(code))) + 1
  if (code > 0xffff || (code >= 0xd800 && code < 0xe000)) numbersOfOthers.set(code, number)
  else numbers[code] = number
  return number
}

/** Tokens of one kind are added together: a text in another script is runs of letters. */
function skeletonOfRun(run: string): string {
  let skeleton = ''
  let last = 0
  let count = 0
  for (let at = 0; at < run.length; at += 1) {
    let number = numbers[run.charCodeAt(at)] ?? 0
    if (number === 0) {
      const code = run.codePointAt(at) ?? 0
      number = numberOfCode(code)
      if (code > 0xffff) at += 1
    }
    if (number === last && count < AT_ONCE) {
      count += 1
    } else {
      skeleton += (ROWS[last] ?? '').slice(0, count)
      last = number
      count = 1
    }
  }
  return skeleton + (ROWS[last] ?? '').slice(0, count)
}

/** The skeleton of a text in lower case, as `TextForm` says: one unit for each character. */
export function skeletonOf(lower: string): string {
  return lower.replace(WIDE_RUN, skeletonOfRun)
}
