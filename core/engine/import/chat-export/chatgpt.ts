import type { SourceRef } from '../../schema/event.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import { flatText } from '../shared/content-blocks.ts'
import { draft, type EventDraft } from '../shared/drafts.ts'
import { asText, compact, entryOf, epoch, isList, isObject, own, textAt } from '../shared/guards.ts'
import { conversationExport } from '../shared/message-tree.ts'
import type { Importer } from '../source.ts'

/** [I45] ChatGPT's export: conversations, each a tree of messages with the live leaf named. */
function isConversation(value: unknown): boolean {
  const mapping = own(value, 'mapping')
  if (!isObject(mapping)) return false
  if (typeof own(value, 'current_node') === 'string') return true
  const [first] = Object.values(mapping)
  return isObject(first) && 'children' in first && 'parent' in first
}

const KINDS: Readonly<Record<string, EventKind>> = {
  user: 'user',
  assistant: 'agent',
  system: 'system',
  tool: 'tool_result',
}

function eventsOf(message: unknown, source: SourceRef): readonly EventDraft[] | null {
  // The root of each tree is a node without a message.
  if (message === null || message === undefined) return null
  const content = own(message, 'content')
  const type = textAt(content, 'content_type') ?? 'text'
  const text = contentText(content, type)
  if (text === '') return []
  const role = textAt(own(message, 'author'), 'role') ?? 'unknown'
  const model = role === 'assistant' ? textAt(own(message, 'metadata'), 'model_slug') : null
  const origin = { at: epoch(own(message, 'create_time')), model, source }
  const { kind, name } = kindOf(message, role, type)
  return [draft(kind, text, origin, { name, isError: type === 'system_error' })]
}

function kindOf(
  message: unknown,
  role: string,
  type: string,
): { readonly kind: EventKind; readonly name: string | null } {
  if (type === 'thoughts' || type === 'reasoning_recap') return { kind: 'reasoning', name: null }
  if (type.endsWith('_editable_context')) return { kind: 'injected', name: 'custom-instructions' }
  const recipient = textAt(message, 'recipient') ?? 'all'
  if (role === 'assistant' && recipient !== 'all') return { kind: 'tool_call', name: recipient }
  const isHidden = own(own(message, 'metadata'), 'is_visually_hidden_from_conversation') === true
  if (role === 'user' && isHidden) return { kind: 'injected', name: 'hidden' }
  const kind = entryOf(KINDS, role)
  if (kind === undefined) return { kind: 'meta', name: role.slice(0, 80) }
  return { kind, name: kind === 'tool_result' ? textAt(own(message, 'author'), 'name') : null }
}

function contentText(content: unknown, type: string): string {
  const parts = own(content, 'parts')
  if (isList(parts))
    return parts
      .map(partText)
      .filter((part) => part !== '')
      .join('\n')
  if (type === 'thoughts') {
    const thoughts = own(content, 'thoughts')
    return isList(thoughts) ? thoughts.map(thoughtText).join('\n\n') : ''
  }
  const instructions = [own(content, 'user_profile'), own(content, 'user_instructions')]
  const given = instructions.filter((part) => typeof part === 'string').join('\n')
  return (
    textAt(content, 'text', 'result', 'content') ??
    asText(given) ??
    (typeof content === 'string' ? content : '')
  )
}

function thoughtText(thought: unknown): string {
  const text = [textAt(thought, 'summary'), textAt(thought, 'content')]
  return text.filter((part) => part !== null).join('\n')
}

/** Bytes are named, not held: `[image file-service://… 1 MB]`. */
function partText(part: unknown): string {
  if (typeof part === 'string') return part
  const pointer = textAt(part, 'asset_pointer')
  if (pointer !== null) {
    const type = textAt(part, 'content_type') ?? ''
    return `[${type.startsWith('audio') ? 'audio' : 'image'} ${pointer.slice(0, 200)}]`
  }
  return textAt(part, 'text') ?? (isObject(part) ? compact(part) : flatText(part))
}

export const chatgptExport: Importer = conversationExport({
  name: 'chatgpt-export',
  label: 'ChatGPT export (conversations.json)',
  isConversation,
  idOf: (value) => textAt(value, 'conversation_id', 'id'),
  conversationOf: (value) => {
    const mapping = own(value, 'mapping')
    return {
      title: textAt(value, 'title'),
      startedAt: epoch(own(value, 'create_time')),
      nodes: Object.entries(isObject(mapping) ? mapping : {}).map(([id, node]) => {
        return { id, parent: textAt(node, 'parent'), message: own(node, 'message') }
      }),
      leaf: textAt(value, 'current_node'),
    }
  },
  eventsOf,
})
