/** A value as the interpreter keeps it inside of lists. */
interface Kept {
  readonly type: string
  readonly value: unknown
}

const RAW = /\{%-?\s*raw\s*-?%\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}/g

/** [L13] What stands between `raw` and `endraw` is text: it becomes a variable that holds it. */
export function takeRaw(source: string): {
  readonly source: string
  readonly texts: readonly string[]
} {
  const texts: string[] = []
  const taken = source.replace(RAW, (_, text: string) => {
    texts.push(text)
    return `{{ ${rawName(texts.length - 1)} }}`
  })
  return { source: taken, texts }
}

const WITH = /\{%(-?)\s*with\b([^%]*?)(-?)%\}/g
const END_WITH = /\{%(-?)\s*endwith\s*(-?)%\}/g
const NEXT_NAME = /,\s*(?=[A-Za-z_]\w*\s*=[^=])/

/** `{% with a = 1 %}` is a scope of its own, which the interpreter knows as a loop that runs once. */
export function scoped(source: string): string {
  return source
    .replace(WITH, (_, before: string, names: string, after: string) => {
      const sets = names
        .split(NEXT_NAME)
        .filter((name) => name.trim() !== '')
        .map((name) => `{%- set ${name.trim()} -%}`)
      // Whitespace behind the tag is the template's own unless the tag takes it away.
      const last = sets.length === 0 || after === '-' ? '' : '{{ "" }}'
      return `{%${before} for __with in [1] %}${sets.join('')}${last}`
    })
    .replace(END_WITH, (_, before: string, after: string) => `{%${before} endfor ${after}%}`)
}

export const rawName = (index: number): string => `__raw_${index}`

function isKept(value: unknown): value is Kept {
  return typeof value === 'object' && value !== null && 'type' in value && 'value' in value
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`
}

function number(value: number, isFloat: boolean): string {
  return isFloat && Number.isInteger(value) ? `${value}.0` : String(value)
}

/** As Python's `str` (or, inside of lists, `repr`) writes a value; an undefined one is nothing. */
function written(value: unknown, inside: boolean): string {
  if (!isKept(value)) return inside && typeof value === 'string' ? quoted(value) : String(value)
  const own = value.value
  if (value.type === 'UndefinedValue' || own === undefined) return ''
  if (own === null) return 'None'
  if (typeof own === 'boolean') return own ? 'True' : 'False'
  if (typeof own === 'number') return number(own, value.type === 'FloatValue')
  if (typeof own === 'string') return inside ? quoted(own) : own
  return writtenList(value, own)
}

function writtenList(value: Kept, own: unknown): string {
  if (Array.isArray(own)) {
    const items = own.map((item) => written(item, true)).join(', ')
    if (value.type !== 'TupleValue') return `[${items}]`
    return own.length === 1 ? `(${items},)` : `(${items})`
  }
  if (own instanceof Map) {
    const pairs = [...own].map(([key, item]) => `${written(key, true)}: ${written(item, true)}`)
    return `{${pairs.join(', ')}}`
  }
  return ''
}

const textOf = (kept: unknown): string => written(kept, false)

function listOf(kept: unknown): readonly unknown[] {
  const own = isKept(kept) ? kept.value : kept
  return Array.isArray(own) ? own : own instanceof Map ? [...own.keys()] : Array.from(textOf(kept))
}

function numberOf(kept: unknown): number {
  const own = isKept(kept) ? kept.value : kept
  return typeof own === 'number' ? own : Number(textOf(kept)) || 0
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
}

/** Half to even, as Python rounds. */
function rounded(value: number, digits: number, method: unknown): number {
  const power = 10 ** digits
  const scaled = value * power
  if (method === 'ceil') return Math.ceil(scaled) / power
  if (method === 'floor') return Math.floor(scaled) / power
  const near = Math.round(scaled)
  return (Math.abs(scaled % 1) === 0.5 && near % 2 !== 0 ? near - 1 : near) / power
}

function truncated(
  text: string,
  [length = 255, kill = false, end = '...', leeway = 5]: readonly unknown[],
): string {
  const most = Number(length)
  const chars = Array.from(text)
  if (chars.length <= most + Number(leeway)) return text
  const cut = chars.slice(0, Math.max(0, most - Array.from(String(end)).length)).join('')
  if (kill === true) return `${cut}${String(end)}`
  const at = cut.lastIndexOf(' ')
  return `${at < 0 ? cut : cut.slice(0, at)}${String(end)}`
}

/** `%s`, `%d`, `%.2f` and `%%`. */
function formatted(pattern: string, values: readonly unknown[]): string {
  let next = 0
  return pattern.replace(/%(?:%|(?:\.(\d+))?([sdf]))/g, (all, digits?: string, kind?: string) => {
    if (all === '%%') return '%'
    const value = values[next]
    next += 1
    if (kind === 'f') return Number(value).toFixed(Number(digits ?? 6))
    if (kind === 'd') return String(Math.trunc(Number(value)))
    return typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value)
  })
}

type Filter = (kept: unknown, args: readonly unknown[]) => unknown

/** Filters of Jinja2 that the interpreter lacks, or reads otherwise. The value comes as the interpreter keeps it. */
const FILTERS: Readonly<Record<string, Filter>> = {
  round: (kept, [digits = 0, method]) => {
    const value = rounded(numberOf(kept), Number(digits), method)
    // Python's own `round` leaves an integer one.
    if (isKept(kept) && kept.type === 'IntegerValue' && method === undefined) return value
    return Number.isInteger(value) ? `${value}.0` : value
  },
  format: (kept, args) => formatted(textOf(kept), args),
  truncate: (kept, args) => truncated(textOf(kept), args),
  count: (kept) => listOf(kept).length,
  length: (kept) => listOf(kept).length,
  sum: (kept) => listOf(kept).reduce<number>((sum, item) => sum + numberOf(item), 0),
  wordcount: (kept) => (textOf(kept).match(/[\p{L}\p{N}_]+/gu) ?? []).length,
  e: (kept) => textOf(kept).replace(/[&<>'"]/g, (char) => ESCAPES[char] ?? char),
  escape: (kept) => textOf(kept).replace(/[&<>'"]/g, (char) => ESCAPES[char] ?? char),
  string: (kept) => textOf(kept),
}

const PRINT = '__print'
const filterName = (name: string): string => `__filter_${name}`

/** Functions that a rewritten template calls; every value comes in a list, so that its type is known. */
export const PYTHON_FUNCTIONS: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> =
  {
    [PRINT]: (list: unknown) => textOf(Array.isArray(list) ? list[0] : list),
    ...Object.fromEntries(
      Object.entries(FILTERS).map(([name, filter]) => [
        filterName(name),
        (list: unknown, ...args: readonly unknown[]) =>
          filter(Array.isArray(list) ? list[0] : list, args),
      ]),
    ),
  }

type Node = Record<string, unknown>

const identifier = (value: string): Node => ({ type: 'Identifier', value })
const call = (name: string, args: readonly unknown[]): Node => ({
  type: 'CallExpression',
  callee: identifier(name),
  args,
})
const listed = (value: unknown): Node => ({ type: 'ArrayLiteral', value: [value] })

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** Statements that are expressions are what a template prints. */
const PRINTED: ReadonlySet<string> = new Set([
  ...['Identifier', 'MemberExpression', 'CallExpression', 'FilterExpression', 'TestExpression'],
  ...['BinaryExpression', 'UnaryExpression', 'Ternary', 'SelectExpression', 'ArrayLiteral'],
  ...['TupleLiteral', 'ObjectLiteral', 'IntegerLiteral', 'FloatLiteral', 'SliceExpression'],
])
const BODIES: ReadonlySet<string> = new Set(['body', 'alternate', 'defaultBlock'])

/**
 * [L13] Rewrites a parsed template in place, so that it does what Jinja2 does: values are printed as
 * Python writes them, and an undefined variable is empty also in a loop and under a filter.
 * @param missing names that nobody supplies
 */
export function asPython(program: unknown, missing: ReadonlySet<string>): void {
  rewriteChildren(program as Node, missing) // a parsed program is a node
}

function rewriteChildren(node: Node, missing: ReadonlySet<string>): void {
  for (const [key, child] of Object.entries(node)) {
    if (Array.isArray(child)) {
      const isBody = BODIES.has(key)
      node[key] = child.map((item: unknown) => {
        const done = rewritten(item, missing)
        const isPrinted = isBody && isNode(item) && PRINTED.has(String(item['type']))
        return isPrinted ? call(PRINT, [listed(done)]) : done
      })
    } else if (isNode(child) && node['type'] !== 'KeywordArgumentExpression') {
      node[key] = rewritten(child, missing)
    }
  }
}

function rewritten(node: unknown, missing: ReadonlySet<string>): unknown {
  if (!isNode(node)) return node
  rewriteChildren(node, missing)
  const empties = (value: unknown) =>
    isNode(value) && value['type'] === 'Identifier' && missing.has(String(value['value']))
  if (node['type'] === 'For' && empties(node['iterable']))
    node['iterable'] = { type: 'ArrayLiteral', value: [] }
  if (isJoining(node)) {
    node['left'] = call(PRINT, [listed(node['left'])])
    node['right'] = call(PRINT, [listed(node['right'])])
  }
  if (node['type'] !== 'FilterExpression') return node
  const filter = node['filter']
  if (!isNode(filter)) return node
  const isCall = filter['type'] === 'CallExpression'
  const callee = isCall ? filter['callee'] : filter
  const name = isNode(callee) ? String(callee['value']) : ''
  if (name !== 'default' && name !== 'd' && empties(node['operand']))
    node['operand'] = { type: 'StringLiteral', value: '' }
  return filtered(node, filter, name)
}

function filtered(node: Node, filter: Node, name: string): Node {
  if (!Object.hasOwn(FILTERS, name)) return node
  const args = Array.isArray(filter['args']) ? (filter['args'] as readonly unknown[]) : []
  return call(filterName(name), [listed(node['operand']), ...args])
}

/** `a ~ b`: both sides are text. */
function isJoining({ type, operator }: Node): boolean {
  return type === 'BinaryExpression' && isNode(operator) && operator['value'] === '~'
}
