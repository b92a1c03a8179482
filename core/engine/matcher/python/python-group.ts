import { accept, next, peek, refuse, takeUntil, type Reader } from './pattern-reader.ts'
import type { Flags, Node } from './python-ast.ts'

/** The group type indicated by the characters after "(". */
export type GroupHead =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'capture'; readonly name: string | null }
  | { readonly kind: 'plain'; readonly flags: Flags }
  | { readonly kind: 'atomic' }
  | { readonly kind: 'look'; readonly mark: string }
  | { readonly kind: 'reference'; readonly group: number }

const NOTHING: GroupHead = { kind: 'nothing' }
const FLAG_NAMES: ReadonlyMap<string, keyof Flags | 'unicode'> = new Map([
  ['i', 'ignoreCase'],
  ['m', 'multiline'],
  ['s', 'dotAll'],
  ['x', 'verbose'],
  ['a', 'ascii'],
  ['u', 'unicode'],
])
const LOOK_MARKS = ['=', '!', '<=', '<!'] as const
const FLAG_ADVICE = 'Use letters of "imsxa", as in (?i) or (?m:…).'

/** Opens a capturing group and returns its number. */
export function openGroup(reader: Reader, name: string | null, at: number): number {
  const number = reader.nextGroup
  reader.nextGroup += 1
  reader.openGroups.add(number)
  if (name !== null && reader.names.has(name))
    refuse(reader, at, `group name "${name}" is used twice`, 'Give each group its own name.')
  if (name !== null) reader.names.set(name, number)
  return number
}

/** A backreference, if the group exists, is closed, and does not start in the same look-behind. */
export function referTo(reader: Reader, group: number, flags: Flags, at: number): Node {
  if (group >= reader.nextGroup)
    refuse(
      reader,
      at,
      `invalid group reference ${group}`,
      'Refer to a group that stands before it.',
    )
  else if (reader.openGroups.has(group))
    refuse(reader, at, 'cannot refer to an open group', 'Move the reference behind the group.')
  else if (reader.lookbehindFrom !== null && group >= reader.lookbehindFrom)
    refuse(
      reader,
      at,
      'cannot refer to group defined in the same lookbehind subpattern',
      'Move the group out of the look-behind.',
    )
  return { kind: 'reference', group, ignoreCase: flags.ignoreCase, at }
}

function groupName(reader: Reader, end: string): string | null {
  const at = reader.pos
  const name = takeUntil(reader, end, 'group name')
  if (name === null || /^[\p{ID_Start}_]\p{ID_Continue}*$/u.test(name)) return name
  refuse(reader, at, `bad character in group name "${name}"`, 'Use letters, digits and "_".')
  return null
}

function pythonExtension(reader: Reader, at: number): GroupHead {
  if (accept(reader, '<')) return { kind: 'capture', name: groupName(reader, '>') }
  if (accept(reader, '=')) {
    const name = groupName(reader, ')')
    const group = name === null ? undefined : reader.names.get(name)
    if (group !== undefined) return { kind: 'reference', group }
    refuse(reader, at, `unknown group name "${name ?? ''}"`, 'Name a group that stands before it.')
  } else refuse(reader, at, `unknown extension ?P${peek(reader)}`, 'Use (?P<name>…) or (?P=name).')
  return NOTHING
}

interface FlagLetters {
  readonly on: string
  /** Flags after a minus; null if it has none. */
  readonly off: string | null
  /** `)` = for the whole pattern, `:` = for the group. */
  readonly end: string
}

function readFlagLetters(reader: Reader): FlagLetters {
  let on = ''
  let off: string | null = null
  for (;;) {
    const char = next(reader)
    if (char === ')' || char === ':' || char === '') return { on, off, end: char }
    if (off !== null) off += char
    else if (char === '-') off = ''
    else on += char
  }
}

function scopedFlagProblem({ on, off, end }: FlagLetters, outer: Flags): string | null {
  if (end === ')') return off === null ? null : 'flags cannot be turned off for the whole pattern'
  const changesAscii = outer.ascii ? on.includes('u') : on.includes('a')
  return changesAscii ? 'a group cannot change between "a" and "u" here' : null
}

function flagProblem(letters: FlagLetters, outer: Flags): string | null {
  const { on, end } = letters
  const off = letters.off ?? ''
  const unknown = Array.from(on + off).find((letter) => !FLAG_NAMES.has(letter))
  if (unknown !== undefined) return `unknown flag "${unknown}"`
  if (end === '') return 'missing -, : or )'
  if (letters.off === '') return 'missing flag'
  if (on.includes('a') && on.includes('u')) return 'flags "a" and "u" are incompatible'
  if (/[au]/.test(off)) return 'flags "a" and "u" cannot be turned off'
  if (Array.from(on).some((letter) => off.includes(letter))) return 'flag turned on and off'
  return scopedFlagProblem(letters, outer)
}

function withFlags(flags: Flags, letters: FlagLetters): Flags {
  const changed: Record<string, boolean> = {}
  for (const letter of letters.on) changed[FLAG_NAMES.get(letter) ?? ''] = true
  for (const letter of letters.off ?? '') changed[FLAG_NAMES.get(letter) ?? ''] = false
  const { unicode, ...known } = changed
  return { ...flags, ...known, ...(unicode === true ? { ascii: false } : {}) }
}

function inlineFlags(reader: Reader, flags: Flags, first: boolean, at: number): GroupHead {
  const letters = readFlagLetters(reader)
  const problem = flagProblem(letters, flags)
  if (problem !== null) refuse(reader, at, problem, FLAG_ADVICE)
  else if (letters.end === ':') return { kind: 'plain', flags: withFlags(flags, letters) }
  else if (first) reader.flags = withFlags(reader.flags, letters)
  else
    refuse(
      reader,
      at,
      'global flags not at the start of the expression',
      'Move them to the start, or write (?i:…) around the part.',
    )
  return NOTHING
}

function comment(reader: Reader): GroupHead {
  takeUntil(reader, ')', 'comment')
  return NOTHING
}

/** Reads the characters between "(" and the group's body. */
export function readGroupHead(reader: Reader, flags: Flags, first: boolean): GroupHead {
  const at = reader.pos - 1
  if (!accept(reader, '?')) return { kind: 'capture', name: null }
  const mark = LOOK_MARKS.find((candidate) => accept(reader, candidate))
  if (mark !== undefined) return { kind: 'look', mark }
  if (accept(reader, ':')) return { kind: 'plain', flags }
  if (accept(reader, '>')) return { kind: 'atomic' }
  if (accept(reader, '#')) return comment(reader)
  if (accept(reader, 'P')) return pythonExtension(reader, at)
  const char = peek(reader)
  if (FLAG_NAMES.has(char) || char === '-') return inlineFlags(reader, flags, first, at)
  if (char === '(')
    refuse(reader, at, 'conditional groups (?(…)…) are not supported', 'Write two alternatives.')
  else refuse(reader, at, `unknown extension ?${char}`, 'Escape the "(" or the "?".')
  return NOTHING
}
