import {
  type Args,
  float,
  is,
  isArray,
  isMap,
  missingFault,
  numberOf,
  reprOf,
  seq,
  textOf,
  typeName,
  type Value,
  whole,
} from './template-values.ts'

/** Rounds half to even if a double is exactly in between, else to the nearest, like Python. */
function fixed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits)
  const exact = Math.abs(value).toFixed(100)
  const rest = exact.slice(exact.indexOf('.') + 1 + digits)
  const isTie = digits < 100 && /^50*$/.test(rest)
  const isUp = isTie && Number(text.replace('.', '').at(-1)) % 2 === 1
  const even = isUp ? stepDown(text) : text
  return value < 0 || Object.is(value, -0) ? `-${even}` : even
}

/** One unit less in the last place: `toFixed` rounds a tie up, to an odd digit. */
function stepDown(text: string): string {
  const last = Number(text.at(-1))
  return `${text.slice(0, -1)}${last - 1}`
}

function roundedBy(value: number, digits: number): number {
  if (digits >= 0) return Number(fixed(value, Math.min(digits, 99)))
  const power = 10 ** -digits
  return Number(fixed(value / power, 0)) * power
}

/** The filter `round`: an int stays one only under the method `common`. */
export function rounded(value: Value, digits: number, method: string): Value {
  const number = numberOf(value)
  if (is.missing(value)) throw missingFault(value)
  if (number === null) throw new Error(`type ${typeName(value)} cannot be rounded`)
  const power = 10 ** digits
  if (method === 'ceil') return float(Math.ceil(number * power) / power)
  if (method === 'floor') return float(Math.floor(number * power) / power)
  if (method !== 'common') throw new Error('method must be common, ceil or floor')
  return is.float(value) ? float(roundedBy(number, digits)) : whole(roundedBy(number, digits))
}

type Write = (value: Value, precision: number | null) => string

function asNumber(value: Value): number {
  const number = numberOf(value)
  if (is.missing(value)) throw missingFault(value)
  if (number === null) throw new Error(`a number is required, not ${typeName(value)}`)
  return number
}

const inBase =
  (base: number): Write =>
  (value) => {
    if (is.float(value)) throw new Error('an integer is required, not float')
    return asNumber(value).toString(base)
  }
const decimal: Write = (value) => String(Math.trunc(asNumber(value)))
const cut = (text: string, precision: number | null): string =>
  precision === null ? text : Array.from(text).slice(0, precision).join('')
const asFixed: Write = (value, precision) => fixed(asNumber(value), precision ?? 6)
const exponent: Write = (value, precision) =>
  asNumber(value)
    .toExponential(precision ?? 6)
    .replace(/e([+-])(\d)$/, 'e$10$2')

const CONVERSIONS: Readonly<Record<string, Write>> = {
  s: (value, precision) => cut(textOf(value), precision),
  r: (value, precision) => cut(reprOf(value), precision),
  d: decimal,
  i: decimal,
  u: decimal,
  f: asFixed,
  F: asFixed,
  e: exponent,
  x: inBase(16),
  o: inBase(8),
}

const DIRECTIVE = /%(?:\((\w*)\))?([-+ 0#]*)(\d*)(?:\.(\d+))?(.|$)/gsu

function padded(text: string, flags: string, width: number, isNumber: boolean): string {
  const sign = flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const signed = isNumber && !text.startsWith('-') ? `${sign}${text}` : text
  const missing = Math.max(0, width - Array.from(signed).length)
  if (flags.includes('-')) return signed + ' '.repeat(missing)
  if (!flags.includes('0') || !isNumber) return ' '.repeat(missing) + signed
  const digits = signed.search(/\d/)
  return `${signed.slice(0, digits)}${'0'.repeat(missing)}${signed.slice(digits)}`
}

const MOST = 10_000

/** `pattern % values` as in Python. Unsupported conversions throw. */
export function percentFormat(pattern: string, args: Args): string {
  let next = 0
  const given = (key: string | undefined): Value => {
    const value = key === undefined ? args.list[next++] : args.named.get(key)
    if (value !== undefined) return value
    throw new Error(
      key === undefined ? 'not enough arguments for format string' : `no value '${key}'`,
    )
  }
  const text = pattern.replace(DIRECTIVE, (...found: ReadonlyArray<string | undefined>) => {
    const [all, key, flags = '', width = '', precision, kind = ''] = found
    if (kind === '%') return '%'
    const write = Object.hasOwn(CONVERSIONS, kind) ? CONVERSIONS[kind] : undefined
    const isPlain = !flags.includes('#') && Number(width) <= MOST && Number(precision ?? 0) <= 99
    if (write === undefined || !isPlain)
      throw new Error(`the format "${all}" is outside of the subset`)
    const written = write(given(key), precision === undefined ? null : Number(precision))
    return padded(written, flags, Number(width), !'sr'.includes(kind))
  })
  if (args.named.size === 0 && next < args.list.length)
    throw new Error('not all arguments converted during string formatting')
  return text
}

/** `text % value`: a tuple gives several values, a dictionary named ones. */
function percentOf(pattern: string, value: Value): string {
  if (is.seq(value)) return percentFormat(pattern, { list: value.items, named: new Map() })
  if (isMap(value)) {
    const named = new Map([...value].map(([key, item]) => [textOf(key), item]))
    return percentFormat(pattern, { list: [], named })
  }
  return percentFormat(pattern, { list: [value], named: new Map() })
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '//': (a, b) => Math.floor(a / b),
  '%': (a, b) => a - Math.floor(a / b) * b,
  '**': (a, b) => a ** b,
}

function numbers(operator: string, [a, b]: readonly [Value, Value]): Value {
  const left = asNumber(a)
  const right = asNumber(b)
  if (['/', '//', '%'].includes(operator) && right === 0) throw new Error('division by zero')
  if (operator === '/') return float(left / right)
  const result = ARITHMETIC[operator]?.(left, right)
  if (result === undefined) throw new Error(`operator "${operator}" is outside of the subset`)
  const isFloat = is.float(a) || is.float(b) || (operator === '**' && right < 0)
  return isFloat ? float(result) : whole(result)
}

const LONGEST = 1_000_000

function repeated(value: Value, times: number): Value {
  const count = Math.max(0, times)
  const size = isArray(value)
    ? value.length
    : is.seq(value)
      ? value.items.length
      : textOf(value).length
  if (size * count > LONGEST) throw new Error(`repeated ${times} times it is too long`)
  if (isArray(value)) return Array.from({ length: count }, () => value).flat()
  if (is.seq(value)) return seq('tuple', Array.from({ length: count }, () => value.items).flat())
  return textOf(value).repeat(count)
}

const isText = (value: Value): boolean => typeName(value) === 'str'
const isPart = (value: Value): boolean => isText(value) || isArray(value) || is.seq(value)

function added(a: Value, b: Value): Value | null {
  if (isText(a) && isText(b)) {
    if (is.safe(a) || is.safe(b)) throw new Error('adding to escaped text is outside of the subset')
    return textOf(a) + textOf(b)
  }
  if (isArray(a) && isArray(b)) return [...a, ...b]
  return is.seq(a) && is.seq(b) ? seq('tuple', [...a.items, ...b.items]) : null
}

/** `a + b` and its like, as Python calculates. */
export function calculated(operator: string, a: Value, b: Value): Value {
  for (const value of [a, b]) if (is.missing(value)) throw missingFault(value)
  return calculatedKnown(operator, a, b)
}

function calculatedKnown(operator: string, a: Value, b: Value): Value {
  if (operator === '%' && isText(a)) return percentOf(textOf(a), b)
  const sum = operator === '+' ? added(a, b) : null
  if (sum !== null) return sum
  if (operator === '*' && isPart(a) && typeof b === 'number') return repeated(a, b)
  if (operator === '*' && isPart(b) && typeof a === 'number') return repeated(b, a)
  if (numberOf(a) === null || numberOf(b) === null)
    throw new Error(
      `unsupported operand types for ${operator}: '${typeName(a)}' and '${typeName(b)}'`,
    )
  return numbers(operator, [a, b])
}

/** `-a`, `+a`. */
export function signed(operator: string, value: Value): Value {
  const number = asNumber(value)
  const result = operator === '-' ? -number : number
  return is.float(value) ? float(result) : whole(result)
}
