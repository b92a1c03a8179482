import { err, ok, type Result } from '../result.ts'

/** A grammar expression. Ranges are code points, both ends included; `max` null = no limit. */
export type GrammarNode =
  | { readonly kind: 'literal'; readonly points: readonly number[] }
  | {
      readonly kind: 'class'
      readonly negated: boolean
      readonly ranges: ReadonlyArray<readonly [number, number]>
    }
  | { readonly kind: 'any' }
  | { readonly kind: 'rule'; readonly name: string; readonly at: number }
  | {
      readonly kind: 'repeat'
      readonly item: GrammarNode
      readonly min: number
      readonly max: number | null
    }
  | { readonly kind: 'sequence'; readonly items: readonly GrammarNode[] }
  | { readonly kind: 'choice'; readonly options: readonly GrammarNode[] }

export interface Grammar {
  readonly rules: ReadonlyMap<string, GrammarNode>
  /** Rules that `root` never reaches. */
  readonly unused: readonly string[]
}

const MAX_DEPTH = 100
const MAX_REPEAT = 10_000

/**
 * [A16] Parses a GBNF grammar. Returns an error with line and column for a syntax error, a rule defined twice, an
 * undefined name, a missing `root`, or left recursion (its parser would never terminate).
 * @param where the file's name, for the message
 */
export function parseGrammar(text: string, where: string): Result<Grammar> {
  try {
    const reader: GrammarReader = { text, at: 0 }
    const rules = takeRules(reader)
    if (!rules.has('root')) fail(reader, 'there is no rule "root"')
    checkNames(reader, rules)
    checkLeftRecursion(reader, rules)
    const used = reachable(rules)
    return ok({ rules, unused: [...rules.keys()].filter((name) => !used.has(name)) })
  } catch (error) {
    if (!isGrammarFault(error)) throw error
    return err({
      what: error.fault,
      where: `${where}:${placeOf(text, error.at)}`,
      do: 'Correct the grammar',
    })
  }
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

function takeRules(reader: GrammarReader): Map<string, GrammarNode> {
  const rules = new Map<string, GrammarNode>()
  skipSpace(reader, true)
  while (peek(reader) !== '') {
    const start = reader.at
    const name = takeName(reader)
    skipSpace(reader, false)
    if (!take(reader, '::=')) fail(reader, `"::=" is missing after "${name}"`)
    skipSpace(reader, true)
    if (rules.has(name)) fail(reader, `rule "${name}" is defined twice`, start)
    rules.set(name, takeChoice(reader, 0))
    if (peek(reader) !== '' && peek(reader) !== '\n' && peek(reader) !== '\r')
      fail(reader, `unexpected "${peek(reader)}"`)
    skipSpace(reader, true)
  }
  return rules
}

function takeChoice(reader: GrammarReader, depth: number): GrammarNode {
  if (depth > MAX_DEPTH) fail(reader, 'groups are nested too deep')
  const options = [takeSequence(reader, depth)]
  while (take(reader, '|')) {
    skipSpace(reader, true)
    options.push(takeSequence(reader, depth))
  }
  const [only] = options
  return options.length === 1 && only ? only : { kind: 'choice', options }
}

function takeSequence(reader: GrammarReader, depth: number): GrammarNode {
  const items: GrammarNode[] = []
  for (;;) {
    const item = takeItem(reader, depth)
    if (item === null) break
    items.push(takeRepeat(reader, item))
    skipSpace(reader, depth > 0)
  }
  const [only] = items
  return items.length === 1 && only ? only : { kind: 'sequence', items }
}

function takeItem(reader: GrammarReader, depth: number): GrammarNode | null {
  const at = reader.at
  if (take(reader, '"')) return takeLiteral(reader)
  if (take(reader, '[')) return takeClass(reader)
  if (take(reader, '.')) return { kind: 'any' }
  if (take(reader, '(')) {
    skipSpace(reader, true)
    const inner = takeChoice(reader, depth + 1)
    if (!take(reader, ')')) fail(reader, '")" is missing')
    return inner
  }
  if (!/[a-zA-Z0-9-]/u.test(peek(reader))) return null
  return { kind: 'rule', name: takeName(reader), at }
}

function takeLiteral(reader: GrammarReader): GrammarNode {
  const points: number[] = []
  while (!take(reader, '"')) points.push(takeChar(reader))
  return { kind: 'literal', points }
}

function takeClass(reader: GrammarReader): GrammarNode {
  const start = reader.at
  const negated = take(reader, '^')
  const ranges: Array<readonly [number, number]> = []
  while (!take(reader, ']')) {
    const first = takeChar(reader)
    // A hyphen before the closing bracket is a hyphen.
    const ranged = peek(reader) === '-' && reader.text[reader.at + 1] !== ']'
    if (ranged) reader.at += 1
    const last = ranged ? takeChar(reader) : first
    if (last < first) fail(reader, 'a range runs backwards')
    ranges.push([first, last])
  }
  if (ranges.length === 0) fail(reader, 'a class is empty', start)
  return { kind: 'class', negated, ranges }
}

function takeRepeat(reader: GrammarReader, item: GrammarNode): GrammarNode {
  if (take(reader, '*')) return { kind: 'repeat', item, min: 0, max: null }
  if (take(reader, '+')) return { kind: 'repeat', item, min: 1, max: null }
  if (take(reader, '?')) return { kind: 'repeat', item, min: 0, max: 1 }
  return take(reader, '{') ? takeCount(reader, item) : item
}

/** `{m}`, `{m,}` or `{m,n}`, after its opening brace. */
function takeCount(reader: GrammarReader, item: GrammarNode): GrammarNode {
  const [whole = '', low = '', comma, high = ''] =
    /^\s*(\d{1,6})\s*(?:(,)\s*(\d{1,6})?\s*)?\}/u.exec(
      reader.text.slice(reader.at, reader.at + 40),
    ) ?? []
  if (whole === '') fail(reader, 'a repetition is {m}, {m,} or {m,n}')
  const min = Number(low)
  const max = comma === undefined ? min : high === '' ? null : Number(high)
  if ((max ?? min) < min) fail(reader, 'a repetition runs backwards')
  if (Math.max(min, max ?? 0) > MAX_REPEAT) fail(reader, `at most ${MAX_REPEAT} repetitions`)
  reader.at += whole.length
  return { kind: 'repeat', item, min, max }
}

function childrenOf(node: GrammarNode): readonly GrammarNode[] {
  if (node.kind === 'repeat') return [node.item]
  if (node.kind === 'sequence') return node.items
  return node.kind === 'choice' ? node.options : []
}

function namesIn(node: GrammarNode): ReadonlyArray<{ readonly name: string; readonly at: number }> {
  return node.kind === 'rule' ? [node] : childrenOf(node).flatMap(namesIn)
}

function checkNames(reader: GrammarReader, rules: ReadonlyMap<string, GrammarNode>): void {
  for (const node of rules.values())
    for (const { name, at } of namesIn(node))
      if (!rules.has(name)) fail(reader, `there is no rule "${name}"`, at)
}

function reachable(rules: ReadonlyMap<string, GrammarNode>): ReadonlySet<string> {
  const seen = new Set(['root'])
  // A set that grows while it is walked is walked to its new end.
  for (const name of seen) {
    const node = rules.get(name)
    if (node) for (const each of namesIn(node)) seen.add(each.name)
  }
  return seen
}

/** [F216] One walk along the rules that a rule may begin with: a rule that is met while it is open begins with itself. */
function checkLeftRecursion(reader: GrammarReader, rules: ReadonlyMap<string, GrammarNode>): void {
  const empties = nullableRules(rules)
  const startsOf = (name: string) => {
    const node = rules.get(name)
    return node === undefined ? [] : firstNames(node, empties)
  }
  const open = new Set<string>()
  const done = new Set<string>()
  for (const root of rules.keys()) {
    // A stack of our own: a chain of rules is as long as the grammar.
    const walk = done.has(root) ? [] : [{ name: root, starts: startsOf(root), next: 0 }]
    if (walk.length > 0) open.add(root)
    for (let top = walk.at(-1); top !== undefined; top = walk.at(-1)) {
      const start = top.starts[top.next]
      top.next += 1
      if (start === undefined) {
        open.delete(top.name)
        done.add(top.name)
        walk.pop()
      } else if (open.has(start.name)) {
        const first = walk.find(({ name }) => name === start.name)
        fail(reader, `rule "${start.name}" begins with itself`, first?.starts[0]?.at ?? 0)
      } else if (!done.has(start.name)) {
        open.add(start.name)
        walk.push({ name: start.name, starts: startsOf(start.name), next: 0 })
      }
    }
  }
}

/** Rules that match nothing at all. After the first round, a rule is looked at again only if one in it became such. */
function nullableRules(rules: ReadonlyMap<string, GrammarNode>): ReadonlySet<string> {
  const empties = new Set<string>()
  const users = new Map<string, Set<string>>()
  for (const [name, node] of rules)
    for (const used of namesIn(node)) {
      const known = users.get(used.name)
      if (known === undefined) users.set(used.name, new Set([name]))
      else known.add(name)
    }
  for (let round: ReadonlySet<string> = new Set(rules.keys()); round.size > 0;) {
    const next = new Set<string>()
    for (const name of round) {
      const node = rules.get(name)
      if (node === undefined || empties.has(name) || !isNullable(node, empties)) continue
      empties.add(name)
      for (const user of users.get(name) ?? []) next.add(user)
    }
    round = next
  }
  return empties
}

function isNullable(node: GrammarNode, empties: ReadonlySet<string>): boolean {
  if (node.kind === 'literal') return node.points.length === 0
  if (node.kind === 'rule') return empties.has(node.name)
  if (node.kind === 'repeat') return node.min === 0 || isNullable(node.item, empties)
  if (node.kind === 'sequence') return node.items.every((item) => isNullable(item, empties))
  return node.kind === 'choice' && node.options.some((option) => isNullable(option, empties))
}

function firstNames(node: GrammarNode, empties: ReadonlySet<string>): ReturnType<typeof namesIn> {
  if (node.kind !== 'sequence') {
    return node.kind === 'rule'
      ? [node]
      : childrenOf(node).flatMap((child) => firstNames(child, empties))
  }
  const solid = node.items.findIndex((item) => !isNullable(item, empties))
  const starts = solid < 0 ? node.items : node.items.slice(0, solid + 1)
  return starts.flatMap((item) => firstNames(item, empties))
}

/** Reading position in a grammar's text; failing throws a `GrammarFault`, caught by the parser. */
interface GrammarReader {
  readonly text: string
  at: number
}

/** Thrown inside the parser only. */
interface GrammarFault {
  readonly fault: string
  readonly at: number
}

function isGrammarFault(value: unknown): value is GrammarFault {
  return typeof value === 'object' && value !== null && 'fault' in value
}

function fail(reader: GrammarReader, fault: string, at = reader.at): never {
  const thrown: GrammarFault = { fault, at }
  // Not an Error: it never leaves the parser, and the engine has no classes.
  // oxlint-disable-next-line typescript/only-throw-error
  throw thrown
}

function peek({ text, at }: GrammarReader): string {
  return text[at] ?? ''
}

function take(reader: GrammarReader, wanted: string): boolean {
  if (!reader.text.startsWith(wanted, reader.at)) return false
  reader.at += wanted.length
  return true
}

/** Skips blanks and comments. With `lineEnds` it also skips line ends, for positions at which a rule may continue. */
function skipSpace(reader: GrammarReader, lineEnds: boolean): void {
  for (;;) {
    const char = peek(reader)
    if (char === '#') {
      while (peek(reader) !== '' && peek(reader) !== '\n' && peek(reader) !== '\r') reader.at += 1
    } else if (char === ' ' || char === '\t' || (lineEnds && (char === '\n' || char === '\r'))) {
      reader.at += 1
    } else return
  }
}

/** A rule's name: letters, digits and hyphens. */
function takeName(reader: GrammarReader): string {
  const [name = ''] = /^[a-zA-Z0-9-]+/u.exec(reader.text.slice(reader.at, reader.at + 200)) ?? []
  if (name === '') fail(reader, 'a rule name is missing')
  reader.at += name.length
  return name
}

const ESCAPES: Readonly<Record<string, number>> = {
  n: 10,
  r: 13,
  t: 9,
  '\\': 92,
  '"': 34,
  '[': 91,
  ']': 93,
}
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** One character of a literal or class, as a code point. */
function takeChar(reader: GrammarReader): number {
  const point = reader.text.codePointAt(reader.at)
  if (point === undefined) fail(reader, 'the grammar ends inside a literal or class')
  if (point === 10 || point === 13) fail(reader, 'a line ends inside a literal or class')
  reader.at += point > 0xffff ? 2 : 1
  if (point !== 92) return point
  const kind = peek(reader)
  const plain = ESCAPES[kind]
  if (plain !== undefined) {
    reader.at += 1
    return plain
  }
  const digits = HEX_DIGITS[kind]
  if (digits === undefined) fail(reader, `unknown escape \\${kind}`)
  const hex = reader.text.slice(reader.at + 1, reader.at + 1 + digits)
  if (!/^[0-9a-fA-F]+$/u.test(hex) || hex.length !== digits)
    fail(reader, `\\${kind} needs ${digits} hexadecimal digits`)
  reader.at += 1 + digits
  return Number.parseInt(hex, 16)
}
