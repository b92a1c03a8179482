import { floatRepr } from '../python-number.ts'
import {
  is,
  isArray,
  isMap,
  orderOf,
  textOf,
  typeName,
  type Value,
  whole,
} from './template-values.ts'

/** A text as `json.dumps` writes it: ASCII only. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

interface Layout {
  /** Blanks of one step; null = all in one line. */
  readonly indent: number | null
  readonly depth: number
}

function block(ends: string, parts: readonly string[], { indent, depth }: Layout): string {
  const [open = '', close = ''] = ends
  if (parts.length === 0 || indent === null) return `${open}${parts.join(', ')}${close}`
  const line = (steps: number) => `\n${' '.repeat(indent * steps)}`
  return `${open}${line(depth + 1)}${parts.join(`,${line(depth + 1)}`)}${line(depth)}${close}`
}

/** A key of JSON is text: `json.dumps` writes a number, true, false or null as its text. */
function keyText(key: Value): string {
  const isText = typeName(key) === 'str'
  const isPlain = key === null || typeof key === 'boolean'
  return isText || !isPlain ? textOf(key) : String(key)
}

function dumped(value: Value, layout: Layout): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number') return String(whole(value))
  if (is.float(value)) return floatRepr(value.value)
  if (typeName(value) === 'str') return quoted(textOf(value))
  const inner = { ...layout, depth: layout.depth + 1 }
  if (isArray(value) || (is.seq(value) && value.kind === 'tuple')) {
    const items = isArray(value) ? value : value.items
    const parts = items.map((item) => dumped(item, inner))
    return block('[]', parts, layout)
  }
  if (!isMap(value)) throw new Error('tojson: this value has no JSON')
  const keys = [...value].toSorted(([a], [b]) => orderOf(a, b))
  const parts = keys.map(([key, item]) => `${quoted(keyText(key))}: ${dumped(item, inner)}`)
  return block('{}', parts, layout)
}

const HTML: Readonly<Record<string, string>> = {
  '<': String.raw`\u003c`,
  '>': String.raw`\u003e`,
  '&': String.raw`\u0026`,
  "'": String.raw`\u0027`,
}

/** The filter `tojson`: sorted keys, and nothing in it that HTML would read. */
export function writtenJson(value: Value, indent: number | null): string {
  const text = dumped(value, { indent: indent === null ? null : Math.min(indent, 100), depth: 0 })
  return text.replace(/[<>&']/g, (char) => HTML[char] ?? char)
}
