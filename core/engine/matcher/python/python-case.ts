/**
 * Python's case rules for IGNORECASE: a character of the text matches a literal when its simple
 * lower case equals the literal's, or is one of the literal's "extra cases" (lower-case letters
 * with the same upper case). All functions work on code points.
 */

/** Groups of distinct lower-case letters that share their upper case (Unicode case data). */
const EXTRA_CASE_GROUPS = [
  'i\u0131',
  's\u017f',
  '\u00b5\u03bc',
  '\u0345\u03b9\u1fbe',
  '\u0390\u1fd3',
  '\u03b0\u1fe3',
  '\u03b2\u03d0',
  '\u03b5\u03f5',
  '\u03b8\u03d1',
  '\u03ba\u03f0',
  '\u03c0\u03d6',
  '\u03c1\u03f1',
  '\u03c2\u03c3',
  '\u03c6\u03d5',
  '\u0432\u1c80',
  '\u0434\u1c81',
  '\u043e\u1c82',
  '\u0441\u1c83',
  '\u0442\u1c84\u1c85',
  '\u044a\u1c86',
  '\u0463\u1c87',
  '\u1c88\ua64b',
  '\u1e61\u1e9b',
  '\ufb05\ufb06',
] as const

const EXTRA_CASES: ReadonlyMap<number, readonly number[]> = new Map(
  EXTRA_CASE_GROUPS.flatMap((group) => {
    const codes = Array.from(group, (char) => char.codePointAt(0) ?? 0)
    return codes.map((code) => [code, codes] as const)
  }),
)

/** Blocks that hold all characters with case. */
const CASED_BLOCKS = [
  [0x41, 0x587],
  [0x10a0, 0x1cbf],
  [0x1d79, 0x2184],
  [0x24b6, 0x24e9],
  [0x2c00, 0x2d2d],
  [0xa640, 0xabbf],
  [0xfb00, 0xfb17],
  [0xff21, 0xff5a],
  [0x10400, 0x10fff],
  [0x118a0, 0x118df],
  [0x16e40, 0x16e7f],
  [0x1e900, 0x1e943],
] as const

/** Simple lower case: the first character of the full mapping (İ gives i). */
export function lowerCode(code: number): number {
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? code + 32 : code
  return String.fromCodePoint(code).toLowerCase().codePointAt(0) ?? code
}

function upperCode(code: number): number {
  return String.fromCodePoint(code).toUpperCase().codePointAt(0) ?? code
}

/** The lower-case letters that match `lower`, itself included. */
export function extraCases(lower: number): readonly number[] {
  return EXTRA_CASES.get(lower) ?? [lower]
}

/** True when IGNORECASE makes a difference to this character. */
export function isCased(code: number): boolean {
  return lowerCode(code) !== code || upperCode(code) !== code || EXTRA_CASES.has(code)
}

/** Calls `visit` for every code point of the blocks that hold cased characters. */
export function forEachCased(visit: (code: number) => void): void {
  for (const [from, to] of CASED_BLOCKS) for (let code = from; code <= to; code += 1) visit(code)
}

/** Lower-case letters whose own or whose upper-case form is in `[from, to]` (Python's rule beyond the BMP). */
export function lowersWithUpperIn(from: number, to: number): readonly number[] {
  const found: number[] = []
  forEachCased((code) => {
    const upper = upperCode(code)
    if (upper >= from && upper <= to && lowerCode(code) === code) found.push(code)
  })
  return found
}

/**
 * Lower case of a whole text by Python's simple mapping: every character keeps its place and its
 * UTF-16 length. (The full mapping makes two characters of İ and looks around Σ.)
 */
export function lowerText(text: string): string {
  return text.replaceAll('\u0130', 'i').replaceAll('\u03a3', '\u03c3').toLowerCase()
}

/** Lower case of A to Z only: what IGNORECASE means under re.ASCII. */
export function lowerAsciiText(text: string): string {
  return text.replace(/[A-Z]+/g, (run) => run.toLowerCase())
}
