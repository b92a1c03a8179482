import type { Flags, PatternProblem } from './python-ast.ts'

/**
 * Cursor over a pattern. The first error is kept and moves the cursor to the end, so that every loop of the parser
 * stops and no exception is needed.
 */
export interface Reader {
  readonly pattern: string
  pos: number
  problem: PatternProblem | null
  flags: Flags
  /** Number that the next capturing group gets. */
  nextGroup: number
  readonly names: Map<string, number>
  readonly openGroups: Set<number>
  /** Groups from this number on were opened inside the current look-behind. */
  lookbehindFrom: number | null
}

export function createReader(pattern: string, flags: Flags): Reader {
  return {
    pattern,
    pos: 0,
    problem: null,
    flags,
    nextGroup: 1,
    names: new Map(),
    openGroups: new Set(),
    lookbehindFrom: null,
  }
}

/** Keeps the first problem and ends the parse. `at` is a 0-based offset in the pattern. */
export function refuse(reader: Reader, at: number, what: string, advice: string): void {
  reader.problem ??= { what, column: at + 1, do: advice }
  reader.pos = reader.pattern.length
}

/** The character at the cursor (a whole code point), or '' at the end. */
export function peek(reader: Reader): string {
  const code = reader.pattern.codePointAt(reader.pos)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** Like `peek`, and moves past it. */
export function next(reader: Reader): string {
  const char = peek(reader)
  reader.pos += char.length
  return char
}

/** Moves past `text` if it is at the cursor. */
export function accept(reader: Reader, text: string): boolean {
  if (!reader.pattern.startsWith(text, reader.pos)) return false
  reader.pos += text.length
  return true
}

/** Takes at most `most` characters that are all in `allowed`. */
export function takeWhile(reader: Reader, allowed: string, most: number): string {
  const start = reader.pos
  while (reader.pos - start < most) {
    const char = reader.pattern.charAt(reader.pos)
    if (char === '' || !allowed.includes(char)) break
    reader.pos += 1
  }
  return reader.pattern.slice(start, reader.pos)
}

/** Takes everything up to `end` and `end` itself; null (and a problem) when it is missing. */
export function takeUntil(reader: Reader, end: string, noun: string): string | null {
  const start = reader.pos
  const found = reader.pattern.indexOf(end, start)
  if (found < 0) {
    refuse(reader, start, `${noun} has no closing "${end}"`, `Close it with "${end}".`)
    return null
  }
  reader.pos = found + end.length
  return reader.pattern.slice(start, found)
}
