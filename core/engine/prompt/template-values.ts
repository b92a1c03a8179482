import { floatRepr } from '../python-number.ts'

/** A number that Python writes with a point. */
export interface Float {
  readonly tag: 'float'
  readonly value: number
}

/** Text that is escaped already (`Markup`). */
export interface Safe {
  readonly tag: 'safe'
  readonly text: string
}

/** An undefined value: empty if Jinja2 makes it empty, an error if Jinja2 raises one. */
export interface Missing {
  readonly tag: 'missing'
  readonly name: string
}

/** A tuple, a range, or an iterator. An iterator has no text form. */
export interface Seq {
  readonly tag: 'seq'
  readonly kind: 'tuple' | 'iterator' | 'range'
  readonly items: readonly Value[]
  readonly text: string
}

export interface Fn {
  readonly tag: 'fn'
  readonly call: (args: Args) => Value
}

/** `namespace()`: the one thing whose fields a template may set. */
export interface Namespace {
  readonly tag: 'namespace'
  readonly fields: Map<string, Value>
}

type Tagged = Float | Safe | Missing | Seq | Fn | Namespace

export type Value =
  null | boolean | number | string | Tagged | readonly Value[] | ReadonlyMap<Value, Value>

/** Marks floats that were made here: JSON cannot hold it. */
const MADE = Symbol('float of Python')

export const float = (value: number): Float => {
  const made = { tag: 'float', value, [MADE]: true } as const
  return made
}

function isMadeFloat(given: unknown): given is Float {
  return typeof given === 'object' && given !== null && MADE in given
}
export const safe = (text: string): Safe => ({ tag: 'safe', text })
export const missing = (name: string): Missing => ({ tag: 'missing', name })
export const fn = (call: (args: Args) => Value): Fn => ({ tag: 'fn', call })
export const namespace = (fields: Map<string, Value>): Namespace => ({ tag: 'namespace', fields })
export const seq = (kind: Seq['kind'], items: readonly Value[], text = ''): Seq => ({
  tag: 'seq',
  kind,
  items,
  text,
})

function hasTag(value: Value, tag: Tagged['tag']): boolean {
  return typeof value === 'object' && value !== null && 'tag' in value && value.tag === tag
}

export const is = {
  float: (value: Value): value is Float => hasTag(value, 'float'),
  safe: (value: Value): value is Safe => hasTag(value, 'safe'),
  missing: (value: Value): value is Missing => hasTag(value, 'missing'),
  seq: (value: Value): value is Seq => hasTag(value, 'seq'),
  fn: (value: Value): value is Fn => hasTag(value, 'fn'),
  namespace: (value: Value): value is Namespace => hasTag(value, 'namespace'),
} as const

/** Arguments of a call: by position, and by name. */
export interface Args {
  readonly list: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

export function isMap(value: unknown): value is ReadonlyMap<Value, Value> {
  return value instanceof Map
}

export function isArray(value: unknown): value is readonly Value[] {
  return Array.isArray(value)
}

/** A value of the caller's context. Of numbers only those with a fraction are floats: JSON does not say more. */
export function valueOf(given: unknown): Value {
  if (isMadeFloat(given)) return given
  if (given === null || typeof given === 'boolean' || typeof given === 'string') return given
  if (typeof given === 'number') return Number.isInteger(given) ? given : float(given)
  if (Array.isArray(given)) return given.map(valueOf)
  if (given instanceof Map)
    return new Map([...given].map(([key, item]) => [valueOf(key), valueOf(item)]))
  if (typeof given === 'object')
    return new Map(Object.entries(given).map(([key, item]) => [key, valueOf(item)]))
  return missing('value')
}

export function missingFault(value: Missing): Error {
  return new Error(`'${value.name}' is undefined`)
}

const TYPES: ReadonlyArray<readonly [string, (value: Value) => boolean]> = [
  ['NoneType', (value) => value === null],
  ['bool', (value) => typeof value === 'boolean'],
  ['int', (value) => typeof value === 'number'],
  ['str', (value) => typeof value === 'string' || is.safe(value)],
  ['float', (value) => is.float(value)],
  ['list', isArray],
  ['dict', isMap],
  ['tuple', (value) => is.seq(value) && value.kind === 'tuple'],
  ['range', (value) => is.seq(value) && value.kind === 'range'],
  ['generator', (value) => is.seq(value)],
]

export function typeName(value: Value): string {
  return TYPES.find(([, is]) => is(value))?.[0] ?? 'object'
}

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu
const NAMED: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
}

function escapeUnseen(char: string): string {
  const code = char.codePointAt(0) ?? 0
  const hex = (length: number) => code.toString(16).padStart(length, '0')
  if (code < 0x100) return NAMED[char] ?? `\\x${hex(2)}`
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`
}

/** As Python's `repr` writes a text. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll('\\', '\\\\').replace(UNSEEN, escapeUnseen)
  return `${quote}${quote === "'" ? escaped.replaceAll("'", String.raw`\'`) : escaped}${quote}`
}

/** As Python's `repr` writes a value. */
export function reprOf(value: Value): string {
  const text = shortRepr(value)
  return text ?? textOf(value)
}

function shortRepr(value: Value): string | null {
  if (typeof value === 'string') return quoted(value)
  if (is.safe(value)) return `Markup(${quoted(value.text)})`
  return is.missing(value) ? 'Undefined' : null
}

/** The same of an item of a list, whose size was charged with the list. */
function itemRepr(value: Value): string {
  const text = shortRepr(value)
  if (text !== null) return text
  const isList = isArray(value) || isMap(value) || is.seq(value)
  return isList ? listText(value) : textOf(value)
}

/** As Python's `str` writes a value; an undefined one is empty. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value
  if (is.safe(value)) return value.text
  if (is.missing(value)) return ''
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return String(whole(value))
  if (is.float(value)) return floatRepr(value.value)
  if (is.seq(value) && value.text !== '') return value.text
  chargeFor(value, { work: MOST_TEXT })
  return listText(value)
}

function listText(value: Exclude<Value, null | boolean | number | string>): string {
  if (isArray(value)) return `[${value.map(itemRepr).join(', ')}]`
  if (isMap(value))
    return `{${[...value].map(([key, item]) => `${itemRepr(key)}: ${itemRepr(item)}`).join(', ')}}`
  if (is.seq(value) && value.text !== '') return value.text
  if (is.seq(value) && value.kind === 'tuple') {
    const items = value.items.map(itemRepr).join(', ')
    return value.items.length === 1 ? `(${items},)` : `(${items})`
  }
  const what = is.seq(value) ? 'an iterator (add `| list`)' : 'a function or namespace'
  throw new Error(`${what} has no text of its own`)
}

export function isTrue(value: Value): boolean {
  if (value === null || is.missing(value)) return false
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') return value !== 0
  if (is.float(value)) return value.value !== 0
  if (is.seq(value)) return value.kind === 'iterator' || value.items.length > 0
  const size = sizeOf(value)
  return size === null || size > 0
}

/** Units of work for the text of one value. */
const MOST_TEXT = 16_000_000

/**
 * [F214] Takes the size of a value from what may still be done, before anything is built from it: a list of lists that
 * share their items is small in memory and may be larger than any memory as text.
 * @throws Error if nothing is left
 */
export function chargeFor(value: Value, budget: { work: number }): void {
  const size = typeof value === 'string' ? value.length : is.safe(value) ? value.text.length : 0
  budget.work -= 1 + Math.floor(size / 16)
  if (budget.work < 0) throw new Error('the template does too much: it was stopped')
  if (isArray(value)) for (const item of value) chargeFor(item, budget)
  else if (is.seq(value)) for (const item of value.items) chargeFor(item, budget)
  else if (isMap(value))
    for (const [key, item] of value) {
      chargeFor(key, budget)
      chargeFor(item, budget)
    }
}

/** Number of items; null if a value has none. */
export function sizeOf(value: Value): number | null {
  if (is.missing(value)) return 0
  if (typeof value === 'string' || is.safe(value)) return Array.from(textOf(value)).length
  if (isArray(value)) return value.length
  if (isMap(value)) return value.size
  return is.seq(value) && value.kind !== 'iterator' ? value.items.length : null
}

/** The items that a loop or filter visits; none for an undefined value. */
export function itemsOf(value: Value): readonly Value[] {
  if (is.missing(value)) return []
  if (isArray(value)) return value
  if (is.seq(value)) return value.items
  if (isMap(value)) return [...value.keys()]
  if (typeof value === 'string' || is.safe(value)) return Array.from(textOf(value))
  throw new Error(`'${typeName(value)}' object is not iterable`)
}

/** A number, or null; Python counts True as 1. */
export function numberOf(value: Value): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return whole(value)
  return is.float(value) ? value.value : null
}

/** Whole numbers are exact up to 2⁵³; beyond, Python's differ, so the template is refused. */
export function whole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is beyond whole numbers`)
  return value === 0 ? 0 : value
}

function equalMaps(a: ReadonlyMap<Value, Value>, b: ReadonlyMap<Value, Value>): boolean {
  return (
    a.size === b.size &&
    [...a].every(([key, item]) => b.has(key) && isEqual(item, b.get(key) ?? null))
  )
}

export function isEqual(a: Value, b: Value): boolean {
  const first = numberOf(a)
  const second = numberOf(b)
  if (first !== null || second !== null) return first === second
  return is.missing(a) || is.missing(b) ? is.missing(a) && is.missing(b) : isSame(a, b)
}

/** A tuple or range, which is equal to another one of its kind; an iterator is only ever equal to itself. */
function isCounted(value: Value): value is Seq {
  return is.seq(value) && value.kind !== 'iterator'
}

function isSame(a: Value, b: Value): boolean {
  if (typeName(a) !== typeName(b)) return false
  if (typeName(a) === 'str') return textOf(a) === textOf(b)
  if (isMap(a) && isMap(b)) return equalMaps(a, b)
  if ((isArray(a) && isArray(b)) || (isCounted(a) && isCounted(b))) {
    const left = itemsOf(a)
    const right = itemsOf(b)
    return (
      left.length === right.length && left.every((item, at) => isEqual(item, right[at] ?? null))
    )
  }
  return a === b
}

function codePointOrder(a: string, b: string): number {
  const left = Array.from(a)
  const right = Array.from(b)
  const at = left.findIndex((char, index) => char !== right[index])
  if (at < 0) return left.length - right.length
  const other = right[at]
  return other === undefined ? 1 : (left[at]?.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0)
}

/** Below zero where `a` comes first. What Python does not order is refused. */
export function orderOf(a: Value, b: Value): number {
  for (const value of [a, b]) if (is.missing(value)) throw missingFault(value)
  const first = numberOf(a)
  const second = numberOf(b)
  if (first !== null && second !== null) return first - second
  if (typeName(a) === 'str' && typeName(b) === 'str') return codePointOrder(textOf(a), textOf(b))
  if (typeName(a) === typeName(b) && (isArray(a) || typeName(a) === 'tuple')) {
    const left = itemsOf(a)
    const right = itemsOf(b)
    const at = left.findIndex(
      (item, index) => index >= right.length || !isEqual(item, right[index] ?? null),
    )
    if (at < 0) return left.length - right.length
    return at >= right.length ? 1 : orderOf(left[at] ?? null, right[at] ?? null)
  }
  throw new Error(`'${typeName(a)}' and '${typeName(b)}' have no order`)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
}

export function escapeText(text: string): string {
  return text.replace(/[&<>'"]/g, (char) => ESCAPES[char] ?? char)
}

/** Text that is escaped stays so, anything else is escaped now. */
export function escaped(value: Value): Safe {
  return is.safe(value) ? value : safe(escapeText(textOf(value)))
}
