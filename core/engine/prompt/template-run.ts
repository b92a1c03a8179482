import {
  argsOf,
  charge,
  called,
  evaluate,
  filtered,
  inside,
  kind,
  MOST_STEPS,
  MOST_WORK,
  node,
  nodes,
  word,
  isNode,
  type Node,
  type Run,
  type Scope,
} from './template-expressions.ts'
import {
  chargeFor,
  isMap,
  fn,
  is,
  isEqual,
  isTrue,
  itemsOf,
  missing,
  namespace,
  numberOf,
  seq,
  textOf,
  valueOf,
  type Args,
  type Value,
} from './template-values.ts'

const MOST_CHARS = 16_000_000
const MOST_RANGE = 100_000

type Execute = (of: Node, scope: Scope, run: Run) => string

function body(list: unknown, scope: Scope, run: Run): string {
  let text = ''
  for (const each of nodes(list)) {
    const statement = STATEMENTS[kind(each)]
    // A literal text of the template and a printed text are the same node.
    const part =
      statement === undefined
        ? printed(evaluate(each, scope, run), run)
        : statement(each, scope, run)
    run.chars -= part.length
    if (run.chars < 0) throw new Error('the text of the template becomes too long')
    text += part
  }
  return text
}

/** [F214] Charged before it is built. */
function printed(value: Value, run: Run): string {
  if (typeof value !== 'string') chargeFor(value, run)
  return textOf(value)
}

function assign(target: Node, value: Value, scope: Scope, run: Run): void {
  if (kind(target) === 'Identifier') scope.names.set(word(target), value)
  else if (kind(target) === 'TupleLiteral') unpack(nodes(target['value']), value, scope, run)
  else if (kind(target) === 'MemberExpression') {
    const owner = evaluate(node(target['object']), scope, run)
    if (!is.namespace(owner)) throw new Error('only a namespace has fields that can be set')
    owner.fields.set(word(node(target['property'])), value)
  } else throw new Error('this assignment is outside of the subset')
}

function unpack(targets: readonly Node[], value: Value, scope: Scope, run: Run): void {
  const items = itemsOf(value)
  if (items.length !== targets.length)
    throw new Error(`expected ${targets.length} values to unpack, got ${items.length}`)
  for (const [at, target] of targets.entries()) assign(target, items[at] ?? null, scope, run)
}

function loopOf(items: readonly Value[], at: number, seen: Map<string, Value>): Value {
  const count = items.length
  const facts: Readonly<Record<string, Value>> = {
    index: at + 1,
    index0: at,
    revindex: count - at,
    revindex0: count - at - 1,
    first: at === 0,
    last: at === count - 1,
    length: count,
    depth: 1,
    depth0: 0,
    previtem: items[at - 1] ?? missing('there is no previous item'),
    nextitem: items[at + 1] ?? missing('there is no next item'),
    cycle: fn(({ list }) => {
      if (list.length === 0) throw new Error('no items for cycling given')
      return list[at % list.length] ?? null
    }),
    changed: fn(({ list }) => {
      const before = seen.get('last')
      seen.set('last', list)
      return before === undefined || !isEqual(before, list)
    }),
  }
  return namespace(new Map(Object.entries(facts)))
}

/** `with` is a loop over the names that it gives (see `template.ts`). */
function withNames(of: Node, scope: Scope, run: Run): string {
  const names = evaluate(node(of['iterable']), scope, run)
  const own = inside(scope)
  if (isMap(names)) for (const [key, value] of names) own.names.set(textOf(key), value)
  return body(of['body'], own, run)
}

function forEach(of: Node, scope: Scope, run: Run): string {
  const target = node(of['loopvar'])
  if (kind(target) === 'Identifier' && word(target) === '__with') return withNames(of, scope, run)
  const source = node(of['iterable'])
  const isFiltered = kind(source) === 'SelectExpression'
  const all = itemsOf(evaluate(isFiltered ? node(source['lhs']) : source, scope, run))
  const passes = (item: Value): boolean => {
    charge(run)
    const own = inside(scope)
    assign(target, item, own, run)
    return isTrue(evaluate(node(source['test']), own, run))
  }
  const items = isFiltered ? all.filter(passes) : all
  const seen = new Map<string, Value>()
  const parts = items.map((item, at) => {
    charge(run)
    const own = inside(scope)
    assign(target, item, own, run)
    own.names.set('loop', loopOf(items, at, seen))
    return body(of['body'], own, run)
  })
  return items.length === 0 ? body(of['defaultBlock'], inside(scope), run) : parts.join('')
}

function setNames(of: Node, scope: Scope, run: Run): string {
  const value = isNode(of['value'])
    ? evaluate(of['value'], scope, run)
    : body(of['body'], inside(scope), run)
  assign(node(of['assignee']), value, scope, run)
  return ''
}

interface Parameter {
  readonly name: string
  readonly fallback: Node | null
}

function parametersOf(list: unknown): readonly Parameter[] {
  return nodes(list).map((each) =>
    kind(each) === 'KeywordArgumentExpression'
      ? { name: word(node(each['key'])), fallback: node(each['value']) }
      : { name: word(each), fallback: null },
  )
}

interface Callable {
  readonly parameters: readonly Parameter[]
  readonly body: unknown
  readonly scope: Scope
}

function callBody({ parameters, body: statements, scope }: Callable, args: Args, run: Run): Value {
  const own = inside(scope)
  if (args.list.length > parameters.length) throw new Error('a macro takes fewer arguments')
  for (const [at, { name, fallback }] of parameters.entries()) {
    const value = args.list[at] ?? args.named.get(name)
    own.names.set(name, value ?? (fallback === null ? missing(name) : evaluate(fallback, own, run)))
  }
  const known = new Set(['caller', ...parameters.map(({ name }) => name)])
  const other = [...args.named.keys()].find((name) => !known.has(name))
  if (other !== undefined) throw new Error(`this macro takes no keyword argument '${other}'`)
  const caller = args.named.get('caller')
  if (caller !== undefined) own.names.set('caller', caller)
  return body(statements, own, run)
}

const STATEMENTS: Readonly<Record<string, Execute>> = {
  CallStatement: (of, scope, run) => {
    const call = node(of['call'])
    const made = { parameters: parametersOf(of['callerArgs']), body: of['body'], scope }
    const caller = fn((given) => callBody(made, given, run))
    const args = argsOf(call['args'], scope, run)
    const named = new Map([...args.named, ['caller', caller] as const])
    return textOf(called(evaluate(node(call['callee']), scope, run), { list: args.list, named }))
  },
  Comment: () => '',
  FilterStatement: (of, scope, run) =>
    textOf(filtered(body(of['body'], inside(scope), run), of['filter'], scope, run)),
  For: forEach,
  If: (of, scope, run) =>
    body(of[isTrue(evaluate(node(of['test']), scope, run)) ? 'body' : 'alternate'], scope, run),
  Macro: (of, scope, run) => {
    const made = { parameters: parametersOf(of['args']), body: of['body'], scope }
    scope.names.set(
      word(node(of['name'])),
      fn((args) => callBody(made, args, run)),
    )
    return ''
  },
  Set: setNames,
}

function range({ list }: Args): Value {
  if (list.length < 1 || list.length > 3) throw new Error('range expects 1 to 3 arguments')
  if (list.some((each) => is.float(each))) throw new Error('range expects whole numbers')
  const bounds = list.map((each) => numberOf(each) ?? NaN)
  const [start = 0, stop = 0, step = 1] = bounds.length === 1 ? [0, bounds[0] ?? 0] : bounds
  const length = step === 0 ? NaN : Math.max(0, Math.ceil((stop - start) / step))
  if (!(length <= MOST_RANGE)) throw new Error(`range of ${length} is too long`)
  const shown = step === 1 ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`
  return seq(
    'range',
    Array.from({ length }, (_, index) => start + index * step),
    shown,
  )
}

/** Of `dict` and `namespace`: fields by name; a list of pairs, which Jinja2 takes too, is refused. */
function fieldsOf({ list, named }: Args): Map<string, Value> {
  if (list.length > 0) throw new Error('fields that are not named are outside of the subset')
  return new Map(named)
}

/** No clock and no escape hatch. */
const GLOBALS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...(['true', 'True'] as const).map((name) => [name, true] as const),
  ...(['false', 'False'] as const).map((name) => [name, false] as const),
  ...(['none', 'None'] as const).map((name) => [name, null] as const),
  ['range', fn(range)],
  ['namespace', fn((args) => namespace(fieldsOf(args)))],
  ['dict', fn(fieldsOf)],
])

/** Runs a parsed template. @throws Error where Jinja2 raises or the subset ends */
export function runTemplate(program: unknown, context: Readonly<Record<string, unknown>>): string {
  const given = new Map(Object.entries(context).map(([name, value]) => [name, valueOf(value)]))
  const scope = { names: given, outer: { names: new Map(GLOBALS), outer: null } }
  const run: Run = { steps: MOST_STEPS, chars: MOST_CHARS, work: MOST_WORK }
  return body(node(program)['body'], inside(scope), run)
}
