import { filterOf } from './template-filters.ts'
import { attributeOf, memberOf } from './template-methods.ts'
import { calculated, signed } from './template-numbers.ts'
import { isIn, testOf } from './template-tests.ts'
import {
  type Args,
  chargeFor,
  float,
  is,
  isArray,
  isEqual,
  isMap,
  isTrue,
  itemsOf,
  missing,
  missingFault,
  orderOf,
  seq,
  textOf,
  typeName,
  type Value,
  whole,
} from './template-values.ts'

export type Node = Readonly<Record<string, unknown>>

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** Names and the scope around them. */
export interface Scope {
  readonly names: Map<string, Value>
  readonly outer: Scope | null
}

export interface Run {
  /** Remaining evaluation steps. Limited because templates come from workspaces, and nested loops may never end. */
  steps: number
  chars: number
  /** Items and letters that filters, calls and operators may still go through [F214]. */
  work: number
}

export const MOST_STEPS = 400_000
export const MOST_WORK = 10_000_000
/** Names that Jinja2 has and this subset has not: refused, since they are not empty there. */
const OUTSIDE: ReadonlySet<string> = new Set(['cycler', 'joiner', 'lipsum', 'self'])

export function node(value: unknown): Node {
  if (isNode(value)) return value
  throw new Error('this is outside of the subset')
}

export function nodes(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.map(node) : []
}

export const kind = (of: Node): string => String(of['type'])
export const word = (of: Node): string => String(of['value'])
const operator = (of: Node): string => String(node(of['operator'])['value'])

export function inside(scope: Scope): Scope {
  return { names: new Map(), outer: scope }
}

function lookUp(name: string, scope: Scope | null): Value {
  for (let at = scope; at !== null; at = at.outer) {
    const found = at.names.get(name)
    if (found !== undefined) return found
  }
  if (OUTSIDE.has(name)) throw new Error(`"${name}" is outside of the subset`)
  return missing(name)
}

type Evaluate = (of: Node, scope: Scope, run: Run) => Value

const literals = (of: Node, scope: Scope, run: Run): readonly Value[] =>
  nodes(of['value']).map((item) => evaluate(item, scope, run))

function comparison(sign: string, a: Value, b: Value): Value {
  if (sign === '==') return isEqual(a, b)
  if (sign === '!=') return !isEqual(a, b)
  if (sign === 'in') return isIn(a, b)
  if (sign === 'not in') return !isIn(a, b)
  const order = orderOf(a, b)
  if (sign === '<') return order < 0
  if (sign === '<=') return order <= 0
  return sign === '>' ? order > 0 : order >= 0
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', 'not in'])

function binary(of: Node, scope: Scope, run: Run): Value {
  const sign = operator(of)
  const left = node(of['left'])
  const right = (): Value => evaluate(node(of['right']), scope, run)
  // Python reads a < b < c as a < b and b < c; the parser does not say which brackets were written.
  const isChain = kind(left) === 'BinaryExpression' && COMPARISONS.has(operator(left))
  if (COMPARISONS.has(sign) && isChain)
    throw new Error('several comparisons in a row are outside of the subset')
  const a = evaluate(left, scope, run)
  if (sign === 'and') return isTrue(a) ? right() : a
  if (sign === 'or') return isTrue(a) ? a : right()
  const b = right()
  for (const each of [a, b]) chargeFor(each, run)
  if (COMPARISONS.has(sign)) return comparison(sign, a, b)
  const result = sign === '~' ? textOf(a) + textOf(b) : calculated(sign, a, b)
  if (typeof result === 'string') run.work -= Math.floor(result.length / 16)
  else if (isArray(result)) run.work -= result.length
  return result
}

export function argsOf(given: unknown, scope: Scope, run: Run): Args {
  const list: Value[] = []
  const named = new Map<string, Value>()
  for (const each of nodes(given)) {
    if (kind(each) === 'KeywordArgumentExpression')
      named.set(word(node(each['key'])), evaluate(node(each['value']), scope, run))
    else if (kind(each) === 'SpreadExpression')
      list.push(...itemsOf(evaluate(node(each['argument']), scope, run)))
    else list.push(evaluate(each, scope, run))
  }
  return { list, named }
}

export function called(value: Value, args: Args): Value {
  if (is.fn(value)) return value.call(args)
  const what = is.missing(value)
    ? `'${value.name}' is undefined`
    : `'${typeName(value)}' object is not callable`
  throw new Error(what)
}

function filterParts(of: unknown): { readonly name: string; readonly args: unknown } {
  const filter = node(of)
  if (kind(filter) !== 'CallExpression') return { name: word(filter), args: [] }
  return { name: word(node(filter['callee'])), args: filter['args'] }
}

export function filtered(value: Value, filter: unknown, scope: Scope, run: Run): Value {
  const { name, args } = filterParts(filter)
  const given = argsOf(args, scope, run)
  for (const each of [value, ...given.list]) chargeFor(each, run)
  return filterOf(name)(value, given)
}

function bound(value: unknown, scope: Scope, run: Run): number | null {
  if (value === undefined) return null
  const own = evaluate(node(value), scope, run)
  if (own === null || typeof own === 'number') return own
  throw new Error('slice indices must be integers or None')
}

/** A dictionary and an iterator have items, but no places. */
function slicedItems(value: Value): readonly Value[] {
  if (is.missing(value)) throw missingFault(value)
  if (isMap(value) || (is.seq(value) && value.kind === 'iterator'))
    throw new Error(`'${typeName(value)}' object cannot be sliced`)
  return itemsOf(value)
}

function sliced(value: Value, slice: Node, scope: Scope, run: Run): Value {
  const items = slicedItems(value)
  const step = bound(slice['step'], scope, run) ?? 1
  if (step === 0) throw new Error('slice step cannot be zero')
  const limit = (at: number | null, fallback: number): number => {
    if (at === null) return fallback
    const own = at < 0 ? at + items.length : at
    return step > 0
      ? Math.min(Math.max(own, 0), items.length)
      : Math.min(Math.max(own, -1), items.length - 1)
  }
  const start = limit(bound(slice['start'], scope, run), step > 0 ? 0 : items.length - 1)
  const stop = limit(bound(slice['stop'], scope, run), step > 0 ? items.length : -1)
  const taken: Value[] = []
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) taken.push(items[at] ?? null)
  if (typeName(value) === 'str') return taken.map(textOf).join('')
  return isArray(value) ? taken : seq(is.seq(value) ? value.kind : 'tuple', taken)
}

function member(of: Node, scope: Scope, run: Run): Value {
  const value = evaluate(node(of['object']), scope, run)
  // A method goes through the text that it is of.
  if (typeof value === 'string') chargeFor(value, run)
  const property = node(of['property'])
  if (of['computed'] !== true && kind(property) === 'IntegerLiteral')
    return attributeOf(value, whole(Number(property['value'])))
  if (of['computed'] !== true && kind(property) !== 'Identifier')
    throw new Error('a number with a point behind a dot is outside of the subset')
  if (of['computed'] !== true) return memberOf(value, word(property))
  if (kind(property) === 'SliceExpression') return sliced(value, property, scope, run)
  return attributeOf(value, evaluate(property, scope, run))
}

function ternary(of: Node, scope: Scope, run: Run): Value {
  const isMet = isTrue(evaluate(node(of['condition']), scope, run))
  return evaluate(node(of[isMet ? 'trueExpr' : 'falseExpr']), scope, run)
}

const EXPRESSIONS: Readonly<Record<string, Evaluate>> = {
  ArrayLiteral: literals,
  BinaryExpression: binary,
  CallExpression: (of, scope, run) => {
    const callee = evaluate(node(of['callee']), scope, run)
    const args = argsOf(of['args'], scope, run)
    for (const each of args.list) chargeFor(each, run)
    return called(callee, args)
  },
  FilterExpression: (of, scope, run) =>
    filtered(evaluate(node(of['operand']), scope, run), of['filter'], scope, run),
  FloatLiteral: (of) => float(Number(of['value'])),
  Identifier: (of, scope) => lookUp(word(of), scope),
  IntegerLiteral: (of) => whole(Number(of['value'])),
  MemberExpression: member,
  ObjectLiteral: (of, scope, run) => {
    const pairs =
      of['value'] instanceof Map ? [...(of['value'] as ReadonlyMap<unknown, unknown>)] : [] // a map of nodes, as parsed
    return new Map(
      pairs.map(([key, value]) => [
        evaluate(node(key), scope, run),
        evaluate(node(value), scope, run),
      ]),
    )
  },
  SelectExpression: (of, scope, run) =>
    isTrue(evaluate(node(of['test']), scope, run))
      ? evaluate(node(of['lhs']), scope, run)
      : missing('nothing'),
  StringLiteral: (of) => word(of),
  Ternary: ternary,
  TestExpression: (of, scope, run) => {
    const passes = testOf(word(node(of['test'])))(evaluate(node(of['operand']), scope, run), [])
    return passes !== (of['negate'] === true)
  },
  TupleLiteral: (of, scope, run) => seq('tuple', literals(of, scope, run)),
  UnaryExpression: (of, scope, run) => {
    const value = evaluate(node(of['argument']), scope, run)
    return operator(of) === 'not' ? !isTrue(value) : signed(operator(of), value)
  },
}

/** Charges one step of a template's budget. */
export function charge(run: Run): void {
  run.steps--
  if (run.steps < 0) throw new Error('the template does too much: it was stopped')
}

export function evaluate(of: Node, scope: Scope, run: Run): Value {
  charge(run)
  const expression = EXPRESSIONS[kind(of)]
  if (expression === undefined) throw new Error(`${kind(of)} is outside of the subset`)
  return expression(of, scope, run)
}
