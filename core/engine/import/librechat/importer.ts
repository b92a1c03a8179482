import type { SourceRef } from '../../schema/event.ts'
import { readAnyPart } from '../shared/said-parts.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { compact, epoch, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { conversationExport, type MessageNode } from '../shared/message-tree.ts'
import { callEvent, resultEvent } from '../shared/tool-calls.ts'
import { userTextEvents } from '../shared/user-text.ts'
import type { Importer } from '../source.ts'

/** [I183] LibreChat's export: a conversation with its messages, as a list or nested as `children`. */
function isConversation(value: unknown): boolean {
  const [first] = listAt(value, 'messages')
  if (textAt(value, 'conversationId') === null || textAt(first, 'messageId') === null) return false
  return typeof own(first, 'isCreatedByUser') === 'boolean' || textAt(first, 'sender') !== null
}

/** The root that all first messages name as their parent. */
const NO_PARENT = '00000000-0000-0000-0000-000000000000'

/** Messages in the order of the file; a message that is nested has its parent from its place. */
function nodesOf(messages: readonly unknown[]): readonly MessageNode[] {
  const nodes: MessageNode[] = []
  // A stack: a hostile file nests deeper than calls can.
  const open = messages.map((message) => ({ message, above: null as string | null })).toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { message, above } = next
    const id = textAt(message, 'messageId') ?? `#${nodes.length}`
    const named = textAt(message, 'parentMessageId')
    const parent = above ?? (named === NO_PARENT ? null : named)
    nodes.push({ id, parent, message })
    for (const child of listAt(message, 'children').toReversed())
      open.push({ message: child, above: id })
  }
  return nodes
}

function eventsOf(message: unknown, source: SourceRef): readonly EventDraft[] {
  const isUser = isTyped(message)
  const model = isUser ? null : textAt(message, 'model')
  const origin: Origin = { at: epoch(own(message, 'createdAt')), model, source }
  const text = textAt(message, 'text') ?? ''
  if (isUser)
    return [...filesOf(message, origin), ...(text === '' ? [] : userTextEvents(text, origin))]
  const content = own(message, 'content')
  if (own(message, 'error') === true)
    return [draft('system', text, { ...origin, model: null }, { name: 'error', isError: true })]
  const calls = new Map<string, string>()
  const parts = isList(content) ? content.flatMap((part) => partEvents(part, origin, calls)) : []
  return parts.length > 0 || text === '' ? parts : [draft('agent', text, origin)]
}

/** The field decides; the name of the sender only where it is absent. */
function isTyped(message: unknown): boolean {
  const flag = own(message, 'isCreatedByUser')
  return typeof flag === 'boolean' ? flag : textAt(message, 'sender')?.toLowerCase() === 'user'
}

function partEvents(
  part: unknown,
  origin: Origin,
  calls: Map<string, string>,
): readonly EventDraft[] {
  const call = own(part, 'tool_call')
  if (isObject(call)) {
    const id = textAt(call, 'id')
    const name = textAt(call, 'name')
    const made = callEvent({ text: compact(own(call, 'args')), name, id }, origin, calls)
    const output = own(call, 'output')
    if (output === undefined || output === null) return [made]
    const result = { text: compact(output), name, id, isError: false }
    return [made, resultEvent(result, { ...origin, model: null }, calls)]
  }
  const thought = textAt(part, 'think')
  if (thought !== null) return [draft('reasoning', thought, origin)]
  const text = own(part, 'text')
  const words = typeof text === 'string' ? text : textAt(text, 'value')
  if (words !== null) return words === '' ? [] : [draft('agent', words, origin)]
  const read = readAnyPart(part)
  const said = typeof read === 'string' ? [] : read
  const found = said.flatMap((one) =>
    one.as === 'words' && one.text !== '' ? [draft('agent', one.text, origin)] : [],
  )
  return found.length > 0
    ? found
    : [draft('meta', compact(part), origin, { name: textAt(part, 'type') })]
}

function filesOf(message: unknown, origin: Origin): readonly EventDraft[] {
  return listAt(message, 'files').map((file) => {
    const name = textAt(file, 'filename', 'filepath', 'file_id') ?? 'file'
    return draft('injected', `[file ${name.slice(0, 200)}]`, origin, { name: 'attachment' })
  })
}

export const librechat: Importer = conversationExport({
  name: 'librechat',
  label: 'LibreChat export',
  isConversation,
  idOf: (value) => textAt(value, 'conversationId'),
  conversationOf: (value) => ({
    title: textAt(value, 'title'),
    startedAt: null,
    nodes: nodesOf(listAt(value, 'messages')),
    leaf: null,
  }),
  eventsOf,
})
