import { parse, tokenize } from '@huggingface/jinja'
import { err, messageOf, ok, type Result } from '../result.ts'
import { ownOf } from '../schema/own.ts'
import type { VariableReport } from '../schema/prompt.ts'
import { isNode, type Node } from './template-expressions.ts'
import { runTemplate } from './template-run.ts'

export interface Rendered {
  readonly text: string
  readonly variables: VariableReport
}

export type TemplateContext = Readonly<Record<string, unknown>>

const MARKS = ['{{', '{%', '{#'] as const

/**
 * Renders a Jinja template. Text without a tag is returned as it is; the newline at the end stays,
 * as a segment's content is its file's. An undefined variable renders as empty text.
 */
export function renderTemplate(
  source: string,
  context: TemplateContext,
  where: string,
): Result<Rendered> {
  if (!MARKS.some((mark) => source.includes(mark)))
    return ok({ text: source, variables: reportVariables([], context) })
  try {
    // The library drops one newline at the end of a template: it is given one to drop.
    const raw = takeRaw(source)
    const own = raw.source
    const program = parse(tokensOf(own.endsWith('\n') ? `${own}\n` : own))
    const texts = Object.fromEntries(raw.texts.map((text, index) => [rawName(index), text]))
    const given = { ...context, ...texts }
    const variables = withoutRaw(reportVariables(program.body, given))
    return ok({ text: runTemplate(program, given), variables })
  } catch (error) {
    const what = `template error: ${messageOf(error)}`
    return err({ what, where, do: 'Correct the template, or remove the tag.' })
  }
}

/** Texts between `raw` and `endraw` are no variables of anybody. */
function withoutRaw(report: VariableReport): VariableReport {
  const own = (names: readonly string[]) => names.filter((name) => !name.startsWith('__raw_'))
  const { needed, supplied, missing, unused } = report
  return {
    needed: own(needed),
    supplied: own(supplied),
    missing: own(missing),
    unused: own(unused),
  }
}

/** Names that a template has without being given them. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'true',
  'false',
  'none',
  'True',
  'False',
  'None',
  'loop',
  'caller',
  '__with',
  'namespace',
  'dict',
  'range',
])

/** Children that hold names of filters, tests, keywords or attributes, not variables. */
const NOT_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  FilterExpression: ['filter'],
  FilterStatement: ['filter'],
  TestExpression: ['test'],
  KeywordArgumentExpression: ['key'],
}

/** Children that give names a value inside the template. */
const BINDS: Readonly<Record<string, readonly string[]>> = {
  For: ['loopvar'],
  Set: ['assignee'],
  Macro: ['name', 'args'],
  CallStatement: ['callerArgs'],
}

interface Found {
  readonly used: Set<string>
  readonly bound: Set<string>
  readonly guarded: Set<string>
}

function nameOf(value: unknown): string | null {
  return isNode(value) && value['type'] === 'Identifier' && typeof value['value'] === 'string'
    ? value['value']
    : null
}

function bindNames(value: unknown, found: Found): void {
  const name = nameOf(value)
  if (name !== null) found.bound.add(name)
  else if (Array.isArray(value)) for (const item of value) bindNames(item, found)
  else if (isNode(value) && value['type'] === 'TupleLiteral') bindNames(value['value'], found)
  else if (isNode(value) && value['type'] === 'KeywordArgumentExpression')
    bindNames(value['key'], found)
  else visit(value, found)
}

/** `x | default(…)`, `x is defined`, `{% if x %}`: the template copes without x. */
function guard(node: Node, found: Found): void {
  const filter = isNode(node['filter'])
    ? (nameOf(node['filter']) ?? nameOf(node['filter']['callee']))
    : null
  const test = nameOf(node['test'])
  const guards =
    (node['type'] === 'FilterExpression' && (filter === 'default' || filter === 'd')) ||
    (node['type'] === 'TestExpression' && (test === 'defined' || test === 'undefined'))
  const name = guards
    ? nameOf(node['operand'])
    : node['type'] === 'If'
      ? test
      : node['type'] === 'Ternary'
        ? nameOf(node['condition'])
        : null
  if (name !== null) found.guarded.add(name)
}

function visit(value: unknown, found: Found): void {
  if (Array.isArray(value)) for (const item of value) visit(item, found)
  else if (value instanceof Map) for (const pair of value) visit(pair, found)
  else if (isNode(value)) visitNode(value, found)
}

function visitNode(node: Node, found: Found): void {
  const name = nameOf(node)
  if (name !== null) {
    if (!BUILT_IN.has(name)) found.used.add(name)
    return
  }
  guard(node, found)
  if (nameOf(node['loopvar']) === '__with') bindWith(node['iterable'], found)
  for (const [key, child] of Object.entries(node)) visitChild(node, key, child, found)
}

/** Names that a `with` gives a value: it is parsed as a loop over them. */
function bindWith(names: unknown, found: Found): void {
  if (!isNode(names) || !(names['value'] instanceof Map)) return
  for (const key of names['value'].keys()) if (isNode(key)) found.bound.add(String(key['value']))
}

function visitChild(node: Node, key: string, child: unknown, found: Found): void {
  const type = typeof node['type'] === 'string' ? node['type'] : ''
  if (ownOf(BINDS, type)?.includes(key) === true) bindNames(child, found)
  else if (ownOf(NOT_VARIABLES, type)?.includes(key) === true) visitArguments(child, found)
  else if (type !== 'MemberExpression' || key !== 'property' || node['computed'] === true)
    visit(child, found)
}

/** Of `default(fallback)` the name is no variable, the arguments are. */
function visitArguments(value: unknown, found: Found): void {
  if (isNode(value) && value['type'] === 'CallExpression') visit(value['args'], found)
}

/**
 * [L13] Compares the variables of a parsed template with the given ones. A name that the template itself sets anywhere
 * counts as its own.
 */
export function reportVariables(
  program: unknown,
  context: Readonly<Record<string, unknown>>,
): VariableReport {
  const found: Found = { used: new Set(), bound: new Set(), guarded: new Set() }
  visit(program, found)
  const given = new Set(Object.keys(context))
  const needed = [...found.used].filter((name) => !found.bound.has(name))
  return {
    needed,
    supplied: needed.filter((name) => given.has(name)),
    missing: needed.filter((name) => !given.has(name) && !found.guarded.has(name)),
    unused: [...given].filter((name) => !needed.includes(name)),
  }
}

type Token = ReturnType<typeof tokenize>[number]

const RAW = /\{%([-+]?)\s*raw\s*(-?)%\}([\s\S]*?)\{%([-+]?)\s*endraw\s*([-+]?)%\}/g

/** [L13] Text between `raw` and `endraw` is literal. It becomes a variable that holds the text. */
function takeRaw(source: string): {
  readonly source: string
  readonly texts: readonly string[]
} {
  const texts: string[] = []
  const taken = source.replace(
    RAW,
    (_, ...[before, first, text, last, after]: readonly string[]) => {
      const own = text ?? ''
      const start = first === '-' ? own.trimStart() : own
      texts.push(last === '-' ? start.trimEnd() : start)
      return `{{${before === '-' ? '-' : ''} ${rawName(texts.length - 1)} ${after === '-' ? '-' : ''}}}`
    },
  )
  // A plus keeps white space that only settings we do not have would take away.
  return { source: taken.replace(/\{%\+/g, '{%').replace(/\+%\}/g, '%}'), texts }
}

const rawName = (index: number): string => `__raw_${index}`

/** The parser takes its own tokens only: they are read from code. */
const tokens = (code: string): readonly Token[] => tokenize(`{{ ${code} }}`).slice(1, -1)
const [OPEN, , COLON, , CLOSE] = tokens('{"a": 1}')
const LOOP = tokens('for __with in')
const END = tokens('endfor')

/** Names of a `with` are those right before an equals sign outside of all brackets. */
function withTag(inner: readonly Token[]): readonly Token[] {
  let depth = 0
  const pairs = inner.map((each, at) => {
    if (each.type.startsWith('Open')) depth++
    if (each.type.startsWith('Close')) depth--
    if (depth > 0) return each
    if (each.type === 'Equals') return COLON
    const isName = each.type === 'Identifier' && inner[at + 1]?.type === 'Equals'
    return isName ? tokens(`"${each.value}"`)[0] : each
  })
  return [...LOOP, ...[OPEN, ...pairs, CLOSE].filter((each) => each !== undefined)]
}

/** [F215] The parser knows tests without arguments only: `x is divisibleby(2)`, `x is eq 3`. */
function refuseTestWithArguments(all: readonly Token[], at: number): void {
  if (!isWord(all[at], 'is') || all[at - 1]?.type === 'Dot') return
  const name = isWord(all[at + 1], 'not') ? at + 2 : at + 1
  const next = all[name + 1]
  if (all[name]?.type !== 'Identifier' || next === undefined || !ARGUMENT.has(next.type)) return
  if (next.type === 'Identifier' && KEYWORDS.has(next.value)) return
  throw new Error(`the test "${all[name].value}" with an argument is outside of the subset`)
}

const isWord = (token: Token | undefined, value: string): boolean =>
  token?.type === 'Identifier' && token.value === value
const ARGUMENT: ReadonlySet<string> = new Set([
  'OpenParen',
  'NumericLiteral',
  'StringLiteral',
  'Identifier',
])
const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else'])

/**
 * Tokens of a template. `{% with a = 1 %}` has its own scope, which the parser does not know. It is parsed as a loop
 * over `{"a": 1}`, and the runtime recognises that loop by its name.
 */
function tokensOf(source: string): Token[] {
  const all = tokenize(source)
  const written: Token[] = []
  for (let at = 0; at < all.length; at++) {
    const each = all[at]
    if (each === undefined) break
    refuseTestWithArguments(all, at)
    const isTag = all[at - 1]?.type === 'OpenStatement' && each.type === 'Identifier'
    if (isTag && each.value === 'with') {
      const end = all.findIndex(({ type }, index) => index > at && type === 'CloseStatement')
      written.push(...withTag(all.slice(at + 1, end)))
      at = end - 1
    } else if (isTag && each.value === 'endwith') written.push(...END)
    else written.push(each)
  }
  return written
}
