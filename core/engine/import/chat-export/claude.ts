import type { SourceRef } from '../../schema/event.ts'
import { piecesOf, type Piece } from '../shared/content-blocks.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { epoch, isList, listAt, own, textAt } from '../shared/guards.ts'
import { conversationExport, type MessageNode } from '../shared/message-tree.ts'
import { createNames } from '../shared/names.ts'
import type { Importer } from '../source.ts'

/** [I45] Claude.ai's export: conversations with `chat_messages`. */
function isConversation(value: unknown): boolean {
  return isList(own(value, 'chat_messages'))
}

function nodesOf(messages: readonly unknown[]): readonly MessageNode[] {
  const linked = messages.some((message) => textAt(message, 'parent_message_uuid') !== null)
  const ids = createNames()
  return messages.map((message, at) => {
    const parent = linked ? textAt(message, 'parent_message_uuid') : at === 0 ? null : `#${at - 1}`
    const uuid = linked ? textAt(message, 'uuid') : null
    return { id: ids(uuid ?? `#${at}`), parent, message }
  })
}

function eventsOf(message: unknown, source: SourceRef): readonly EventDraft[] {
  const origin = { at: epoch(own(message, 'created_at')), model: null, source }
  const sender = textAt(message, 'sender') ?? 'unknown'
  const content = piecesOf(own(message, 'content'))
  const pieces = content.length > 0 ? content : piecesOf(own(message, 'text'))
  const events = attachments(message, origin)
  const tools = new Map<string | null, string | null>()
  for (const piece of pieces) {
    if (piece.kind === 'call') tools.set(piece.id, piece.name)
    const event = eventOf(piece, sender, origin, tools)
    if (event !== null && (event.chars > 0 || event.kind === 'tool_call')) events.push(event)
  }
  return events
}

type Tools = ReadonlyMap<string | null, string | null>

function eventOf(piece: Piece, sender: string, origin: Origin, tools: Tools): EventDraft | null {
  if (piece.kind === 'unknown') return draft('meta', `[${piece.type.slice(0, 80)}]`, origin)
  if (piece.kind === 'reasoning') return draft('reasoning', piece.text, origin)
  if (piece.kind === 'call') {
    return draft('tool_call', piece.text, origin, { name: piece.name, callId: piece.id })
  }
  if (piece.kind === 'result') {
    const name = tools.get(piece.id) ?? null
    return draft('tool_result', piece.text, origin, {
      name,
      callId: piece.id,
      isError: piece.isError,
    })
  }
  if (sender === 'human') return draft('user', piece.text, origin)
  if (sender === 'assistant') return draft('agent', piece.text, origin)
  return draft('meta', piece.text, origin, { name: sender.slice(0, 80) })
}

/** Files attached to a message. The text extracted from them is not the user's. */
function attachments(message: unknown, origin: Origin): EventDraft[] {
  const events: EventDraft[] = []
  for (const key of ['attachments', 'files']) {
    for (const item of listAt(message, key)) {
      const name = textAt(item, 'file_name') ?? 'file'
      const found = textAt(item, 'extracted_content') ?? `[file ${name.slice(0, 200)}]`
      events.push(draft('injected', found, origin, { name: 'attachment' }))
    }
  }
  return events
}

export const claudeExport: Importer = conversationExport({
  name: 'claude-export',
  label: 'Claude.ai export',
  isConversation,
  idOf: (value) => textAt(value, 'uuid'),
  conversationOf: (value) => ({
    title: textAt(value, 'name'),
    startedAt: epoch(own(value, 'created_at')),
    nodes: nodesOf(listAt(value, 'chat_messages')),
    leaf: textAt(value, 'current_leaf_message_uuid'),
  }),
  eventsOf,
})
