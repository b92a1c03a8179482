import { isCollection, isMap, isScalar, isSeq } from 'yaml'
import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import type { DomainFile } from '../../../engine/schema/domain.ts'
import { type Piece, extentAt, nodeAt } from '../../workspace/domains/domain-nodes.ts'
import { isSkillText } from '../../workspace/domains/skill-text.ts'
import { createBlockCache, whole } from '../../workspace/domains/domain-pieces.ts'
import { readDomainText } from '../../workspace/domains/domain-text.ts'
import { type DraftEdit, expectedAfter } from './expected-edit.ts'
import { addMadeFrom } from './made-from.ts'
import { editSkillText } from './skill-edit.ts'

/** A piece of text in another's place. */
interface Splice {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * [T45] Changes one value of a domain file. Only the bytes of that value change: comments, order, quotes and blank
 * lines elsewhere stay. The result is parsed again and must have the requested meaning. If it does not, the text is
 * unchanged and a problem is returned.
 */
export function editDomainText(text: string, edit: DraftEdit): Result<string> {
  if (isSkillText(text)) return editSkillText(text, edit)
  const cache = createBlockCache()
  const before = readDomainText(text, cache).value
  const index = before?.domains.findIndex(({ name }) => name === edit.domain) ?? -1
  const { items } = whole(text)
  const item = items[index]
  if (before === null || item === undefined) return err(problemOf(edit, 'there is no such domain'))
  const splice = spliceFor(text, item, edit)
  if (splice === null) return err(problemOf(edit, 'this form of writing cannot be changed here'))
  const changed = text.slice(0, splice.from) + splice.text + text.slice(splice.to)
  const after = readDomainText(changed, cache).value
  if (sameFile(after, expectedAfter(before, index, edit)))
    return edit.kind === 'add' && edit.madeFrom ? addMadeFrom(changed, edit.madeFrom) : ok(changed)
  return err(problemOf(edit, 'the change would have meant something else'))
}

/** Do two readings of a domain file mean the same? The order of keys says nothing. */
export function sameFile(a: DomainFile | null, b: DomainFile): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

/** The same value with sorted keys, because a new key may be at any position. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]),
  )
}

function problemOf({ domain }: DraftEdit, what: string): Problem {
  return { what, where: `domain "${domain}"`, do: 'Edit the text itself' }
}

function spliceFor(text: string, item: Piece, edit: DraftEdit): Splice | null {
  switch (edit.kind) {
    case 'pattern':
      return replacePattern(text, item, edit)
    case 'add':
      return addSignal(text, item, edit)
    case 'remove':
      return removeSignal(text, item, edit.signal)
    case 'priority':
      return setKey(text, item, 'priority', String(edit.priority))
    case 'minSignals':
      return setKey(text, item, 'minSignals', edit.value === null ? null : String(edit.value))
    case 'breakMinSignals':
      // Null is a value here: never (B1).
      return setKey(text, item, 'breakMinSignals', String(edit.value))
  }
}

function replacePattern(
  text: string,
  item: Piece,
  { signal, pattern }: Extract<DraftEdit, { kind: 'pattern' }>,
): Splice | null {
  const entry = nodeAt(item, ['signals', signal])
  const path = isMap(entry) ? ['signals', signal, 'pattern'] : ['signals', signal]
  const node = nodeAt(item, path)
  if (!isScalar(node)) return null
  const extent = extentAt(item, path)
  const old = text.slice(extent.from, extent.to)
  // A block scalar ends behind its last line break.
  const tail = old.endsWith('\n') ? '\n' : ''
  return { ...extent, text: `${quoted(pattern, node.type === 'QUOTE_DOUBLE')}${tail}` }
}

/** A text as a YAML scalar on one line. */
function quoted(value: string, double: boolean): string {
  // oxlint-disable-next-line no-control-regex -- what single quotes cannot hold
  if (double || /[\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]/u.test(value)) {
    return JSON.stringify(value)
  }
  return `'${value.replaceAll("'", "''")}'`
}

function addSignal(
  text: string,
  item: Piece,
  { pattern, id, note }: Extract<DraftEdit, { kind: 'add' }>,
): Splice | null {
  const list = nodeAt(item, ['signals'])
  if (!isSeq(list)) return null
  const extent = extentAt(item, ['signals'])
  const count = list.items.length
  if (list.flow === true) {
    const fields = Object.entries({ id, pattern, note }).filter(([, value]) => value !== undefined)
    const written = fields.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    const inline = id === null ? JSON.stringify(pattern) : `{ ${written.join(', ')} }`
    if (count === 0) return { ...extent, text: `[${inline}]` }
    const { to } = extentAt(item, ['signals', count - 1])
    return { from: to, to, text: `, ${inline}` }
  }
  const last = extentAt(item, ['signals', count - 1])
  const indent = indentOfItem(text, last.from)
  if (indent === null) return null
  const lines =
    id === null
      ? [`${indent}- ${quoted(pattern, false)}`]
      : [
          `${indent}- id: ${quotedId(id)}`,
          `${indent}  pattern: ${quoted(pattern, false)}`,
          ...(note === undefined ? [] : [`${indent}  note: ${quoted(note, false)}`]),
        ]
  const at = endOfLine(text, last.to)
  const lead = at > 0 && text[at - 1] !== '\n' ? '\n' : ''
  return { from: at, to: at, text: `${lead}${lines.join('\n')}\n` }
}

/** Ids are words with hyphens, which need no quotes; others get them. */
function quotedId(id: string): string {
  return /^[a-z][\w-]*$/iu.test(id) && !/^(?:true|false|null|yes|no|on|off|y|n)$/iu.test(id)
    ? id
    : quoted(id, false)
}

/** The indentation before the `- ` of a list item at an offset; null if the line is not a list item. */
function indentOfItem(text: string, from: number): string | null {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const lead = /^( *)- +$/u.exec(text.slice(start, from))
  return lead?.[1] ?? null
}

/** The offset behind the line break of the line that an offset is in, or before, when it is a line's start. */
function endOfLine(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset
  const next = text.indexOf('\n', offset)
  return next < 0 ? text.length : next + 1
}

function removeSignal(text: string, item: Piece, signal: number): Splice | null {
  const list = nodeAt(item, ['signals'])
  if (!isSeq(list) || signal >= list.items.length) return null
  const extent = extentAt(item, ['signals', signal])
  if (list.flow === true) return removeFromFlow(item, signal, list.items.length)
  const first = text.lastIndexOf('\n', extent.from - 1) + 1
  const end = endOfLine(text, extent.to)
  if (list.items.length > 1) {
    return indentOfItem(text, extent.from) === null ? null : { from: first, to: end, text: '' }
  }
  // An empty list has to be written: nothing at all would be null.
  const whole_ = extentAt(item, ['signals'])
  const lead = text.slice(0, whole_.from).replace(/\s+$/u, '').length
  return { from: lead, to: end, text: ' []\n' }
}

function removeFromFlow(item: Piece, signal: number, count: number): Splice {
  const own = extentAt(item, ['signals', signal])
  if (signal + 1 < count) {
    return { from: own.from, to: extentAt(item, ['signals', signal + 1]).from, text: '' }
  }
  const from = signal === 0 ? own.from : extentAt(item, ['signals', signal - 1]).to
  return { from, to: own.to, text: '' }
}

/** Sets a key of a domain to a plain value, or takes it away (null). */
function setKey(text: string, item: Piece, key: string, value: string | null): Splice | null {
  const { node } = item
  if (!isMap(node)) return null
  const pair = node.items.find((each) => isScalar(each.key) && each.key.value === key)
  if (pair !== undefined) {
    if (isCollection(pair.value)) return null
    const extent = extentAt(item, [key])
    if (value !== null) return { ...extent, text: value }
    return node.flow === true ? null : removeLine(text, extent.from, key)
  }
  if (value === null) return { from: 0, to: 0, text: '' }
  const { to } = extentAt(item, ['name'])
  if (node.flow === true) return { from: to, to, text: `, ${JSON.stringify(key)}: ${value}` }
  const indent = indentOfKeys(text, item)
  const at = endOfLine(text, to)
  const lead = at > 0 && text[at - 1] !== '\n' ? '\n' : ''
  return { from: at, to: at, text: `${lead}${indent}${key}: ${value}\n` }
}

function removeLine(text: string, offset: number, key: string): Splice | null {
  const from = text.lastIndexOf('\n', offset - 1) + 1
  const to = endOfLine(text, offset)
  const line = text.slice(from, to)
  // The first key of an item shares its line with the `- `.
  return line.trimStart().startsWith(`${key}:`) ? { from, to, text: '' } : null
}

/** The column of a block mapping's keys, as spaces. */
function indentOfKeys(text: string, { node, base }: Piece): string {
  const from = base + (node?.range?.[0] ?? 0)
  const start = text.lastIndexOf('\n', from - 1) + 1
  return ' '.repeat(from - start)
}
