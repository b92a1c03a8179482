import { pyStrip } from '../python-text.ts'
import { calculated, percentFormat, rounded } from './template-numbers.ts'
import {
  type Args,
  escaped,
  escapeText,
  float,
  is,
  isMap,
  isTrue,
  itemsOf,
  missing,
  missingFault,
  numberOf,
  orderOf,
  reprOf,
  safe,
  seq,
  type Seq,
  sizeOf,
  textOf,
  typeName,
  type Value,
  whole,
} from './template-values.ts'
import {
  arg,
  centred,
  count,
  indented,
  replaced,
  text,
  trimmed,
  truncate,
  urlEncoded,
} from './template-texts.ts'
import { attributeOf, titled } from './template-methods.ts'
import { testOf } from './template-tests.ts'
import { writtenJson } from './template-json.ts'

export type Filter = (value: Value, args: Args) => Value

const list =
  (change: (items: readonly Value[], args: Args) => Value): Filter =>
  (value, args) =>
    change(itemsOf(value), args)

const iterator = (items: readonly Value[]): Seq => seq('iterator', items)

function known(value: Value): Value {
  if (is.missing(value)) throw missingFault(value)
  return value
}

function toInt(value: Value, args: Args): Value {
  const fallback = arg(args, 0, 'default') ?? 0
  if (arg(args, 1, 'base') !== undefined)
    throw new Error('int with a base is outside of the subset')
  const number =
    numberOf(known(value)) ?? (typeName(value) === 'str' ? decimal(textOf(value)) : null)
  return number === null || !Number.isFinite(number) ? fallback : whole(Math.trunc(number))
}

function toFloat(value: Value, args: Args): Value {
  const number =
    numberOf(known(value)) ?? (typeName(value) === 'str' ? decimal(textOf(value)) : null)
  return number === null ? (arg(args, 0, 'default') ?? float(0)) : float(number)
}

function decimal(given: string): number | null {
  const own = pyStrip(given)
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(own) ? Number(own) : null
}

/** Text as sorting and `unique` compare it: ignoring case unless `case_sensitive` is set. */
function folded(value: Value, args: Args): Value {
  const isExact = isTrue(args.named.get('case_sensitive') ?? false)
  return !isExact && typeName(value) === 'str' ? textOf(value).toLowerCase() : value
}

function attribute(value: Value, name: Value | undefined): Value {
  if (name === undefined) return value
  return textOf(name)
    .split('.')
    .reduce<Value>((own, part) => attributeOf(own, /^\d+$/.test(part) ? Number(part) : part), value)
}

function sorted(items: readonly Value[], args: Args): Value {
  const key = (item: Value) => folded(attribute(item, arg(args, 2, 'attribute')), args)
  const order = isTrue(arg(args, 0, 'reverse') ?? false) ? -1 : 1
  return items.toSorted((a, b) => order * orderOf(key(a), key(b)))
}

function best(items: readonly Value[], args: Args, sign: number): Value {
  const key = (item: Value) => folded(attribute(item, args.named.get('attribute')), args)
  const [first, ...rest] = items
  if (first === undefined) return missing('an empty list')
  return rest.reduce((top, item) => (sign * orderOf(key(item), key(top)) > 0 ? item : top), first)
}

function unique(items: readonly Value[], args: Args): Value {
  const seen = new Set<string>()
  return iterator(
    items.filter((item) => {
      const key = folded(attribute(item, args.named.get('attribute')), args)
      // 1, 1.0 and True are one value to Python.
      const name = numberOf(key) === null ? reprOf(key) : String(numberOf(key))
      if (seen.has(name)) return false
      seen.add(name)
      return true
    }),
  )
}

function batch(items: readonly Value[], args: Args): Value {
  const size = count(args, 0, 'linecount') ?? 1
  if (size < 1) throw new Error('batches of nothing are outside of the subset')
  const fill = arg(args, 1, 'fill_with')
  const rows = Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, at * size + size),
  )
  if (fill === undefined) return iterator(rows)
  return iterator(
    rows.map((row) => [...row, ...Array.from({ length: size - row.length }, () => fill)]),
  )
}

function slice(items: readonly Value[], args: Args): Value {
  const slices = Math.max(1, count(args, 0, 'slices') ?? 1)
  const fill = arg(args, 1, 'fill_with')
  const each = Math.floor(items.length / slices)
  const extra = items.length % slices
  return iterator(
    Array.from({ length: slices }, (_, at) => {
      const start = at * each + Math.min(at, extra)
      const part = items.slice(start, start + each + (at < extra ? 1 : 0))
      return fill !== undefined && at >= extra ? [...part, fill] : part
    }),
  )
}

function mapped(items: readonly Value[], args: Args): Value {
  const name = args.named.get('attribute')
  if (name !== undefined) {
    const fallback = args.named.get('default')
    const take = (item: Value) => attribute(item, name)
    return iterator(
      items.map((item) => {
        const own = take(item)
        return is.missing(own) && fallback !== undefined ? fallback : own
      }),
    )
  }
  const filter = filterOf(textOf(args.list[0] ?? ''))
  const rest = { list: args.list.slice(1), named: args.named }
  return iterator(items.map((item) => filter(item, rest)))
}

/** `select`, `reject` and, of a field, `selectattr`, `rejectattr`. */
const selecting =
  (keep: boolean, byField: boolean): Filter =>
  (value, { list: given }) => {
    const [name, ...values] = byField ? given.slice(1) : given
    const passes = (item: Value): boolean => {
      const own = byField ? attribute(item, given[0]) : item
      return name === undefined ? isTrue(own) : testOf(textOf(name))(own, values)
    }
    return iterator(itemsOf(value).filter((item) => passes(item) === keep))
  }

function joined(items: readonly Value[], args: Args): Value {
  const own = items.map((item) => attribute(item, arg(args, 1, 'attribute')))
  return own.map(textOf).join(textOf(arg(args, 0, 'd') ?? ''))
}

function pairs(value: Value): readonly Value[] {
  if (is.missing(value)) return []
  if (!isMap(value)) throw new Error('only a mapping has items')
  return [...value].map((pair) => seq('tuple', pair))
}

function dictSorted(value: Value, args: Args): Value {
  const at = textOf(arg(args, 1, 'by') ?? 'key') === 'value' ? 1 : 0
  const isExact = isTrue(arg(args, 0, 'case_sensitive') ?? false)
  const order = isTrue(arg(args, 2, 'reverse') ?? false) ? -1 : 1
  const named = new Map<string, Value>([['case_sensitive', isExact]])
  const key = (pair: Value) => folded(itemsOf(pair)[at] ?? null, { list: [], named })
  return pairs(known(value)).toSorted((a, b) => order * orderOf(key(a), key(b)))
}

function absolute(value: Value): Value {
  const number = numberOf(known(value))
  if (number === null) throw new Error(`bad operand type for abs(): '${typeName(value)}'`)
  return is.float(value) ? float(Math.abs(number)) : Math.abs(number)
}

function lengthOf(value: Value): Value {
  const size = sizeOf(value)
  if (size === null) throw new Error(`object of type '${typeName(value)}' has no length`)
  return size
}

function fallbackOf(value: Value, args: Args): Value {
  const fallback = arg(args, 0, 'default_value') ?? ''
  const isEmptyToo = isTrue(arg(args, 1, 'boolean') ?? false)
  return is.missing(value) || (isEmptyToo && !isTrue(value)) ? fallback : value
}

function reversed(value: Value): Value {
  if (typeName(value) === 'str') return Array.from(textOf(value)).reverse().join('')
  return iterator(itemsOf(value).toReversed())
}

function total(items: readonly Value[], args: Args): Value {
  const start = arg(args, 1, 'start') ?? 0
  const own = items.map((item) => attribute(item, arg(args, 0, 'attribute')))
  return own.reduce<Value>((sum, item) => calculated('+', sum, item), start)
}

const end = (items: readonly Value[], at: number): Value => items.at(at) ?? missing('an empty list')

/** [L13] Filters of Jinja2. Those that are not here are refused by name. */
const FILTERS: Readonly<Record<string, Filter>> = {
  abs: absolute,
  batch: list(batch),
  capitalize: text((own) => {
    const [first = '', ...rest] = Array.from(own)
    return first.toUpperCase() + rest.join('').toLowerCase()
  }),
  center: centred,
  count: lengthOf,
  d: fallbackOf,
  default: fallbackOf,
  dictsort: dictSorted,
  e: escaped,
  escape: escaped,
  first: list((items) => end(items, 0)),
  float: toFloat,
  forceescape: (value) => safe(escapeText(textOf(value))),
  format: (value, args) => percentFormat(textOf(value), args),
  indent: indented,
  int: toInt,
  items: (value) => iterator(pairs(value)),
  join: list(joined),
  last: list((items) => end(items, -1)),
  length: lengthOf,
  list: list((items) => [...items]),
  lower: text((own) => own.toLowerCase()),
  map: list(mapped),
  max: list((items, args) => best(items, args, 1)),
  min: list((items, args) => best(items, args, -1)),
  reject: selecting(false, false),
  rejectattr: selecting(false, true),
  replace: replaced,
  reverse: reversed,
  round: (value, args) =>
    rounded(value, count(args, 0, 'precision') ?? 0, textOf(arg(args, 1, 'method') ?? 'common')),
  safe: (value) => safe(textOf(value)),
  select: selecting(true, false),
  selectattr: selecting(true, true),
  slice: list(slice),
  sort: list(sorted),
  string: (value) => (is.safe(value) ? value : textOf(value)),
  sum: list(total),
  title: text(titled),
  tojson: (value, args) => safe(writtenJson(known(value), count(args, 0, 'indent'))),
  trim: trimmed,
  truncate,
  unique: list(unique),
  upper: text((own) => own.toUpperCase()),
  urlencode: urlEncoded,
  wordcount: (value) => (textOf(value).match(/[\p{L}\p{N}_]+/gu) ?? []).length,
}

/** Every filter that a template names must be known here, even if it is never reached. */
export function filterOf(name: string): Filter {
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined
  if (filter === undefined) throw new Error(`the filter "${name}" is outside of the subset`)
  return filter
}
