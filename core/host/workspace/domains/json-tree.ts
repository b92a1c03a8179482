import { parseJson } from '../../../engine/result.ts'

/** Half-open, in UTF-16 units of the text. */
interface Place {
  readonly from: number
  readonly to: number
}

interface JsonMember {
  readonly key: string
  readonly keyAt: Place
  readonly node: JsonNode
}

/** A value of a JSON text with its place. If a key occurs twice, the later one counts. */
export type JsonNode = Place &
  (
    | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
    | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
    | { readonly kind: 'value'; readonly value: unknown }
  )

interface JsonError extends Place {
  readonly message: string
}

/** Error that stops the reading; caught only in this file. */
class Stop extends Error {
  readonly at: Place
  constructor(message: string, at: Place) {
    super(message)
    this.at = at
  }
}

/** Maximum nesting depth. Hand-written files are never deeper. */
const DEEPEST = 200
const BLANK = /(?:[\s\uFEFF]|\/\/[^\n\r]*|\/\*[^]*?\*\/)*/uy
const SCALAR = /"(?:[^"\\\n\r]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/uy

/** Reads forward; `at` is the position of the next character. */
class Reader {
  readonly #text: string
  #at = 0
  constructor(text: string) {
    this.#text = text
  }

  /** Skips blanks and comments; the sign that follows, or '' at the end. */
  #peek(): string {
    BLANK.lastIndex = this.#at
    this.#at += BLANK.exec(this.#text)?.[0].length ?? 0
    return this.#text[this.#at] ?? ''
  }

  #stop(message: string): never {
    const from = Math.min(this.#at, Math.max(0, this.#text.length - 1))
    throw new Stop(message, { from, to: from + 1 })
  }

  #take(sign: string, message: string): void {
    if (this.#peek() !== sign) this.#stop(message)
    this.#at += 1
  }

  #scalar(): JsonNode & { readonly kind: 'value' } {
    const from = this.#at
    SCALAR.lastIndex = from
    const found = SCALAR.exec(this.#text)?.[0]
    const value = found === undefined ? null : parseJson(found)
    if (found === undefined || value?.ok !== true)
      this.#stop('a value is missing here, or is not JSON')
    this.#at += found.length
    return { kind: 'value', from, to: this.#at, value: value.value }
  }

  /** Elements up to the closing character. A trailing comma is allowed. */
  #list<T>(close: string, element: () => T): T[] {
    const all: T[] = []
    this.#at += 1
    while (this.#peek() !== close) {
      all.push(element())
      if (this.#peek() === close) break
      this.#take(',', `"," or "${close}" is missing here`)
    }
    this.#at += 1
    return all
  }

  #member(depth: number): JsonMember {
    if (this.#peek() !== '"') this.#stop('a key in double quotes is missing here')
    const { from, to, value } = this.#scalar()
    this.#take(':', '":" is missing behind the key')
    return { key: String(value), keyAt: { from, to }, node: this.node(depth) }
  }

  node(depth: number): JsonNode {
    if (depth > DEEPEST) this.#stop('too many brackets inside each other')
    const sign = this.#peek()
    const from = this.#at
    if (sign === '{') {
      const members = this.#list('}', () => this.#member(depth + 1))
      return { kind: 'object', from, to: this.#at, members }
    }
    if (sign === '[') {
      const items = this.#list(']', () => this.node(depth + 1))
      return { kind: 'array', from, to: this.#at, items }
    }
    return this.#scalar()
  }

  end(): void {
    if (this.#peek() !== '') this.#stop('the text goes on behind its value')
  }
}

/** Reads JSON with comments and trailing commas; everything knows its place. */
export function readJsonTree(text: string): {
  readonly node: JsonNode | null
  readonly errors: readonly JsonError[]
} {
  const reader = new Reader(text)
  try {
    const node = reader.node(0)
    reader.end()
    return { node, errors: [] }
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    return { node: null, errors: [{ message: error.message, ...error.at }] }
  }
}

/** The value that a node means. */
export function valueOfNode(node: JsonNode): unknown {
  if (node.kind === 'array') return node.items.map(valueOfNode)
  if (node.kind === 'value') return node.value
  return Object.fromEntries(node.members.map(({ key, node: own }) => [key, valueOfNode(own)]))
}

/** The member of a key, or null. */
export function memberOf(node: JsonNode, key: PropertyKey): JsonMember | null {
  if (node.kind !== 'object') return null
  return node.members.findLast((member) => member.key === key) ?? null
}

/** The node at a path, or the nearest one above it that is there; `whole`: it is the node of the path itself. */
export function nodeAtPath(node: JsonNode, path: readonly PropertyKey[]) {
  let at = node
  for (const step of path) {
    const item = at.kind === 'array' && typeof step === 'number' ? at.items[step] : undefined
    const next = item ?? memberOf(at, step)?.node
    if (next === undefined) return { node: at, whole: false }
    at = next
  }
  return { node: at, whole: true }
}
