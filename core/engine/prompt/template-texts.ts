import { pyStrip } from '../python-text.ts'
import {
  missingFault,
  is,
  isMap,
  isTrue,
  numberOf,
  safe,
  textOf,
  type Args,
  type Value,
} from './template-values.ts'

function known(value: Value): Value {
  if (is.missing(value)) throw missingFault(value)
  return value
}

/** An argument by its name, else by its place. */
export function arg({ list, named }: Args, at: number, name: string): Value | undefined {
  return named.get(name) ?? list[at]
}

export function count(args: Args, at: number, name: string): number | null {
  const value = arg(args, at, name)
  if (value === undefined) return null
  const number = numberOf(value)
  if (number === null) throw new Error(`${name} has to be a number`)
  return number
}

/** Text filters preserve escaping. */
export const text =
  (change: (text: string) => string): ((value: Value) => Value) =>
  (value) =>
    is.safe(value) ? safe(change(value.text)) : change(textOf(value))

export function truncate(value: Value, args: Args): Value {
  const own = textOf(value)
  const length = count(args, 0, 'length') ?? 255
  const leeway = count(args, 3, 'leeway') ?? 5
  const end = textOf(arg(args, 2, 'end') ?? '...')
  const chars = Array.from(own)
  const least = Array.from(end).length
  if (length < least) throw new Error(`expected length >= ${least}, got ${length}`)
  if (chars.length <= length + leeway) return own
  const cut = chars.slice(0, length - least).join('')
  if (isTrue(arg(args, 1, 'killwords') ?? false)) return cut + end
  return cut.slice(0, cut.includes(' ') ? cut.lastIndexOf(' ') : cut.length) + end
}

export function indented(value: Value, args: Args): Value {
  const width = arg(args, 0, 'width') ?? 4
  const pad =
    typeof width === 'number' ? ' '.repeat(Math.max(0, Math.min(width, 1000))) : textOf(width)
  const isBlank = isTrue(arg(args, 2, 'blank') ?? false)
  const [first = '', ...rest] = textOf(known(value)).split('\n')
  const lines = rest.map((line) => (line === '' && !isBlank ? line : pad + line))
  const start = isTrue(arg(args, 1, 'first') ?? false) ? pad : ''
  return start + [first, ...lines].join('\n')
}

export function replaced(value: Value, args: Args): Value {
  const old = textOf(arg(args, 0, 'old') ?? '')
  const next = textOf(arg(args, 1, 'new') ?? '')
  const most = count(args, 2, 'count')
  const parts = textOf(value).split(old)
  if (old === '') throw new Error('replacing nothing is outside of the subset')
  if (most === null || most < 0) return parts.join(next)
  return parts
    .slice(1)
    .reduce((done, part, at) => done + (at < most ? next : old) + part, parts[0] ?? '')
}

function urlPart(value: Value, isQuery: boolean): string {
  const own = encodeURIComponent(textOf(value)).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return isQuery ? own.replaceAll('%20', '+') : own.replaceAll('%2F', '/')
}

export function urlEncoded(value: Value): Value {
  if (!isMap(value)) return urlPart(value, false)
  return [...value].map(([key, item]) => `${urlPart(key, true)}=${urlPart(item, true)}`).join('&')
}

export function trimmed(value: Value, args: Args): Value {
  const chars = arg(args, 0, 'chars')
  if (chars === undefined || chars === null) return text(pyStrip)(value)
  const set = new Set(Array.from(textOf(chars)))
  const own = Array.from(textOf(value))
  const start = own.findIndex((char) => !set.has(char))
  return start < 0 ? '' : own.slice(start, own.findLastIndex((char) => !set.has(char)) + 1).join('')
}

export function centred(value: Value, args: Args): Value {
  const own = textOf(value)
  const width = Math.min(10_000, count(args, 0, 'width') ?? 80)
  const missing = Math.max(0, width - Array.from(own).length)
  // CPython puts the odd blank in front when the width is odd too.
  const left = Math.floor(missing / 2) + (missing & width & 1)
  return ' '.repeat(left) + own + ' '.repeat(missing - left)
}
