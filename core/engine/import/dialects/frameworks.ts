import { parseJson } from '../json/value.ts'
import { invocation, readPart as readUiPart } from '../ai-sdk/parts.ts'
import {
  asText,
  compact,
  entryOf,
  has,
  isList,
  isObject,
  listAt,
  own,
  textAt,
} from '../shared/guards.ts'
import {
  byName,
  call,
  event,
  result,
  skip,
  stub,
  thought,
  timeAt,
  words,
  type PartReader,
  type PartTable,
  type Said,
  type Voice,
} from '../shared/said.ts'
import { unusable, type Dialect, type Turn } from './dialect.ts'

/** Speakers of agent frameworks, in lower case. */
const VOICES: Readonly<Record<string, Voice>> = {
  user: { kind: 'user' },
  human: { kind: 'user' },
  assistant: { kind: 'agent' },
  model: { kind: 'agent' },
  chatbot: { kind: 'agent' },
  system: { kind: 'system' },
  developer: { kind: 'system' },
  tool: { kind: 'tool_result' },
  function: { kind: 'tool_result' },
}

function voiceOf(role: string, name: string | null = null): Voice {
  const voice = entryOf(VOICES, role.toLowerCase()) ?? { kind: 'meta', name: role }
  return voice.kind === 'user' || name === null ? voice : { ...voice, name }
}

/** A field under its name in Python or in C#. */
function member(value: unknown, name: string): unknown {
  const pascal = name.replace(/(?:^|_)([a-z])/gu, (_, letter: string) => letter.toUpperCase())
  return own(value, name) ?? own(value, pascal)
}
const memberText = (value: unknown, ...names: readonly string[]) =>
  names.map((name) => asText(member(value, name))).find((text) => text !== null) ?? null

const functionName = (item: unknown): string | null => {
  const parts = [memberText(item, 'plugin_name'), memberText(item, 'function_name')]
  const joined = parts.filter((part) => part !== null).join('-')
  return memberText(item, 'name') ?? (joined === '' ? null : joined)
}

const mediaOf =
  (what: string) =>
  (item: unknown): readonly Said[] => [
    words(stub(what, memberText(item, 'mime_type'), memberText(item, 'uri', 'file_id'))),
  ]

/** [I193] Items of Semantic Kernel messages, by the name that both languages agree on. */
const KERNEL: PartTable = {
  text: (item) => [words(memberText(item, 'text'))],
  reasoning: (item) => [thought(memberText(item, 'text'))],
  function_call: (item) => [
    call(functionName(item), memberText(item, 'id', 'call_id'), member(item, 'arguments')),
  ],
  function_result: (item) => [
    result(functionName(item), memberText(item, 'call_id', 'id'), compact(member(item, 'result'))),
  ],
  image: mediaOf('image'),
  audio: mediaOf('audio'),
  binary: mediaOf('file'),
  file_reference: mediaOf('file'),
  annotation: () => [skip('annotation')],
}

/** `function_call`, `FunctionCallContent` and `StreamingTextContent` as one name. */
function kernelType(item: unknown): string | null {
  const type = textAt(item, 'content_type', '$type', 'ContentType')
  if (type === null) return null
  const short = type.replace(/^Streaming/u, '').replace(/Content$/u, '')
  const name = short.replace(/(?<=[a-z])(?=[A-Z])/gu, '_').toLowerCase()
  return name.replace(/^streaming_/u, '')
}

const readKernel: PartReader = (item) => {
  const type = kernelType(item)
  return type === null ? 'untyped' : (entryOf(KERNEL, type)?.(item) ?? type)
}

function roleOf(value: unknown): string | null {
  const role = member(value, 'role')
  return asText(role) ?? textAt(role, 'Label', 'label', 'value')
}

function isKernelMessage(value: unknown): boolean {
  if (roleOf(value) === null) return false
  if (own(value, 'content_type') === 'message') return true
  const items = member(value, 'items')
  return isList(items) && items.some((item) => kernelType(item) !== null)
}

const holds =
  (is: (value: unknown) => boolean, ...lists: readonly string[]) =>
  (value: unknown): boolean =>
    is(value) ||
    (isList(value) && value.slice(0, 50).some(is)) ||
    (isObject(value) && lists.some((key) => listAt(value, key).slice(0, 50).some(is)))

/** [I193] Semantic Kernel: a chat history of its Python or C# library. */
export const semanticKernel: Dialect = {
  name: 'semantic-kernel',
  label: 'Semantic Kernel chat history (JSON)',
  lists: ['messages', 'Messages'],
  knows: holds(isKernelMessage, 'messages', 'Messages'),
  facts: (value) => ({ id: textAt(value, 'id', 'thread_id', 'conversation_id') }),
  start: () => null,
  turns: (value) => {
    const role = roleOf(value)
    if (role === null) return unusable('not a message of a chat history: it has no role')
    const items = member(value, 'items')
    const content = isList(items) && items.length > 0 ? items : (memberText(value, 'content') ?? '')
    const model = memberText(value, 'ai_model_id', 'model_id')
    const at =
      timeAt(value, 'created_at', 'CreatedAt', 'timestamp') ??
      timeAt(own(value, 'metadata'), 'CreatedAt', 'created_at')
    const name = memberText(value, 'name', 'author_name')
    return [{ voice: voiceOf(role, name), content, read: readKernel, model, at }]
  },
}

const LLAMA: PartTable = {
  text: (block) => [words(textAt(block, 'text'))],
  thinking: (block) => [thought(textAt(block, 'content'))],
  tool_call: (block) => [
    call(textAt(block, 'tool_name'), textAt(block, 'tool_call_id'), own(block, 'tool_kwargs')),
  ],
  image: (block) => [
    words(stub('image', textAt(block, 'image_mimetype'), textAt(block, 'url', 'path'))),
  ],
  audio: (block) => [words(stub('audio', textAt(block, 'format'), textAt(block, 'url', 'path')))],
  video: (block) => [
    words(stub('video', textAt(block, 'video_mimetype'), textAt(block, 'url', 'path'))),
  ],
  document: (block) => [
    words(stub('document', textAt(block, 'title'), textAt(block, 'url', 'path'))),
  ],
  cache: () => [skip('cache')],
  citation: (block) => [event('meta', compact(block), 'citation')],
  citable: (block) => [event('meta', compact(block), 'citable')],
}
const readBlock = byName(LLAMA, 'block_type')

function isLlamaMessage(value: unknown): boolean {
  if (textAt(value, 'role') === null) return false
  const blocks = own(value, 'blocks')
  if (isList(blocks))
    return has(value, 'additional_kwargs') || blocks.some((block) => has(block, 'block_type'))
  return has(value, 'additional_kwargs') && has(value, 'content') && !has(value, 'type')
}

/** The store inside a chat store, a memory buffer or a workflow's state. */
function storeOf(value: unknown): unknown {
  const chat = own(value, 'chat_store')
  const kept = typeof chat === 'string' ? parseJson(chat) : chat
  return own(kept ?? value, 'store')
}

function isLlamaStore(value: unknown): boolean {
  const store = storeOf(value)
  return (
    isObject(store) &&
    Object.values(store).some((list) => isList(list) && list.slice(0, 20).some(isLlamaMessage))
  )
}

function llamaTurn(message: unknown): Turn | null {
  const role = textAt(message, 'role')
  if (role === null) return null
  const kwargs = own(message, 'additional_kwargs')
  const blocks = listAt(message, 'blocks')
  const content = blocks.length > 0 ? blocks : [textAt(message, 'content') ?? '']
  const id = textAt(kwargs, 'tool_call_id')
  const voice = voiceOf(role)
  if (voice.kind === 'tool_result') {
    const texts = content.map((block) => asText(block) ?? textAt(block, 'text') ?? compact(block))
    const said = result(textAt(kwargs, 'name'), id, texts.join('\n'))
    return { voice, content: [said], read: () => [said] }
  }
  const hasCall = blocks.some((block) => textAt(block, 'block_type') === 'tool_call')
  const calls = hasCall ? [] : listAt(kwargs, 'tool_calls')
  return {
    voice,
    content: [...content, ...calls],
    read: (part) =>
      has(part, 'block_type') || typeof part === 'string' ? readBlock(part) : [legacyCall(part)],
  }
}

/** A call as OpenAI writes it, or with its fields beside the id. */
function legacyCall(one: unknown): Said {
  const inner = own(one, 'function') ?? one
  const name = textAt(inner, 'name', 'tool_name')
  const args = own(inner, 'arguments') ?? own(inner, 'input') ?? own(inner, 'tool_kwargs')
  return call(name, textAt(one, 'id', 'tool_id', 'tool_call_id'), args)
}

const holdsBlocks = holds(
  (value) => isLlamaMessage(value) && isList(own(value, 'blocks')),
  'chat_history',
  'messages',
)

/** [I194] A chat store of LlamaIndex: a session for each key. */
export const llamaIndex: Dialect = {
  name: 'llama-index',
  label: 'LlamaIndex chat store (JSON)',
  lists: ['chat_history', 'messages'],
  knows: (value) => isLlamaStore(value) || holdsBlocks(value),
  sessionsIn: (value) => {
    if (!isLlamaStore(value)) return []
    const store = storeOf(value)
    return Object.entries(isObject(store) ? store : {}).map(([id, list]) => ({
      facts: { id },
      records: isList(list) ? list : [],
    }))
  },
  facts: () => ({}),
  start: () => null,
  turns: (value) => {
    const turn = llamaTurn(value)
    return turn === null ? unusable('not a message of LlamaIndex: it has no role') : [turn]
  },
}

/** Content of a Mastra message, which tables keep as JSON in a text. */
function mastraContent(value: unknown): unknown {
  const content = own(value, 'content')
  const isText = typeof content === 'string' && content.startsWith('{')
  return isText ? (parseJson(content) ?? content) : content
}

function isMastra(value: unknown): boolean {
  if (textAt(value, 'role') === null) return false
  const content = mastraContent(value)
  return (
    typeof own(content, 'format') === 'number' && (has(content, 'parts') || has(content, 'content'))
  )
}

function mastraTurns(value: unknown): ReturnType<Dialect['turns']> {
  const role = textAt(value, 'role')
  if (role === null) return unusable('not a message of Mastra: it has no role')
  const content = mastraContent(value)
  const at = timeAt(value, 'createdAt', 'created_at')
  const model = textAt(own(content, 'metadata'), 'modelId', 'model')
  const parts = listAt(content, 'parts')
  const given =
    parts.length > 0 ? parts : [...plainOf(content), ...listAt(content, 'toolInvocations')]
  const attached = listAt(content, 'experimental_attachments')
  const read: PartReader = (part) =>
    has(part, 'toolCallId') && !has(part, 'type') ? invocation(part) : readUiPart(part)
  const turns: Turn[] = [{ voice: voiceOf(role), content: given, read, at, model }]
  if (attached.length > 0 && !parts.some((part) => textAt(part, 'type') === 'file')) {
    const names = attached.map((file) =>
      stub('attachment', textAt(file, 'contentType'), textAt(file, 'name')),
    )
    turns.push({ voice: { kind: 'injected', name: 'attachment' }, content: names.join('\n'), at })
  }
  return turns
}

function plainOf(content: unknown): readonly unknown[] {
  const text = textAt(content, 'content')
  return text === null ? [] : [text]
}

/** [I195] Mastra: messages of a memory, in an object with their thread, a list, lines or rows. */
export const mastra: Dialect = {
  name: 'mastra',
  label: 'Mastra messages (JSON, JSONL)',
  lists: ['messages'],
  knows: holds(isMastra, 'messages'),
  facts: (value) => {
    const thread = own(value, 'thread') ?? value
    return {
      id: textAt(thread, 'id', 'threadId'),
      title: textAt(thread, 'title'),
      startedAt: timeAt(thread, 'createdAt', 'created_at'),
    }
  },
  start: () => null,
  turns: mastraTurns,
  sessionOf: (value) => textAt(value, 'threadId', 'thread_id'),
}
