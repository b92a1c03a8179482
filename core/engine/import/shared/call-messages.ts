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
import { asText, compact, isList, isObject, own, textAt } from './guards.ts'

/** What one input or output of a call holds; `structured` when it held messages, not only a plain text. */
export interface CallContent {
  readonly events: readonly EventContent[]
  readonly structured: boolean
}

/** An input or output that holds nothing. */
export const NO_CONTENT: CallContent = { events: [], structured: false }

/** Wrappers may be nested, but not deeper than this. */
const MAX_DEPTH = 8

/**
 * [I32] What was said in the input or output of a recorded call: a text, a message, a list of them,
 * a request or a response of any provider, or JSON of one of those in a string. Never throws.
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
    const inner = jsonIn(value)
    return inner !== undefined && typeof inner !== 'string' && takeValue(inner, reading, depth + 1)
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
    if (!takeValue(item, reading, depth + 1) && !takeRepr(item, reading)) takePlain(item, reading)
  }
  reading.structured = true
  return true
}

function holdsMessage(item: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  if (typeof item === 'string') return REPR.test(item)
  if (isList(item)) return item.some((inner) => holdsMessage(inner, depth + 1))
  if (!isObject(item)) return false
  return messageOf(item) !== null || isItem(item) || wrapperOf(item, depth + 1) !== null
}

/** A Python object as its `repr` says it (agno): `role='user' content='…' name=None …`. */
const REPR = /^role=(['"])(\w+)\1 content=(?:None|(['"])([\s\S]*?)\3)(?= \w+=|$)/

function takeRepr(item: unknown, reading: Reading): boolean {
  const match = typeof item === 'string' ? REPR.exec(item) : null
  if (match === null) return false
  const content = match[4]?.replaceAll('\\n', '\n').replaceAll(/\\(['"\\])/g, '$1')
  if (content !== undefined) takeMessage({ role: match[2] ?? '', fields: { content } }, reading)
  else reading.skip('message without content')
  return true
}

/** Not a message: a text, or a value as compact JSON. */
function takePlain(value: unknown, reading: Reading): void {
  const plain = typeof value === 'string' ? (jsonString(value) ?? value) : compact(value)
  if (plain.trim() === '') return
  if (reading.speaker === 'user') takeUserText(plain, reading)
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

/** Items of the Responses API and bare tool calls stand beside messages, without a role. */
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

type Wrapper = (value: unknown) => readonly unknown[]

/** [I32] Keys that hold messages in requests and responses, with what stands beside them. */
const WRAPPERS: ReadonlyArray<readonly [string, Wrapper]> = [
  ['messages', (value) => [...systemOf(value), own(value, 'messages')]],
  ['contents', (value) => [...systemOf(value), own(value, 'contents')]],
  [
    'choices',
    (value) =>
      listOf(own(value, 'choices')).map(
        (choice) => own(choice, 'message') ?? agentText(own(choice, 'text')),
      ),
  ],
  [
    'generations',
    (value) =>
      listOf(own(value, 'generations'))
        .flat(1)
        .map((item) => own(item, 'message') ?? agentText(own(item, 'text'))),
  ],
  ['candidates', (value) => listOf(own(value, 'candidates')).map((item) => own(item, 'content'))],
  ['message', (value) => [own(value, 'message')]],
  ['new_message', (value) => [own(value, 'new_message')]],
  ['output', (value) => [own(value, 'output')]],
  ['content', (value) => [own(value, 'content')]],
]

function listOf(value: unknown): readonly unknown[] {
  return isList(value) ? value : []
}

function agentText(value: unknown): unknown {
  return asText(value) === null ? null : { role: 'assistant', content: value }
}

/** The system prompt beside the messages: Anthropic, Vercel (`system`), Gemini, Responses API. */
function systemOf(value: unknown): readonly unknown[] {
  const config = own(value, 'config')
  const system =
    own(value, 'system') ??
    own(value, 'instructions') ??
    own(value, 'system_instruction') ??
    own(value, 'systemInstruction') ??
    own(config, 'system_instruction') ??
    own(config, 'systemInstruction')
  const content = own(system, 'parts') ?? system
  return content === undefined || content === null ? [] : [{ role: 'system', content }]
}

/** The values inside a wrapper, or null. `prompt` and `input` may also be a plain text of the user. */
function wrapperOf(value: unknown, depth: number): readonly unknown[] | null {
  for (const [key, unwrap] of WRAPPERS) {
    const inner = own(value, key)
    if (!isObject(inner) && !isList(inner)) continue
    const values = unwrap(value).filter((item) => item !== null && item !== undefined)
    if (values.some((item) => holdsMessage(item, depth))) return values
  }
  for (const key of ['prompt', 'input']) {
    const prompt = own(value, key)
    if (isList(prompt) && holdsMessage(prompt, depth)) return [...systemOf(value), prompt]
    const isRequest = key === 'prompt' || own(value, 'model') !== undefined
    if (asText(prompt) !== null && isRequest)
      return [...systemOf(value), { role: 'user', content: prompt }]
  }
  return null
}

function takeWrapper(value: unknown, reading: Reading, depth: number): boolean {
  const inner = wrapperOf(value, depth)
  if (inner === null) return false
  for (const item of inner) takeValue(item, reading, depth + 1)
  return true
}
