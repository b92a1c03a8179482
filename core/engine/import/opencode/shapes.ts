import { has, isList, isObject, own, textAt } from '../shared/guards.ts'

const ROLES = new Set(['user', 'assistant'])

/** Known part types. Other parts are listed with their type. */
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

/** Whether a value is a session's own record. */
export function isSession(value: unknown): boolean {
  if (textAt(value, 'id') === null || has(value, 'role') || !isStamped(value)) return false
  return textAt(value, 'projectID', 'directory', 'slug') !== null
}

/** Whether a value is a message's own record, without its parts. */
export function isMessage(value: unknown): boolean {
  if (textAt(value, 'id') === null || !ROLES.has(textAt(value, 'role') ?? '')) return false
  return textAt(value, 'sessionID') !== null && isStamped(value)
}

/** A part in a separate file. Some parts name no message; their folder does. */
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

/** An export, possibly without its messages. */
export function isExport(value: unknown): boolean {
  return isObject(value) && isSession(own(value, 'info'))
}
