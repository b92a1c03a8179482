import { type Problem, type Result, err, ok } from '../../../engine/result.ts'
import type { DomainFile, SignalEntry } from '../../../engine/schema/domain.ts'
import type { JsonPath } from '../../../engine/skills/translate.ts'
import { type JsonNode, memberOf, nodeAtPath } from '../../workspace/domains/json-tree.ts'
import { readSkillText } from '../../workspace/domains/skill-text.ts'
import type { SkillTree } from '../../workspace/domains/text-places.ts'
import type { DraftEdit } from './expected-edit.ts'

interface Splice {
  readonly from: number
  readonly to: number
  readonly text: string
}

interface Place {
  readonly text: string
  readonly root: JsonNode
  /** Of the skill. */
  readonly path: JsonPath
  /** Of the signal that is edited. */
  readonly signal: JsonPath | null
}

/**
 * [K18] Changes one trigger of skill rules, as T45 does in a domain file. Only the bytes of that trigger change; order
 * and comments elsewhere stay. The result must have the requested meaning.
 */
export function editSkillText(text: string, edit: DraftEdit): Result<string> {
  const before = readSkillText(text)
  const index = before.value?.domains.findIndex(({ name }) => name === edit.domain) ?? -1
  const { skills, value } = before
  if (value === null || skills === null || index < 0)
    return err(problemOf(edit, 'there is no such skill'))
  const splice = spliceFor({ text, ...placeOf(skills, index, edit) }, edit)
  if (splice === null) return err(problemOf(edit, 'skill rules have no place for this'))
  const changed = text.slice(0, splice.from) + splice.text + text.slice(splice.to)
  const after = readSkillText(changed).value
  if (after !== null && meansSo(value, after, { index, edit })) return ok(changed)
  return err(problemOf(edit, 'the change would have meant something else'))
}

function problemOf({ domain }: DraftEdit, what: string): Problem {
  return { what, where: `skill "${domain}"`, do: 'Edit the text itself' }
}

function placeOf({ root, translated }: SkillTree, index: number, edit: DraftEdit) {
  const places = translated.places[index]
  const signal = 'signal' in edit ? (places?.signals[edit.signal] ?? null) : null
  return { root, path: places?.path ?? [], signal }
}

function spliceFor(place: Place, edit: DraftEdit): Splice | null {
  switch (edit.kind) {
    case 'pattern':
      return replaceTrigger(place, edit.pattern)
    case 'remove':
      return removeTrigger(place)
    case 'add':
      return addPattern(place, edit.pattern)
    case 'priority':
    case 'minSignals':
    case 'breakMinSignals':
      return null
  }
}

function replaceTrigger({ root, signal }: Place, pattern: string): Splice | null {
  if (signal?.[0] !== 'skills') return null
  const { node, whole } = nodeAtPath(root, signal)
  if (!whole || node.kind !== 'value') return null
  return { from: node.from, to: node.to, text: JSON.stringify(pattern) }
}

/** The list and the element's number; a weighted trigger is an object in the list. */
function elementOf({ root, signal }: Place) {
  if (signal?.[0] !== 'skills') return null
  const at = signal.findLastIndex((step) => typeof step === 'number')
  const list = nodeAtPath(root, signal.slice(0, at)).node
  const number = signal[at]
  return list.kind === 'array' && typeof number === 'number' ? { list, number } : null
}

function removeTrigger(place: Place): Splice | null {
  const element = elementOf(place)
  const own = element?.list.items[element.number]
  if (element === null || own === undefined) return null
  const next = element.list.items[element.number + 1]
  const before = element.list.items[element.number - 1]
  // Removes the element with the comma after it, else with the one before. Comments in between stay with the element
  // that they follow.
  if (next !== undefined) return cut(place.text, own.from, next.from, own.to)
  if (before === undefined) return { from: own.from, to: own.to, text: '' }
  return { from: before.to, to: own.to, text: '' }
}

/** Removes an element with its comma and the blanks after it, or only with the comma if a comment follows. */
function cut(text: string, from: number, next: number, to: number): Splice | null {
  const between = text.slice(to, next)
  if (/^\s*,\s*$/u.test(between)) return { from, to: next, text: '' }
  const comma = /^\s*,/u.exec(between)
  return comma === null ? null : { from, to: to + comma[0].length, text: '' }
}

/** Adds an intent pattern. If the skill has no list of them, creates one. */
function addPattern({ text, root, path }: Place, pattern: string): Splice | null {
  const skill = nodeAtPath(root, path).node
  const triggers = memberOf(skill, 'promptTriggers') ?? memberOf(skill, 'triggers')
  const written = JSON.stringify(pattern)
  if (triggers?.node.kind !== 'object') return null
  const list = memberOf(triggers.node, 'intentPatterns')?.node
  if (list === undefined) {
    const at = triggers.node.from + 1
    const more = triggers.node.members.length > 0 ? ',' : ''
    return { from: at, to: at, text: ` "intentPatterns": [${written}]${more}` }
  }
  if (list.kind !== 'array') return null
  const last = list.items.at(-1)
  if (last === undefined) return { from: list.from + 1, to: list.from + 1, text: written }
  const line = text.slice(text.lastIndexOf('\n', last.from) + 1, last.from)
  const gap = /^\s+$/u.test(line) ? `\n${line}` : ' '
  return { from: last.to, to: last.to, text: `,${gap}${written}` }
}

interface Asked {
  readonly index: number
  readonly edit: DraftEdit
}

/** True if only the skill's signals changed, and only by the requested edit. */
function meansSo(before: DomainFile, after: DomainFile, { index, edit }: Asked): boolean {
  const rest = (file: DomainFile) =>
    JSON.stringify(
      file.domains.map((domain, at) => (at === index ? { ...domain, signals: [] } : domain)),
    )
  if (rest(before) !== rest(after)) return false
  const old = signalsOf(before, index)
  const now = signalsOf(after, index)
  if (edit.kind === 'pattern') {
    const expected = old.map((one, at) => (at === edit.signal ? edit.pattern : one))
    return JSON.stringify(now) === JSON.stringify(expected)
  }
  if (edit.kind === 'remove')
    return JSON.stringify(now) === JSON.stringify(old.toSpliced(edit.signal, 1))
  // Intent patterns come before other kinds, so the position of the new one depends on its kind.
  const at = now.findIndex((pattern, place) => pattern !== old[place])
  return (
    edit.kind === 'add' &&
    now[at] === edit.pattern &&
    JSON.stringify(now.toSpliced(at, 1)) === JSON.stringify(old)
  )
}

function signalsOf(file: DomainFile, index: number): readonly string[] {
  const entries: readonly SignalEntry[] = file.domains[index]?.signals ?? []
  return entries.map((entry) => (typeof entry === 'string' ? entry : entry.pattern))
}
