/** Values may be nested, but not deeper than this: a hostile text must not fill the stack. */
const MAX_DEPTH = 64

/** Thrown inside this file only: the text is not a literal. */
const NOT_A_LITERAL = new Error('not a literal')

/**
 * [I114] The value of a text that Python printed (`{'a': None, 'b': [1, True]}`). Frameworks log arguments and messages
 * that way. Undefined for any other text, including a cut-off one.
 */
export function pythonLiteral(text: string): unknown {
  if (!/^\s*[[{(]/.test(text)) return undefined
  const reader = createReader(text)
  try {
    const value = reader.value(0)
    return reader.isAtEnd() ? value : undefined
  } catch (error) {
    if (error === NOT_A_LITERAL) return undefined
    throw error
  }
}

interface LiteralReader {
  readonly value: (depth: number) => unknown
  readonly isAtEnd: () => boolean
}

const WORDS: Readonly<Record<string, unknown>> = { None: null, True: true, False: false }
const CLOSERS: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' }
const WORD = /None|True|False/y
const NUMBER = /-?\d+(?:\.\d*)?(?:e[+-]?\d+)?/iy
const BLANK = /\s*/y
/** A string to its end: no bare line end, and a backslash takes the next character with it. */
const STRING = /'([^'\\\n]*(?:\\[^][^'\\\n]*)*)'|"([^"\\\n]*(?:\\[^][^"\\\n]*)*)"/y

function createReader(text: string): LiteralReader {
  let at = 0
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at
    const match = form.exec(text)
    if (match !== null) at = form.lastIndex
    return match
  }
  const next = (): string => {
    take(BLANK)
    return text.charAt(at)
  }
  /** Items up to the closing bracket. A comma may follow the last one. */
  const items = (closer: string, item: () => void): void => {
    at += 1
    while (next() !== closer) {
      item()
      if (next() === ',') at += 1
      else if (next() !== closer) throw NOT_A_LITERAL
    }
    at += 1
  }
  const value = (depth: number): unknown => {
    const opener = next()
    if (depth > MAX_DEPTH) throw NOT_A_LITERAL
    if (opener === '{') {
      const entries: Array<[string, unknown]> = []
      items('}', () => {
        const key = value(depth + 1)
        if (next() !== ':' || (typeof key !== 'string' && typeof key !== 'number'))
          throw NOT_A_LITERAL
        at += 1
        entries.push([String(key), value(depth + 1)])
      })
      return Object.fromEntries(entries)
    }
    if (Object.hasOwn(CLOSERS, opener)) {
      const list: unknown[] = []
      items(CLOSERS[opener] ?? '', () => list.push(value(depth + 1)))
      return list
    }
    const string = take(STRING)
    if (string !== null) return unescaped(string[1] ?? string[2] ?? '')
    const word = take(WORD)
    if (word !== null) return WORDS[word[0]]
    const number = take(NUMBER)
    if (number === null) throw NOT_A_LITERAL
    return Number(number[0])
  }
  return { value, isAtEnd: () => next() === '' }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\n': '',
  "'": "'",
  '"': '"',
  '\\': '\\',
}
const ESCAPE = /\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[^])/g

function unescaped(body: string): string {
  return body.replaceAll(ESCAPE, (whole: string, escape: string) => {
    if (escape.length === 1) return Object.hasOwn(ESCAPES, escape) ? (ESCAPES[escape] ?? '') : whole
    const code = Number.parseInt(escape.slice(1), 16)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}
