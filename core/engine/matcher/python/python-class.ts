import { accept, next, refuse, type Reader } from './pattern-reader.ts'
import type { Category, CharSet, Flags, Range } from './python-ast.ts'
import { readClassEscape, type Escape } from './python-escape.ts'

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

/** Reads a class; the cursor stands after its opening bracket. */
export function readClass(reader: Reader, flags: Flags): CharSet {
  const open = reader.pos - 1
  const negate = accept(reader, '^')
  const draft: Draft = { ranges: [], categories: [] }
  readMembers(reader, draft, open)
  return { negate, ...draft, ignoreCase: flags.ignoreCase }
}
