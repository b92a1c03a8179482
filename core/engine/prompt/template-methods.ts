import { isBlank, pySplit } from '../python-text.ts'
import {
  type Args,
  fn,
  is,
  isMap,
  itemsOf,
  missing,
  missingFault,
  seq,
  sizeOf,
  textOf,
  typeName,
  type Value,
} from './template-values.ts'

type Method = (text: string, args: readonly Value[]) => Value

const chars = (value: Value | undefined): ReadonlySet<string> | null =>
  value === undefined || value === null ? null : new Set(Array.from(textOf(value)))

function stripped(
  text: string,
  set: ReadonlySet<string> | null,
  ends: 'left' | 'right' | 'both',
): string {
  const own = Array.from(text)
  const stays = (char: string) =>
    set === null ? !isBlank(char.codePointAt(0) ?? 0) : !set.has(char)
  const from = ends === 'right' ? 0 : own.findIndex(stays)
  const to = ends === 'left' ? own.length : own.findLastIndex(stays) + 1
  return from < 0 ? '' : own.slice(from, to).join('')
}

function split(text: string, [by, most]: readonly Value[]): Value {
  if (most !== undefined) throw new Error('split with a limit is outside of the subset')
  return by === undefined || by === null ? pySplit(text) : text.split(textOf(by))
}

/** Every word of letters begins with a capital, as the filter `title` writes it. */
export function titled(text: string): string {
  return text
    .split(/([-\s({[<]+)/u)
    .map((part) => {
      const [first = '', ...rest] = Array.from(part)
      return first.toUpperCase() + rest.join('').toLowerCase()
    })
    .join('')
}

const occurrences = (text: string, part: string): number =>
  part === '' ? Array.from(text).length + 1 : text.split(part).length - 1

/** Like Python, joins only values that are already strings. Throws for others. */
function ownText(value: Value): string {
  if (typeName(value) === 'str') return textOf(value)
  throw new Error(`expected str instance, ${typeName(value)} found`)
}

/** The ends of lines of `str.splitlines`. */
const LINE_END = new RegExp(String.raw`\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]`, 'u')
const LAST_LINE_END = new RegExp(`(?:${LINE_END.source})$`, 'u')

const TEXT: Readonly<Record<string, Method>> = {
  count: (text, [part]) => occurrences(text, textOf(part ?? '')),
  endswith: (text, [part]) => text.endsWith(textOf(part ?? '')),
  find: (text, [part]) => {
    const at = text.indexOf(textOf(part ?? ''))
    return at < 0 ? -1 : Array.from(text.slice(0, at)).length
  },
  isdigit: (text) => /^\p{Nd}+$/u.test(text),
  join: (text, [items]) =>
    itemsOf(items ?? null)
      .map(ownText)
      .join(text),
  lower: (text) => text.toLowerCase(),
  lstrip: (text, [set]) => stripped(text, chars(set), 'left'),
  replace: (text, [old, next, most]) => {
    if (most !== undefined || textOf(old ?? '') === '')
      throw new Error('this replace is outside of the subset; the filter knows it')
    return text.replaceAll(textOf(old ?? ''), () => textOf(next ?? ''))
  },
  rstrip: (text, [set]) => stripped(text, chars(set), 'right'),
  split,
  splitlines: (text) =>
    text
      .replace(LAST_LINE_END, '')
      .split(LINE_END)
      .filter((_, at) => text !== '' || at > 0),
  startswith: (text, [part]) => text.startsWith(textOf(part ?? '')),
  strip: (text, [set]) => stripped(text, chars(set), 'both'),
  upper: (text) => text.toUpperCase(),
  zfill: (text, [width]) => {
    if (typeof width !== 'number') throw new Error('zfill needs a whole number')
    const sign = /^[-+]/.exec(text)?.[0] ?? ''
    return sign + text.slice(sign.length).padStart(Math.min(width, 10_000) - sign.length, '0')
  },
}

type MapMethod = (map: ReadonlyMap<Value, Value>, args: readonly Value[]) => Value

const MAP: Readonly<Record<string, MapMethod>> = {
  get: (map, [key, fallback]) => map.get(key ?? null) ?? fallback ?? null,
  items: (map) =>
    seq(
      'iterator',
      [...map].map((pair) => seq('tuple', pair)),
    ),
  keys: (map) => seq('iterator', [...map.keys()]),
  values: (map) => seq('iterator', [...map.values()]),
}

/** Other members of Python's values. A template that calls one is refused instead of rendering nothing. */
const PYTHON_ONLY =
  /^(?:_.*|append|as_integer_ratio|bit_length|capitalize|casefold|center|clear|conjugate|copy|denominator|encode|expandtabs|extend|format|format_map|from\w+|hex|imag|index|insert|is[a-z]+|ljust|maketrans|numerator|partition|pop|popitem|real|remove|removeprefix|removesuffix|reverse|rfind|rindex|rjust|rpartition|rsplit|setdefault|sort|start|step|stop|swapcase|title|to_bytes|translate|update|count)$/

function method(value: Value, name: string): ((args: Args) => Value) | null {
  const ofText = typeName(value) === 'str' && Object.hasOwn(TEXT, name) ? TEXT[name] : undefined
  if (ofText !== undefined) return ({ list }) => ofText(textOf(value), list)
  const ownMap = isMap(value) && Object.hasOwn(MAP, name) ? MAP[name] : undefined
  return ownMap !== undefined && isMap(value) ? ({ list }) => ownMap(value, list) : null
}

/** `value.name`: a method or a field. A missing member is undefined. Reading a member of an undefined value throws. */
export function memberOf(value: Value, name: string): Value {
  if (is.missing(value)) throw missingFault(value)
  if (is.namespace(value)) return value.fields.get(name) ?? missing(name)
  const own = method(value, name)
  if (own !== null) return fn(own)
  if (isMap(value) && value.has(name) && !PYTHON_ONLY.test(name)) return value.get(name) ?? null
  if (PYTHON_ONLY.test(name) && !(isMap(value) && !isMapOnly(name)))
    throw new Error(`"${name}" of '${typeName(value)}' is outside of the subset`)
  return isMap(value) ? (value.get(name) ?? missing(name)) : missing(name)
}

/** Names that Python's dictionaries have themselves, which hide fields of that name. */
function isMapOnly(name: string): boolean {
  return /^(?:_.*|clear|copy|fromkeys|pop|popitem|setdefault|update)$/.test(name)
}

/** `value[key]`. */
export function attributeOf(value: Value, key: Value): Value {
  if (is.missing(value)) throw missingFault(value)
  if (isMap(value)) {
    const found = value.get(key)
    return found !== undefined || typeof key !== 'string'
      ? (found ?? missing(textOf(key)))
      : memberOf(value, key)
  }
  // True is 1 to Python. An iterator has no places.
  const place = typeof key === 'boolean' ? Number(key) : key
  if (typeof place === 'number' && sizeOf(value) !== null)
    return itemsOf(value).at(place) ?? missing('an item that is not there')
  return typeof key === 'string' ? memberOf(value, key) : missing(textOf(key))
}
