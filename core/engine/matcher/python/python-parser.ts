import { err, ok, type Result } from '../../result.ts'
import { nestedTooDeep } from '../nesting.ts'
import {
  accept,
  createReader,
  next,
  peek,
  refuse,
  takeWhile,
  type Reader,
} from './pattern-reader.ts'
import type {
  Category,
  CharSet,
  Flags,
  Node,
  Pattern,
  PatternProblem,
  Range,
  RepeatMode,
} from './python-ast.ts'
import { readClassEscape, readEscape, type Escape } from './python-escape.ts'
import { openGroup, readGroupHead, referTo } from './python-group.ts'

const DIGITS = '0123456789'
const VERBOSE_BLANKS = ' \t\n\r\v\f'
/** Python refuses counts from 2^32 - 1 on. */
const MAX_REPEAT = 0xffffffff

interface Counts {
  readonly min: number
  readonly max: number
}

const SHORT_COUNTS: ReadonlyMap<string, Counts> = new Map([
  ['?', { min: 0, max: 1 }],
  ['*', { min: 0, max: Infinity }],
  ['+', { min: 1, max: Infinity }],
])

function literal(char: string, flags: Flags): Node {
  const code = char.codePointAt(0) ?? 0
  return {
    kind: 'set',
    set: { negate: false, ranges: [[code, code]], categories: [], ignoreCase: flags.ignoreCase },
  }
}

function dot(flags: Flags): Node {
  const ranges = flags.dotAll ? [] : ([[10, 10]] as const)
  return { kind: 'set', set: { negate: true, ranges, categories: [], ignoreCase: true } }
}

function escapeNode(reader: Reader, flags: Flags): Node {
  const at = reader.pos - 1
  const escape = readEscape(reader)
  if (escape.kind === 'position') return { kind: 'position', position: escape.position, at }
  if (escape.kind === 'reference') return referTo(reader, escape.group, flags, at)
  if (escape.kind === 'char') return literal(String.fromCodePoint(escape.code), flags)
  const { category } = escape
  return {
    kind: 'set',
    set: { negate: false, ranges: [], categories: [category], ignoreCase: true },
  }
}

/** `{2}`, `{2,}`, `{,3}`, `{,}`, `{2,3}`; null when the brace is a literal. */
function readBraces(reader: Reader): Counts | null {
  const start = reader.pos
  if (peek(reader) === '}') return null
  const low = takeWhile(reader, DIGITS, Infinity)
  const high = accept(reader, ',') ? takeWhile(reader, DIGITS, Infinity) : low
  if (!accept(reader, '}')) {
    reader.pos = start
    return null
  }
  const min = low === '' ? 0 : Number(low)
  const max = high === '' ? Infinity : Number(high)
  if (min >= MAX_REPEAT || (max >= MAX_REPEAT && max !== Infinity))
    refuse(reader, start - 1, 'the repetition number is too large', 'Use a smaller number.')
  else if (max < min)
    refuse(reader, start - 1, 'min repeat greater than max repeat', 'Swap the two numbers.')
  return { min, max }
}

function repeatMode(reader: Reader): RepeatMode {
  if (accept(reader, '?')) return 'lazy'
  return accept(reader, '+') ? 'possessive' : 'greedy'
}

function repeatLast(reader: Reader, items: Node[], counts: Counts, at: number): void {
  const body = items.pop()
  if (body === undefined || body.kind === 'position')
    refuse(reader, at, 'nothing to repeat', 'Escape the character, or put something before it.')
  else if (body.kind === 'repeat')
    refuse(reader, at, 'multiple repeat', 'Put the repeated part in a group (?:…).')
  else items.push({ kind: 'repeat', ...counts, mode: repeatMode(reader), body, at })
}

function repeatOrLiteral(reader: Reader, items: Node[], flags: Flags, char: string): void {
  const at = reader.pos - 1
  const counts = SHORT_COUNTS.get(char) ?? readBraces(reader)
  if (counts === null) items.push(literal(char, flags))
  else repeatLast(reader, items, counts, at)
}

function groupBody(reader: Reader, flags: Flags, at: number): Node {
  const body = readAlternation(reader, flags, true)
  if (!accept(reader, ')'))
    refuse(reader, at, 'missing ), unterminated subpattern', 'Close the group with ")".')
  return body
}

function readLook(reader: Reader, flags: Flags, mark: string, at: number): Node {
  const behind = mark.startsWith('<')
  const outer = reader.lookbehindFrom
  if (behind) reader.lookbehindFrom ??= reader.nextGroup
  const body = groupBody(reader, flags, at)
  reader.lookbehindFrom = outer
  return { kind: 'look', behind, negative: mark.endsWith('!'), body, at }
}

/** Reads the content after "(". Returns null for a comment or global flags, which match nothing. */
function readGroup(reader: Reader, flags: Flags, first: boolean): Node | null {
  const at = reader.pos - 1
  const head = readGroupHead(reader, flags, first)
  switch (head.kind) {
    case 'nothing':
      return null
    case 'reference':
      return referTo(reader, head.group, flags, at)
    case 'look':
      return readLook(reader, flags, head.mark, at)
    case 'atomic':
      return { kind: 'atomic', body: groupBody(reader, flags, at), at }
    case 'plain':
      return { kind: 'group', number: null, body: groupBody(reader, head.flags, at) }
    case 'capture': {
      const number = openGroup(reader, head.name, at)
      const body = groupBody(reader, flags, at)
      reader.openGroups.delete(number)
      return { kind: 'group', number, body }
    }
  }
}

function skipComment(reader: Reader): void {
  while (reader.pos < reader.pattern.length && next(reader) !== '\n');
}

function readAtom(reader: Reader, flags: Flags, char: string): Node {
  if (char === '\\') return escapeNode(reader, flags)
  if (char === '[') return { kind: 'set', set: readClass(reader, flags) }
  if (char === '.') return dot(flags)
  const at = reader.pos - 1
  if (char === '^')
    return { kind: 'position', position: flags.multiline ? 'lineStart' : 'start', at }
  if (char === '$') return { kind: 'position', position: flags.multiline ? 'lineEnd' : 'end', at }
  return literal(char, flags)
}

/** Blanks and comments of a verbose pattern. True = `char` began one. */
function skipVerbose(reader: Reader, flags: Flags, char: string): boolean {
  if (!flags.verbose) return false
  if (char === '#') skipComment(reader)
  return char === '#' || VERBOSE_BLANKS.includes(char)
}

function readItem(reader: Reader, items: Node[], flags: Flags, first: boolean): void {
  const char = next(reader)
  if (skipVerbose(reader, flags, char)) return
  if (char === '(') {
    const group = readGroup(reader, flags, first && items.length === 0)
    if (group !== null) items.push(group)
  } else if ('*+?{'.includes(char)) repeatOrLiteral(reader, items, flags, char)
  else items.push(readAtom(reader, flags, char))
}

function readSequence(reader: Reader, outer: Flags, nested: boolean, first: boolean): Node {
  const items: Node[] = []
  // Global flags change the flags of later items; scoped ones arrive through `outer`.
  while (!['', '|', ')'].includes(peek(reader)))
    readItem(reader, items, nested ? outer : reader.flags, first)
  const [only] = items
  return items.length === 1 && only !== undefined ? only : { kind: 'sequence', items }
}

function readAlternation(reader: Reader, flags: Flags, nested: boolean): Node {
  const branches: Node[] = []
  do branches.push(readSequence(reader, flags, nested, !nested && branches.length === 0))
  while (accept(reader, '|'))
  const [only] = branches
  return branches.length === 1 && only !== undefined ? only : { kind: 'alternation', branches }
}

/** Parses a pattern of Python's `re`; refuses what Python refuses. Errors carry a 1-based column. */
export function parsePattern(pattern: string, flags: Flags): Result<Pattern, PatternProblem> {
  const deep = nestedTooDeep(pattern)
  if (deep !== null) return err(deep)
  const reader = createReader(pattern, flags)
  const root = readAlternation(reader, flags, false)
  if (reader.problem === null && reader.pos < pattern.length)
    refuse(reader, reader.pos, 'unbalanced parenthesis', 'Escape it as \\) or open it with "(".')
  return reader.problem === null ? ok({ root, flags: reader.flags }) : err(reader.problem)
}

type Member = Extract<Escape, { kind: 'char' | 'category' }>

interface Draft {
  readonly ranges: Range[]
  readonly categories: Category[]
}

function readMember(reader: Reader, char: string): Member {
  if (char !== '\\') return { kind: 'char', code: char.codePointAt(0) ?? 0 }
  const escape = readClassEscape(reader)
  if (escape.kind === 'char' || escape.kind === 'category') return escape
  return { kind: 'char', code: 0 }
}

function addMember(draft: Draft, member: Member): void {
  if (member.kind === 'char') draft.ranges.push([member.code, member.code])
  else draft.categories.push(member.category)
}

/** After `a-`: the end of a range, or a literal "-" before the closing bracket. True = class closed. */
function readRangeEnd(reader: Reader, draft: Draft, from: Member, at: number): boolean {
  const char = next(reader)
  if (char === ']') {
    addMember(draft, from)
    draft.ranges.push([0x2d, 0x2d])
    return true
  }
  if (char === '') return false
  const to = readMember(reader, char)
  if (from.kind !== 'char' || to.kind !== 'char' || to.code < from.code) {
    const text = reader.pattern.slice(at, reader.pos)
    refuse(reader, at, `bad character range ${text}`, 'Put "-" first or last, or swap the ends.')
  } else draft.ranges.push([from.code, to.code])
  return false
}

function readMembers(reader: Reader, draft: Draft, open: number): void {
  for (let first = true; ; first = false) {
    const at = reader.pos
    const char = next(reader)
    if (char === '') {
      refuse(reader, open, 'unterminated character set', 'Close it with "]", or write \\[ .')
      return
    }
    if (char === ']' && !first) return
    const member = readMember(reader, char)
    if (!accept(reader, '-')) addMember(draft, member)
    else if (readRangeEnd(reader, draft, member, at)) return
  }
}

/** Reads a class. The cursor is after its opening bracket. */
function readClass(reader: Reader, flags: Flags): CharSet {
  const open = reader.pos - 1
  const negate = accept(reader, '^')
  const draft: Draft = { ranges: [], categories: [] }
  readMembers(reader, draft, open)
  return { negate, ...draft, ignoreCase: flags.ignoreCase }
}
