import { readJson, writeJson, type JsonNode } from '../python-json.ts'
import { plainInteger, pyFloat, type Whole } from '../python-number.ts'
import { isBlank, pyStrip } from '../python-text.ts'
import type { FieldType } from '../schema/self-signal.ts'

const TYPES: Readonly<Record<JsonNode['kind'], FieldType>> = {
  text: 'str',
  int: 'int',
  float: 'float',
  bool: 'bool',
  null: 'str',
  list: 'list',
  object: 'list',
}

export function fieldType(node: JsonNode): FieldType {
  return TYPES[node.kind]
}

export function textNode(value: string): JsonNode {
  return { kind: 'text', value }
}

/** [S15] A value nested too deeply to read. */
export const TOO_DEEP = 'too_deep'

/**
 * The document's coercion of a field's text: JSON array, true or false, whole number, float with a
 * point, else text.
 */
export function coerce(raw: string): JsonNode | typeof TOO_DEEP {
  const text = pyStrip(raw)
  if (text.startsWith('[') && text.endsWith(']')) {
    const { node, failure } = readJson(text)
    if (failure === 'too_deep') return TOO_DEEP
    if (node !== null) return node
  }
  const lower = text.length <= 8 ? text.toLowerCase() : ''
  if (lower === 'true' || lower === 'false') return { kind: 'bool', value: lower === 'true' }
  const whole = plainInteger(text)
  if (whole !== null) return { kind: 'int', value: whole }
  const float = text.includes('.') ? pyFloat(text) : null
  return float === null ? textNode(text) : { kind: 'float', value: float }
}

/** [S5] A JSON array, else items by `<item>`, line, comma or semicolon, without bullets and quotes. */
export function readList(raw: string): JsonNode | typeof TOO_DEEP {
  let text = pyStrip(raw)
  if (text.startsWith('[') && text.endsWith(']')) {
    const { node, failure } = readJson(text)
    if (failure === 'too_deep') return TOO_DEEP
    if (node?.kind === 'list') return { kind: 'list', items: node.items.flatMap(itemText) }
    text = text.slice(1, -1)
  }
  const marked = itemElements(text)
  const items = (marked.length > 0 ? marked : text.split(/[\n,;]/)).map(cleanItem)
  return { kind: 'list', items: items.filter((item) => item !== '').map(textNode) }
}

function itemText(node: JsonNode): readonly JsonNode[] {
  if (node.kind === 'null') return []
  return [node.kind === 'text' ? node : textNode(writeJson(node))]
}

function itemElements(text: string): string[] {
  const items: string[] = []
  let at = text.indexOf('<item>')
  while (at >= 0) {
    const close = text.indexOf('</item>', at + 6)
    if (close < 0) break
    items.push(text.slice(at + 6, close))
    at = text.indexOf('<item>', close + 7)
  }
  return items
}

const DIGIT = /\p{Nd}/u

/** Offset after a list bullet (`- `, `* `, `1. `, `2) `) at the start, or 0. */
function bulletEnd(item: string): number {
  let at = 0
  if (item.startsWith('-') || item.startsWith('*')) at = 1
  else {
    for (;;) {
      const point = item.codePointAt(at)
      if (point === undefined || !DIGIT.test(String.fromCodePoint(point))) break
      at += point > 0xffff ? 2 : 1
    }
    if (at === 0 || (item[at] !== '.' && item[at] !== ')')) return 0
    at++
  }
  return isBlank(item.charCodeAt(at)) ? at : 0
}

function cleanItem(raw: string): string {
  // A bullet may be all there is ("- "), so its blank must not be stripped before it is seen.
  const item = raw.slice(raw.length - trimStart(raw).length)
  const text = pyStrip(item.slice(bulletEnd(item)))
  let start = 0
  let end = text.length
  while (start < end && isQuoteChar(text[start])) start++
  while (end > start && isQuoteChar(text[end - 1])) end--
  return pyStrip(text.slice(start, end))
}

function trimStart(text: string): string {
  let at = 0
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return text.slice(at)
}

function isQuoteChar(char: string | undefined): boolean {
  return char === '"' || char === "'"
}

/** Digits beyond this are not written out in a trace. */
const MAX_SHOWN_DIGITS = 4000

export function plainWhole(value: Whole): unknown {
  if (typeof value === 'number') return value
  const digits = value.toString()
  return { $int: digits.replace('-', '').length > MAX_SHOWN_DIGITS ? 'huge' : digits }
}

/** A value as JSON without loss: see `SelfSignal` in the schema for the two tags. */
export function plainValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'int':
      return plainWhole(node.value)
    case 'float':
      if (Number.isFinite(node.value)) return node.value
      return { $float: Number.isNaN(node.value) ? 'nan' : node.value > 0 ? 'inf' : '-inf' }
    case 'list':
      return node.items.map(plainValue)
    case 'object':
      return Object.fromEntries([...node.entries].map(([key, item]) => [key, plainValue(item)]))
    case 'null':
      return null
    case 'text':
    case 'bool':
      return node.value
  }
}
