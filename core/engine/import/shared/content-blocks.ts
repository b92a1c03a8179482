import { parseJson } from '../json/value.ts'
import { asText, compact, entryOf, isList, isObject, own, textAt } from './guards.ts'
import { modelOutput } from './model-output.ts'

/** A piece of a message's content in terms of events, independent of the provider's names. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  /** Placeholder for bytes that are not text: `[image image/png 123 kB]`. */
  | { readonly kind: 'stub'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | {
      readonly kind: 'call'
      readonly text: string
      readonly name: string | null
      readonly id: string | null
    }
  | {
      readonly kind: 'result'
      readonly text: string
      readonly id: string | null
      readonly isError: boolean
    }
  | { readonly kind: 'unknown'; readonly type: string }

type Reader = (block: unknown, type: string) => Piece

/** [I7] Block types of Anthropic- and OpenAI-style content. A new block type is a row here. */
const READERS: Readonly<Record<string, Reader>> = {
  text: textOf,
  input_text: textOf,
  output_text: textOf,
  refusal: (block) => ({ kind: 'text', text: textAt(block, 'refusal') ?? '' }),
  thinking: (block) => ({ kind: 'reasoning', text: textAt(block, 'thinking') ?? '' }),
  // Kimi CLI; see I133.
  think: (block) => ({ kind: 'reasoning', text: textAt(block, 'think') ?? '' }),
  reasoning: (block) => ({ kind: 'reasoning', text: plainText(block) }),
  redacted_thinking: () => ({ kind: 'reasoning', text: '[redacted thinking]' }),
  tool_use: callOf,
  server_tool_use: callOf,
  mcp_tool_use: callOf,
  tool_call: valueCallOf,
  toolCall: (block) => ({
    kind: 'call',
    text: compact(own(block, 'arguments')),
    name: textAt(block, 'name'),
    id: textAt(block, 'id'),
  }),
  // Vercel AI SDK; see I130.
  'tool-call': (block) => ({
    kind: 'call',
    text: compact(own(block, 'input') ?? own(block, 'args')),
    name: textAt(block, 'toolName'),
    id: textAt(block, 'toolCallId'),
  }),
  'tool-result': (block) => ({
    kind: 'result',
    id: textAt(block, 'toolCallId'),
    ...modelOutput(block),
  }),
  tool_result: resultOf,
  mcp_tool_result: resultOf,
  image: imageOf,
  document: (block) => stub('document', block),
  image_url: imageUrlOf,
  input_image: imageUrlOf,
  input_audio: (block) => stub('audio', own(block, 'input_audio')),
  file: (block) => stub('file', own(block, 'file')),
  tool_reference: (block) => ({
    kind: 'stub',
    text: `[tool ${textAt(block, 'tool_name') ?? '?'}]`,
  }),
}

/** Content as pieces: a string is one text, null is nothing, a list has one piece an item. */
export function piecesOf(content: unknown): readonly Piece[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  if (isObject(content)) return [pieceOf(content)]
  return isList(content) ? content.map(pieceOf) : []
}

function pieceOf(block: unknown): Piece {
  if (typeof block === 'string') return { kind: 'text', text: block }
  const type = own(block, 'type')
  if (typeof type !== 'string') {
    // Some exporters leave the type of a text part out.
    if (isObject(block) && typeof block['text'] === 'string')
      return { kind: 'text', text: block['text'] }
    return keyedPiece(block) ?? { kind: 'unknown', type: 'untyped' }
  }
  const reader = entryOf(READERS, type) ?? byEnding(type)
  return reader?.(block, type) ?? { kind: 'unknown', type }
}

/** [I176] Blocks of Bedrock's Converse, Strands and Amazon's agents: the only key is the type. */
const KEYED: Readonly<Record<string, (value: unknown) => Piece>> = {
  toolUse: (value) => ({
    kind: 'call',
    text: compact(own(value, 'input')),
    name: textAt(value, 'name'),
    id: textAt(value, 'toolUseId'),
  }),
  toolResult: (value) => ({
    kind: 'result',
    text: flatText(own(value, 'content')),
    id: textAt(value, 'toolUseId'),
    isError: own(value, 'status') === 'error',
  }),
  reasoningContent: (value) => ({
    kind: 'reasoning',
    text:
      textAt(own(value, 'reasoningText'), 'text') ?? textAt(value, 'text') ?? '[redacted thinking]',
  }),
  citationsContent: (value) => ({ kind: 'text', text: flatText(own(value, 'content')) }),
  guardContent: (value) => ({ kind: 'text', text: textAt(own(value, 'text'), 'text') ?? '' }),
  json: (value) => ({ kind: 'text', text: compact(value) }),
  image: (value) => stub('image', value),
  document: (value) => stub('document', value),
  video: (value) => stub('video', value),
  cachePoint: () => ({ kind: 'text', text: '' }),
}

function keyedPiece(block: unknown): Piece | null {
  if (!isObject(block)) return null
  for (const [key, value] of Object.entries(block).slice(0, 4)) {
    const piece = entryOf(KEYED, key)?.(value)
    if (piece !== undefined) return piece
  }
  return null
}

/** [I105] The provider's own tools have separate block types with a common ending. */
function byEnding(type: string): Reader | undefined {
  if (type.endsWith('_tool_result')) return serverResultOf
  return type.endsWith('_tool_use') ? callOf : undefined
}

/** Text under any of the names in use. */
function plainText(block: unknown): string {
  return textAt(block, 'text', 'value', 'content') ?? ''
}

function textOf(block: unknown): Piece {
  return { kind: 'text', text: plainText(block) }
}

function callOf(block: unknown): Piece {
  const { name, id, input } = {
    name: textAt(block, 'name'),
    id: textAt(block, 'id'),
    input: own(block, 'input'),
  }
  return { kind: 'call', text: compact(input), name, id }
}

/** LLaMA-Factory: `{type: "tool_call", value: "{\"name\":…,\"arguments\":…}"}`. */
function valueCallOf(block: unknown): Piece {
  const value = own(block, 'value')
  // Arguments that are not JSON are shown unchanged.
  const call = typeof value === 'string' ? (parseJson(value) ?? value) : value
  const args = own(call, 'arguments')
  return {
    kind: 'call',
    text: compact(args === undefined ? value : args),
    name: textAt(call, 'name'),
    id: textAt(block, 'id'),
  }
}

function resultOf(block: unknown): Piece {
  return {
    kind: 'result',
    text: flatText(own(block, 'content')),
    id: textAt(block, 'tool_use_id'),
    isError: own(block, 'is_error') === true,
  }
}

function serverResultOf(block: unknown): Piece {
  const { text, isError } = serverResult(own(block, 'content'))
  return { kind: 'result', text, id: textAt(block, 'tool_use_id'), isError }
}

/** Content of a result as one text; images are stubs, other values compact JSON. */
export function flatText(content: unknown): string {
  if (content === null || content === undefined) return ''
  if (!isList(content)) return compact(content)
  const parts = content.map((item) => {
    const piece = pieceOf(item)
    return piece.kind === 'unknown' ? compact(item) : piece.text
  })
  return parts.join('\n')
}

/** The size of bytes in a stub, with a leading blank; empty if unknown. */
export function kilobytes(base64: unknown): string {
  // A reference to bytes that are elsewhere says nothing about their size.
  if (typeof base64 !== 'string' || base64.startsWith('blob:')) return ''
  return ` ${Math.ceil((base64.length * 3) / 4 / 1000)} kB`
}

function imageOf(block: unknown): Piece {
  // pi has type and data in the block itself.
  const source = own(block, 'source') ?? {
    media_type: own(block, 'mimeType'),
    data: own(block, 'data'),
  }
  const type = textAt(source, 'media_type', 'type') ?? 'unknown'
  return { kind: 'stub', text: `[image ${type.slice(0, 60)}${kilobytes(own(source, 'data'))}]` }
}

function imageUrlOf(block: unknown): Piece {
  const field = own(block, 'image_url')
  const url = asText(field) ?? textAt(field, 'url') ?? ''
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  if (comma < 0) return { kind: 'stub', text: `[image ${url.slice(0, 300)}]` }
  const type = url.slice(5, Math.min(comma, 65)).split(';', 1)[0] ?? ''
  return { kind: 'stub', text: `[image ${type}${kilobytes(url.slice(comma + 1))}]` }
}

function stub(what: string, block: unknown): Piece {
  const source = own(block, 'source') ?? block
  const type = textAt(source, 'media_type', 'format')
  const data = own(source, 'data') ?? own(source, 'file_data')
  return {
    kind: 'stub',
    text: `[${what}${type === null ? '' : ` ${type.slice(0, 60)}`}${kilobytes(data)}]`,
  }
}

interface ServerResult {
  readonly text: string
  readonly isError: boolean
}

/**
 * [I105] The answer of a provider's tool: a program's output, a plain text, or the result as JSON. An exit code other
 * than 0 and a result whose type ends in `_error` are errors.
 */
function serverResult(content: unknown): ServerResult {
  if (isList(content))
    return {
      text: content.map((item) => printedText(item)).join('\n'),
      isError: content.some(failed),
    }
  return { text: printedText(content), isError: failed(content) }
}

function failed(content: unknown): boolean {
  const code = own(content, 'return_code')
  if (typeof code === 'number' && code !== 0) return true
  return asText(own(content, 'type'))?.endsWith('_error') === true
}

function printedText(content: unknown): string {
  if (!isObject(content)) return compact(content)
  const { stdout, stderr, type, content: files, return_code: code, ...others } = content
  // Only the program's output, unless other fields would be lost.
  const rest = Object.values(others).some((value) => value !== null)
  const printed = typeof stdout === 'string' && !rest && !(isList(files) && files.length > 0)
  if (printed) {
    const text = [stdout, asText(stderr) ?? ''].filter((part) => part !== '').join('\n')
    return text === '' && code !== undefined ? `exit code ${compact(code)}` : text
  }
  const { text, ...beside } = others
  const plain = typeof text === 'string' && Object.keys(beside).length === 0
  return plain && type !== undefined && stdout === undefined && files === undefined
    ? text
    : shown(content)
}

/** As JSON, with a placeholder for bytes and for what only the provider can read. */
function shown(content: unknown): string {
  try {
    return JSON.stringify(content, (key, value: unknown) => {
      if (typeof value === 'string' && key.startsWith('encrypted_'))
        return byteStub('encrypted', value)
      if (key !== 'source' || own(value, 'type') !== 'base64' || !isObject(value)) return value
      return { ...value, data: byteStub('base64', compact(value['data'])) }
    })
  } catch {
    return compact(content)
  }
}

function byteStub(what: string, bytes: string): string {
  return `[${what}, ${Math.ceil(bytes.length / 1000)} kB]`
}
