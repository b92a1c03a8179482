import { compact, isList, isObject, own, textAt } from '../shared/guards.ts'

/** Class of a history message, for matching it with the log. */
export type UnitClass = 'agent' | 'user' | 'tool' | 'warning' | 'other'

/** A message of the history in chronological order, or the summary that replaces some messages. */
export interface Unit {
  readonly class: UnitClass
  readonly id: string | null
  /** Text by which it is found in the log. */
  readonly text: string
  /** The tool of a result; for other texts of the harness, their kind. */
  readonly name: string | null
  /** Texts beside it: a system message, or the summary that the model sees instead. */
  readonly beside: ReadonlyArray<{ readonly name: string; readonly text: string }>
}

const MAX_DEPTH = 100

/** [I18] The messages of a history: bulks, then topics, then the current topic. */
export function unitsOf(history: unknown, skip: (type: string) => void): readonly Unit[] {
  const units: Unit[] = []
  if (own(history, 'metadata') !== undefined) skip('history/metadata')
  walk(history, 0, units, skip)
  return units
}

const CHILDREN = ['bulks', 'topics', 'current', 'records', 'messages']

function walk(node: unknown, depth: number, units: Unit[], skip: (type: string) => void): void {
  if (!isObject(node)) {
    skip('history/not an object')
    return
  }
  if (depth > MAX_DEPTH) {
    skip('history/nested too deeply')
    return
  }
  if (Object.hasOwn(node, 'ai') || Object.hasOwn(node, 'content')) {
    if (own(own(node, 'content'), 'file') !== undefined) skip('history/file')
    units.push(unitOf(node))
    return
  }
  for (const key of CHILDREN) {
    const child = own(node, key)
    for (const item of isList(child) ? child : child === undefined ? [] : [child])
      walk(item, depth + 1, units, skip)
  }
  const summary = textAt(node, 'summary')
  const name = (textAt(node, '_cls') ?? 'topic').toLowerCase()
  if (summary !== null) units.push(note('summary', `${name}-summary`, summary))
}

function note(kind: 'summary' | 'other', name: string, words: string): Unit {
  const beside = [{ name, text: words }]
  return { class: 'other', id: null, text: '', name: kind, beside }
}

function unitOf(message: unknown): Unit {
  const content = own(message, 'content')
  const id = textAt(message, 'id')
  const summary = textAt(message, 'summary')
  const beside = summary === null ? [] : [{ name: 'message-summary', text: summary }]
  const plain = { id, name: null, beside }
  if (own(message, 'ai') === true) return { ...plain, class: 'agent', text: compact(content) }
  if (typeof content === 'string') return { ...plain, class: 'user', text: content }
  return contentUnit(content, plain)
}

function contentUnit(content: unknown, plain: Pick<Unit, 'id' | 'name' | 'beside'>): Unit {
  const typed = own(content, 'user_message') ?? own(content, 'user_intervention')
  if (typed !== undefined) {
    const system = textOf(own(content, 'system_message'))
    const files = textOf(own(content, 'attachments'))
    const beside = [
      ...(system === '' ? [] : [{ name: 'system-message', text: system }]),
      ...(files === '' ? [] : [{ name: 'attachments', text: files }]),
      ...plain.beside,
    ]
    return { ...plain, beside, class: 'user', text: textOf(typed) }
  }
  const tool = textAt(content, 'tool_name')
  const result = own(content, 'tool_result')
  if (tool !== null || result !== undefined)
    return { ...plain, class: 'tool', name: tool, text: textOf(result) }
  const warning = own(content, 'system_warning')
  if (warning !== undefined) return { ...plain, class: 'warning', text: textOf(warning) }
  const summary = textAt(content, 'messages_summary')
  if (summary !== null) return note('summary', 'messages-summary', summary)
  const preview = textAt(content, 'preview')
  if (own(content, 'raw_content') !== undefined)
    return note('other', 'raw-content', preview ?? '[content without a preview]')
  return note('other', 'content', compact(content))
}

/** Text, or a list of texts. */
function textOf(value: unknown): string {
  return isList(value) ? value.map(compact).join('\n') : compact(value)
}
