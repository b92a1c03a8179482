/** Reading position in a grammar's text; failing throws a `GrammarFault`, caught by the parser. */
export interface GrammarReader {
  readonly text: string
  at: number
}

/** Thrown inside the parser only. */
export interface GrammarFault {
  readonly fault: string
  readonly at: number
}

export function isGrammarFault(value: unknown): value is GrammarFault {
  return typeof value === 'object' && value !== null && 'fault' in value
}

export function fail(reader: GrammarReader, fault: string, at = reader.at): never {
  const thrown: GrammarFault = { fault, at }
  // Not an Error: it never leaves the parser, and the engine has no classes.
  // oxlint-disable-next-line typescript/only-throw-error
  throw thrown
}

export function peek({ text, at }: GrammarReader): string {
  return text[at] ?? ''
}

export function take(reader: GrammarReader, wanted: string): boolean {
  if (!reader.text.startsWith(wanted, reader.at)) return false
  reader.at += wanted.length
  return true
}

/** Blanks and comments; line ends only where a rule may go on. */
export function skipSpace(reader: GrammarReader, lineEnds: boolean): void {
  for (;;) {
    const char = peek(reader)
    if (char === '#') {
      while (peek(reader) !== '' && peek(reader) !== '\n' && peek(reader) !== '\r') reader.at += 1
    } else if (char === ' ' || char === '\t' || (lineEnds && (char === '\n' || char === '\r'))) {
      reader.at += 1
    } else return
  }
}

/** A rule's name: letters, digits and hyphens. */
export function takeName(reader: GrammarReader): string {
  const [name = ''] = /^[a-zA-Z0-9-]+/u.exec(reader.text.slice(reader.at, reader.at + 200)) ?? []
  if (name === '') fail(reader, 'a rule name is missing')
  reader.at += name.length
  return name
}

const ESCAPES: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  '\\': 92,
  '"': 34,
  '[': 91,
  ']': 93,
}
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** One character of a literal or class, as a code point. */
export function takeChar(reader: GrammarReader): number {
  const point = reader.text.codePointAt(reader.at)
  if (point === undefined) fail(reader, 'the grammar ends inside a literal or class')
  if (point === 10 || point === 13) fail(reader, 'a line ends inside a literal or class')
  reader.at += point > 0xffff ? 2 : 1
  if (point !== 92) return point
  const kind = peek(reader)
  const plain = ESCAPES[kind]
  if (plain !== undefined) {
    reader.at += 1
    return plain
  }
  const digits = HEX_DIGITS[kind]
  if (digits === undefined) fail(reader, `unknown escape \\${kind}`)
  const hex = reader.text.slice(reader.at + 1, reader.at + 1 + digits)
  if (!/^[0-9a-fA-F]+$/u.test(hex) || hex.length !== digits)
    fail(reader, `\\${kind} needs ${digits} hexadecimal digits`)
  reader.at += 1 + digits
  return Number.parseInt(hex, 16)
}
