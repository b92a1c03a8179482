import type { PlainEvent } from '../../schema/event.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import { parseJson } from '../json/value.ts'
import { flatText, piecesOf, type Piece } from './content-blocks.ts'
import { compact, isList, isObject, own, textAt } from './guards.ts'

/** The content of an event, without its time and place in the file. */
export type EventContent = Pick<PlainEvent, 'kind' | 'text' | 'name' | 'callId' | 'isError'>

/** Content that is neither a call nor a result. */
export function textContent(
  kind: EventKind,
  text: string,
  name: string | null,
  isError = false,
): EventContent {
  return { kind, text, name, callId: null, isError }
}

/** A part of a message: a piece as in `content-blocks.ts`, but results may name their tool. */
export type Part =
  | Exclude<Piece, { readonly kind: 'result' }>
  | {
      readonly kind: 'result'
      readonly text: string
      readonly id: string | null
      readonly name: string | null
      readonly isError: boolean
    }

type PartReader = (part: unknown) => Part | null

/**
 * [I32] Parts of content by their `type`: OpenTelemetry GenAI (`content`, `tool_call`,
 * `tool_call_response`, `blob`), Vercel AI SDK (`tool-call`, `tool-result`), Inspect (`reasoning`,
 * `tool_use` with its result). Null leaves the part to `content-blocks.ts`.
 */
const BY_TYPE: Readonly<Record<string, PartReader>> = {
  text: (part) => ({ kind: 'text', text: words(part) }),
  reasoning: (part) => ({ kind: 'reasoning', text: thought(part) }),
  thinking: (part) => ({ kind: 'reasoning', text: thought(part) }),
  tool_call: (part) =>
    own(part, 'value') === undefined ? call(part, ['arguments', 'args', 'input']) : null,
  'tool-call': (part) => call(part, ['input', 'args', 'arguments']),
  function_call: (part) => call(part, ['arguments']),
  tool_call_response: response,
  'tool-result': response,
  function_call_output: response,
  image: (part) => (typeof own(part, 'image') === 'string' ? dataOf('image', part, 'image') : null),
  audio: (part) => dataOf('audio', part, 'audio'),
  video: (part) => dataOf('video', part, 'video'),
  blob: (part) => dataOf(textAt(part, 'modality') ?? 'file', part, 'content'),
  uri: (part) => dataOf(textAt(part, 'modality') ?? 'file', part, 'uri'),
  document: (part) =>
    own(part, 'source') === undefined ? dataOf('document', part, 'document') : null,
  data: (part) => ({ kind: 'text', text: compact(own(part, 'data')) }),
}

/** Microsoft's agents write the name of their class: `Microsoft.Extensions.AI.TextReasoningContent`. */
const THOUGHT_TYPE = /\bTextReasoningContent$/

/** Parts that are recognised by a key: Gemini (`functionCall`), Bedrock (`toolUse`), untyped thoughts. */
const BY_KEY: ReadonlyArray<readonly [string, (value: unknown, part: unknown) => Part]> = [
  ['function_call', (value) => call(value, ['args'])],
  ['functionCall', (value) => call(value, ['args'])],
  ['toolUse', (value) => call(value, ['input'])],
  ['function_response', response],
  ['functionResponse', response],
  ['toolResult', response],
  ['inline_data', (value) => dataOf('file', value, 'data')],
  ['inlineData', (value) => dataOf('file', value, 'data')],
  ['file_data', (value) => dataOf('file', value, 'file_uri')],
  ['fileData', (value) => dataOf('file', value, 'fileUri')],
  ['text', (_, part) => untyped(part)],
]

/** Content of a message as parts: a string is one text. */
export function partsOf(content: unknown): readonly Part[] {
  if (isList(content)) return content.map(partOf)
  return isObject(content) ? [partOf(content)] : piecesOf(content).map(withName)
}

function partOf(part: unknown): Part {
  const type = own(part, 'type')
  if (typeof type === 'string') {
    const reader = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined
    const known = (THOUGHT_TYPE.test(type) ? BY_TYPE['thinking'] : reader)?.(part)
    if (known !== null && known !== undefined) return known
  } else {
    for (const [key, reader] of BY_KEY) {
      const value = own(part, key)
      if (value !== undefined && value !== null) return reader(value, part)
    }
  }
  const piece = piecesOf([part])[0]
  return piece === undefined ? { kind: 'unknown', type: 'untyped' } : withName(piece)
}

function withName(piece: Piece): Part {
  return piece.kind === 'result' ? { ...piece, name: null } : piece
}

/** The first of some keys that is a text with something in it. */
function firstText(part: unknown, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = textAt(part, key)
    if (value !== null) return value
  }
  return null
}

function words(part: unknown): string {
  const value = own(part, 'text') ?? own(part, 'content') ?? own(part, 'value')
  return typeof value === 'string' ? value : flatText(value)
}

function thought(part: unknown): string {
  const keys = ['reasoning', 'thinking', 'content', 'text', 'summary']
  const text = firstText(part, keys) ?? textAt(own(part, 'content'), 'text')
  if (text !== null) return text
  if (own(part, 'redacted') === true) return '[redacted thinking]'
  const pieces = own(part, 'summary') ?? own(part, 'content')
  // The Responses API: `{type: 'summary_text', text}`.
  return isList(pieces)
    ? pieces.map((piece) => textAt(piece, 'text') ?? flatText([piece])).join('\n')
    : flatText(own(part, 'summary'))
}

function untyped(part: unknown): Part {
  const isThought = own(part, 'thought') === true
  return { kind: isThought ? 'reasoning' : 'text', text: words(part) }
}

function call(part: unknown, keys: readonly string[]): Part {
  let args: unknown
  for (const key of keys) args ??= own(part, key)
  return { kind: 'call', text: argsText(args), name: nameOf(part), id: callIdOf(part) }
}

function response(part: unknown): Part {
  const keys = ['response', 'result', 'output', 'content', 'value']
  let value: unknown
  for (const key of keys) value ??= own(part, key)
  // Vercel AI SDK 5: {"type":"text","value":…}.
  const inner = own(value, 'value') !== undefined && textAt(value, 'type') !== null
  const isError =
    own(part, 'isError') === true ||
    own(part, 'status') === 'error' ||
    (textAt(value, 'type') ?? '').startsWith('error')
  const text = flatText(inner ? own(value, 'value') : value)
  return { kind: 'result', text, id: callIdOf(part), name: nameOf(part), isError }
}

function nameOf(part: unknown): string | null {
  return firstText(part, ['name', 'toolName', 'tool_name', 'tool.name', 'function'])
}

function callIdOf(part: unknown): string | null {
  const keys = ['id', 'toolCallId', 'tool_call_id', 'call_id', 'toolUseId', 'tool_use_id']
  // In the Responses API `id` is that of the item; `call_id` joins call and output.
  return textAt(part, 'call_id') ?? firstText(part, keys)
}

/** Arguments of a call as compact JSON, whether they came as a value or as JSON in a string. */
export function argsText(args: unknown): string {
  if (typeof args !== 'string') return compact(args)
  const value = jsonIn(args)
  return isObject(value) || isList(value) ? compact(value) : args
}

/** The JSON value that a string holds; undefined when it holds none. */
export function jsonIn(value: string): unknown {
  return /^\s*[[{"]/.test(value) ? parseJson(value) : undefined
}

/** Bytes or a link under a key, as a stub with type and size. */
function dataOf(what: string, part: unknown, key: string): Part {
  const value = textAt(part, key) ?? ''
  const given = firstText(part, ['mime_type', 'mimeType', 'mediaType', 'media_type', 'format'])
  const comma = value.startsWith('data:') ? value.indexOf(',') : -1
  const type =
    comma < 0 ? (given ?? '') : (value.slice(5, Math.min(comma, 65)).split(';', 1)[0] ?? '')
  const label = `${what.slice(0, 20)}${type === '' ? '' : ` ${type.slice(0, 60)}`}`
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value))
    return { kind: 'stub', text: `[${label} ${value.slice(0, 300)}]` }
  const size = Math.ceil(((value.length - comma - 1) * 3) / 4 / 1000)
  return { kind: 'stub', text: `[${label}${value === '' ? '' : ` ${size} kB`}]` }
}
