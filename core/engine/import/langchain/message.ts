import type { EventKind } from '../../schema/event-kind.ts'
import { argsText } from '../shared/call-parts.ts'
import { flatText } from '../shared/content-blocks.ts'
import type { Origin } from '../shared/drafts.ts'
import {
  asText,
  compact,
  entryOf,
  has,
  hasSome,
  isList,
  isObject,
  listAt,
  own,
  textAt,
} from '../shared/guards.ts'
import {
  byName,
  event,
  result,
  skip,
  takeParts,
  takeSaid,
  type PartReader,
  type Place,
  type Said,
} from '../shared/said.ts'
import { readAnyPart } from '../shared/said-parts.ts'
import { noteUsage } from '../shared/usage.ts'

/** [I131] Event kind by message type. Constructors (`HumanMessage`) are looked up in lower case. */
const KINDS: Readonly<Record<string, EventKind>> = {
  human: 'user',
  user: 'user',
  ai: 'agent',
  assistant: 'agent',
  system: 'system',
  developer: 'system',
  tool: 'tool_result',
  function: 'tool_result',
  chat: 'meta',
  remove: 'meta',
}
/** Types that no other format gives to a message. */
const OWN_TYPES: readonly string[] = ['human', 'ai']

export interface LangMessage {
  readonly type: string
  readonly fields: unknown
}

/** `HumanMessage`, `AIMessageChunk` and `ai` are the same names. */
function typeName(name: string | null): string | null {
  const plain = name?.replace(/Message(?:Chunk)?$/u, '').toLowerCase() ?? ''
  return entryOf(KINDS, plain) === undefined ? null : plain
}

/** [I131] A message as `dumps`, `model_dump` or `messages_to_dict` writes it, or as `{role, content}`. */
export function langMessage(value: unknown): LangMessage | null {
  const id = own(value, 'id')
  if (own(value, 'lc') !== undefined && isList(id)) {
    const type = typeName(asText(id.at(-1)))
    return type === null ? null : { type, fields: own(value, 'kwargs') }
  }
  const type = typeName(textAt(value, 'type'))
  const data = own(value, 'data')
  if (type !== null && has(data, 'content')) return { type, fields: data }
  if (type !== null && (has(value, 'content') || type === 'remove')) return { type, fields: value }
  const role = typeName(textAt(value, 'role'))
  return role !== null && has(value, 'content') ? { type: role, fields: value } : null
}

/** Whether a value is a message that only LangChain writes. */
export function isLangMessage(value: unknown): boolean {
  const message = langMessage(value)
  if (message === null) return false
  if (own(value, 'lc') !== undefined) return true
  const type = typeName(textAt(value, 'type'))
  if (type === null) return false
  return (
    OWN_TYPES.includes(type) || hasSome(message.fields, ['additional_kwargs', 'response_metadata'])
  )
}

/** Identifies a message across states. Excludes facts about its answer, which may be added later. */
export function identityOf({ type, fields }: LangMessage): string {
  const said = ['id', 'content', 'tool_calls', 'tool_call_id'].map((key) =>
    compact(own(fields, key)),
  )
  return [type, ...said].join('\0')
}

const CONTENT = byName({ input_json_delta: () => [skip('input_json_delta')] })

const readPart: PartReader = (part) => {
  const known = CONTENT(part)
  return typeof known === 'string' ? readAnyPart(part) : known
}

/** Returns the model that wrote the message; null if the message does not name it. */
export function modelOf(message: LangMessage): string | null {
  const about = own(message.fields, 'response_metadata')
  return textAt(about, 'model_name', 'model', 'model_id', 'modelId')
}

/** Events of a message: thoughts, content, and those calls that the content does not have. */
export function takeLangMessage(message: LangMessage, place: Place): void {
  const { type, fields } = message
  const kind = entryOf(KINDS, type) ?? 'meta'
  const origin: Origin = { ...place.origin, model: modelOf(message) }
  const here: Place = { ...place, origin }
  const before = place.writer.count()
  if (kind === 'tool_result') takeToolMessage(fields, here)
  else takeSpoken(fields, kind, type, here)
  const isNoted = noteUsage(place.writer, before, fields)
  if (!isNoted && isObject(own(fields, 'usage_metadata'))) place.log.skip('usage_metadata')
  if (isObject(own(fields, 'artifact'))) place.log.skip('artifact')
  if (place.writer.count() === before) place.log.skip(`${type} message without content`)
}

function takeToolMessage(fields: unknown, place: Place): void {
  const id = textAt(fields, 'tool_call_id')
  const isError = own(fields, 'status') === 'error'
  const text = flatText(own(fields, 'content'))
  takeSaid(result(textAt(fields, 'name'), id, text, isError), place)
}

function takeSpoken(fields: unknown, kind: EventKind, type: string, place: Place): void {
  const content = own(fields, 'content')
  const parts = isList(content) ? content : [content].filter((part) => asText(part) !== null)
  const said = new Set<string>()
  const read: PartReader = (part) => {
    const found = readPart(part)
    if (typeof found !== 'string')
      for (const one of found) if (one.as === 'call') said.add(one.id ?? '')
    return found
  }
  const extra = own(fields, 'additional_kwargs')
  const name = textAt(fields, 'name') ?? (kind === 'meta' ? (textAt(fields, 'role') ?? type) : null)
  for (const thought of thoughtsBeside(extra)) takeSaid(event('reasoning', thought), place)
  takeParts([...parts, ...refusalIn(extra)], read, { kind, name }, place)
  for (const one of callsBeside(fields, extra))
    if (one.id === null || !said.has(one.id)) takeSaid(one, place)
}

function thoughtsBeside(extra: unknown): readonly string[] {
  const summary = listAt(own(extra, 'reasoning'), 'summary').map((part) => textAt(part, 'text'))
  return [textAt(extra, 'reasoning_content'), ...summary].filter((text) => text !== null)
}

function refusalIn(extra: unknown): readonly string[] {
  const refusal = textAt(extra, 'refusal')
  return refusal === null ? [] : [refusal]
}

type Call = Extract<Said, { as: 'call' }>

/** Calls are in `tool_calls`. The provider's own form is read only if that list is empty. */
function callsBeside(fields: unknown, extra: unknown): readonly Call[] {
  const broken = listAt(fields, 'invalid_tool_calls')
  const given = [...listAt(fields, 'tool_calls'), ...broken]
  const legacy = own(extra, 'function_call')
  const raw = [...listAt(extra, 'tool_calls'), ...(isObject(legacy) ? [legacy] : [])]
  return (given.length > 0 ? given : raw).map((one) => {
    const inner = isObject(own(one, 'function')) ? own(one, 'function') : one
    const args = argsText(own(inner, 'args') ?? own(inner, 'arguments'))
    return { as: 'call', name: textAt(inner, 'name'), id: textAt(one, 'id'), text: args }
  })
}
