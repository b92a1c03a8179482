import {
  messageOf,
  takeMessage,
  takePart,
  takeUserText,
  type Reading,
  type Speaker,
} from './call-message.ts'
import {
  argsText,
  jsonIn,
  partsOf,
  textContent,
  type EventContent,
  type Part,
} from './call-parts.ts'
import { loggedMessage, spokenText, valueIn } from './call-texts.ts'
import { wrapperOf } from './call-wrappers.ts'
import { compact, isList, isObject, own, textAt } from './guards.ts'

/** The content of one input or output of a call. `structured` if it held messages, not only a plain text. */
export interface CallContent {
  readonly events: readonly EventContent[]
  readonly structured: boolean
}

/** An input or output that holds nothing. */
export const NO_CONTENT: CallContent = { events: [], structured: false }

/** Wrappers may be nested, but not deeper than this. */
const MAX_DEPTH = 8

/**
 * [I32] The messages in the input or output of a recorded call. Accepts a text, a message, a list of messages, a
 * request or response of any provider, or JSON of one of those in a string. Never throws.
 */
export function callContent(
  value: unknown,
  speaker: Speaker,
  skip: (type: string) => void,
): CallContent {
  if (isList(value) && value.length === 0) return NO_CONTENT
  const reading: Reading = { out: [], speaker, skip, structured: false }
  if (!takeValue(value, reading, 0)) takePlain(value, reading)
  return { events: reading.out, structured: reading.structured }
}

/** Takes what holds messages; false when the value is something else. */
function takeValue(value: unknown, reading: Reading, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  if (typeof value === 'string') {
    const inner = valueIn(value)
    return inner !== undefined && takeValue(inner, reading, depth + 1)
  }
  if (isList(value)) return takeList(value, reading, depth)
  if (!isObject(value)) return false
  const message = messageOf(value)
  if (message !== null) takeMessage(message, reading)
  else if (!takeItem(value, reading) && !takeWrapper(value, reading, depth)) return false
  reading.structured = true
  return true
}

function takeList(list: readonly unknown[], reading: Reading, depth: number): boolean {
  if (!list.some((item) => holdsMessage(item, depth))) return false
  for (const item of list) {
    if (!takeValue(item, reading, depth + 1) && !takeLogged(item, reading)) takePlain(item, reading)
  }
  reading.structured = true
  return true
}

function holdsMessage(item: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  if (typeof item === 'string') return isLogged(item, depth)
  if (isList(item)) return item.some((inner) => holdsMessage(inner, depth + 1))
  if (!isObject(item)) return false
  if (messageOf(item) !== null || isItem(item)) return true
  return wrapperOf(item, (inner) => holdsMessage(inner, depth + 1)) !== null
}

function isLogged(item: string, depth: number): boolean {
  if (loggedMessage(item) !== null) return true
  const inner = /^\s*\{/.test(item) ? valueIn(item) : undefined
  return isObject(inner) && holdsMessage(inner, depth + 1)
}

/** [I114] A message that was logged as a text. */
function takeLogged(item: unknown, reading: Reading): boolean {
  const message = typeof item === 'string' ? loggedMessage(item) : null
  if (message === null) return false
  takeMessage(message, reading)
  return true
}

/** Not a message: a text, or a value as compact JSON. */
function takePlain(value: unknown, reading: Reading): void {
  const plain = typeof value === 'string' ? (jsonString(value) ?? value) : compact(value)
  if (plain.trim() === '') return
  const spoken = reading.speaker === 'user' ? spokenText(plain) : null
  if (spoken !== null) for (const message of spoken) takeMessage(message, reading)
  else if (reading.speaker === 'user') takeUserText(plain, reading)
  else reading.out.push(textContent('agent', plain, null))
}

/** Exporters write a text as JSON: `"\"hello\""`. */
function jsonString(value: string): string | null {
  const inner = value.startsWith('"') ? jsonIn(value) : undefined
  return typeof inner === 'string' ? inner : null
}

const ITEM_TYPES: readonly string[] = [
  'function_call',
  'function_call_output',
  'reasoning',
  'tool-call',
]

/** Responses API items and bare tool calls are listed next to messages, without a role. */
function isItem(value: unknown): boolean {
  const type = textAt(value, 'type')
  if (type !== null && ITEM_TYPES.includes(type)) return true
  return ['toolName', 'tool.name'].some((key) => textAt(value, key) !== null)
}

function takeItem(value: unknown, reading: Reading): boolean {
  if (!isItem(value)) return false
  const bare = textAt(value, 'type') === null
  const args = own(value, 'tool.args') ?? own(value, 'input') ?? own(value, 'args')
  const name = textAt(value, 'tool.name', 'toolName')
  const id = textAt(value, 'toolCallId')
  const parts: readonly Part[] = bare
    ? [{ kind: 'call', text: argsText(args), name, id }]
    : partsOf(value)
  for (const part of parts) takePart(part, 'agent', reading)
  return true
}

function takeWrapper(value: unknown, reading: Reading, depth: number): boolean {
  const inner = wrapperOf(value, (item) => holdsMessage(item, depth))
  if (inner === null) return false
  for (const item of inner) takeValue(item, reading, depth + 1)
  return true
}
