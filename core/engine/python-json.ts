import { floatRepr, type Whole } from './python-number.ts'

/**
 * JSON as Python's `json` reads it: `NaN` and infinities are numbers, whole numbers are exact and
 * stay apart from floats (`1` and `1.0` are written back as they came).
 */
export type JsonNode =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'int'; readonly value: Whole }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'list'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'object'; readonly entries: ReadonlyMap<string, JsonNode> }

/** [S15] Deeper nesting than this is not read: no input may exhaust the stack. */
const MAX_JSON_DEPTH = 1000

type JsonFailure = 'invalid' | 'too_deep'

interface Reader {
  readonly text: string
  at: number
  failure: JsonFailure | null
}

const WORDS: ReadonlyArray<readonly [string, JsonNode]> = [
  ['true', { kind: 'bool', value: true }],
  ['false', { kind: 'bool', value: false }],
  ['null', { kind: 'null' }],
  ['NaN', { kind: 'float', value: NaN }],
  ['Infinity', { kind: 'float', value: Infinity }],
  ['-Infinity', { kind: 'float', value: -Infinity }],
]
const NUMBER = /(-?(?:0|[1-9]\d{0,4400}))(\.\d{1,9000})?([eE][-+]?\d{1,9000})?/y
const MAX_INT_DIGITS = 4300

/** Reads one JSON value that fills the text; null with the reason in `failure` otherwise. */
export function readJson(text: string): {
  readonly node: JsonNode | null
  readonly failure: JsonFailure | null
} {
  const reader: Reader = { text, at: 0, failure: null }
  const node = value(reader, 0)
  blanks(reader)
  if (node === null || reader.at !== text.length)
    return { node: null, failure: reader.failure ?? 'invalid' }
  return { node, failure: null }
}

function blanks(reader: Reader): void {
  for (;;) {
    const code = reader.text.charCodeAt(reader.at)
    if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return
    reader.at++
  }
}

function take(reader: Reader, char: string): boolean {
  blanks(reader)
  if (reader.text[reader.at] !== char) return false
  reader.at++
  return true
}

function value(reader: Reader, depth: number): JsonNode | null {
  if (depth > MAX_JSON_DEPTH) {
    reader.failure = 'too_deep'
    return null
  }
  blanks(reader)
  const first = reader.text[reader.at]
  if (first === '"') return string(reader)
  if (first === '[') return list(reader, depth)
  if (first === '{') return object(reader, depth)
  return word(reader) ?? number(reader)
}

function word(reader: Reader): JsonNode | null {
  for (const [name, node] of WORDS) {
    if (!reader.text.startsWith(name, reader.at)) continue
    reader.at += name.length
    return node
  }
  return null
}

function number(reader: Reader): JsonNode | null {
  NUMBER.lastIndex = reader.at
  const match = NUMBER.exec(reader.text)
  if (match === null) return null
  const [all, integer = '', fraction, exponent] = match
  reader.at += all.length
  if (fraction !== undefined || exponent !== undefined) return { kind: 'float', value: Number(all) }
  if (integer.length > MAX_INT_DIGITS + (integer.startsWith('-') ? 1 : 0)) return null
  const exact = Number(integer)
  if (Number.isSafeInteger(exact)) return { kind: 'int', value: exact === 0 ? 0 : exact }
  return { kind: 'int', value: BigInt(integer) }
}

function string(reader: Reader): JsonNode | null {
  const content = rawString(reader)
  return content === null ? null : { kind: 'text', value: content }
}

/** The string at the reader's current quote. JSON.parse reads its escapes by the same rules as Python. */
function rawString(reader: Reader): string | null {
  const start = reader.at
  let at = start + 1
  let plain = true
  for (;;) {
    const code = reader.text.charCodeAt(at)
    if (Number.isNaN(code)) return null
    if (code === 34) break
    plain &&= code !== 92 && code >= 32
    at += code === 92 ? 2 : 1
  }
  reader.at = at + 1
  if (plain) return reader.text.slice(start + 1, at)
  try {
    return String(JSON.parse(reader.text.slice(start, at + 1)))
  } catch {
    return null
  }
}

function list(reader: Reader, depth: number): JsonNode | null {
  const items: JsonNode[] = []
  reader.at++
  if (take(reader, ']')) return { kind: 'list', items }
  for (;;) {
    const item = value(reader, depth + 1)
    if (item === null) return null
    items.push(item)
    if (take(reader, ']')) return { kind: 'list', items }
    if (!take(reader, ',')) return null
  }
}

function object(reader: Reader, depth: number): JsonNode | null {
  const entries = new Map<string, JsonNode>()
  reader.at++
  if (take(reader, '}')) return { kind: 'object', entries }
  for (;;) {
    blanks(reader)
    if (reader.text[reader.at] !== '"') return null
    const key = rawString(reader)
    if (key === null || !take(reader, ':')) return null
    const item = value(reader, depth + 1)
    if (item === null) return null
    entries.set(key, item)
    if (take(reader, '}')) return { kind: 'object', entries }
    if (!take(reader, ',')) return null
  }
}

/** `json.dumps(value, ensure_ascii=False)`. */
export function writeJson(node: JsonNode): string {
  switch (node.kind) {
    case 'text':
      return quote(node.value)
    case 'int':
      return String(node.value)
    case 'float':
      return floatRepr(node.value)
    case 'bool':
      return String(node.value)
    case 'null':
      return 'null'
    case 'list':
      return `[${node.items.map(writeJson).join(', ')}]`
    case 'object':
      return `{${[...node.entries].map(([key, item]) => `${quote(key)}: ${writeJson(item)}`).join(', ')}}`
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\f': '\\f',
  '\b': '\\b',
}

function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what JSON must escape
  const escaped = text.replace(/["\\\u0000-\u001f]/g, (char) => {
    return ESCAPES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `"${escaped}"`
}
