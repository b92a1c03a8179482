import { has, isList, isObject, own, textAt } from '../shared/guards.ts'

const ROLES = new Set(['user', 'assistant'])

/** Types of parts. What is not here is listed with its type. */
export const PART_TYPES = new Set([
  'text',
  'reasoning',
  'tool',
  'file',
  'agent',
  'subtask',
  'retry',
  'compaction',
  'step-start',
  'step-finish',
  'snapshot',
  'patch',
])

function isStamped(value: unknown): boolean {
  return typeof own(own(value, 'time'), 'created') === 'number'
}

/** What a session says of itself. */
export function isSession(value: unknown): boolean {
  if (textAt(value, 'id') === null || has(value, 'role') || !isStamped(value)) return false
  return textAt(value, 'projectID', 'directory', 'slug') !== null
}

/** What a message says of itself, without its parts. */
export function isMessage(value: unknown): boolean {
  if (textAt(value, 'id') === null || !ROLES.has(textAt(value, 'role') ?? '')) return false
  return textAt(value, 'sessionID') !== null && isStamped(value)
}

/** A part in a file of its own. Some name no message: the folder does. */
export function isPart(value: unknown): boolean {
  const type = textAt(value, 'type')
  if (type === null || textAt(value, 'id') === null) return false
  if (textAt(value, 'messageID') !== null) return true
  return PART_TYPES.has(type) && typeof own(own(value, 'time'), 'start') === 'number'
}

/** A message with its parts, as exports have them. */
export function isWhole(value: unknown): boolean {
  return isMessage(own(value, 'info')) && isList(own(value, 'parts'))
}

/** An export, or what is left of it without its messages. */
export function isExport(value: unknown): boolean {
  return isObject(value) && isSession(own(value, 'info'))
}
