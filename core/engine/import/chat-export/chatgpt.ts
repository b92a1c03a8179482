import type { EventKind } from '../../schema/event.ts'
import type { Head } from '../head.ts'
import { flatText } from '../shared/content-blocks.ts'
import { draft, sessionDraft, type EventDraft, type SessionDraft } from '../shared/drafts.ts'
import { asText, compact, entryOf, epoch, isList, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import {
  pathsOf,
  readConversations,
  sessionsOfPaths,
  type TreeNode,
} from '../shared/message-tree.ts'
import type { Importer, RawRecord } from '../source.ts'

/** [I45] ChatGPT's export: conversations, each a tree of messages with the live leaf named. */
function isConversation(value: unknown): boolean {
  const mapping = own(value, 'mapping')
  if (!isObject(mapping)) return false
  if (typeof own(value, 'current_node') === 'string') return true
  const [first] = Object.values(mapping)
  return isObject(first) && 'children' in first && 'parent' in first
}

function detect(head: Head): boolean {
  const [first] = head.values
  return head.objects.some(isConversation) || (isList(first) && isConversation(first[0]))
}

const read = readConversations({
  isConversation,
  idOf: (value) => textAt(value, 'conversation_id', 'id'),
  sessionsOf,
})

interface Node extends TreeNode {
  readonly message: unknown
}

function sessionsOf(record: RawRecord, id: string, log: ImportLog): readonly SessionDraft[] {
  const { value } = record
  const mapping = own(value, 'mapping')
  const nodes = Object.entries(isObject(mapping) ? mapping : {}).map(([key, node]): Node => {
    return { id: key, parent: textAt(node, 'parent'), message: own(node, 'message') }
  })
  const paths = pathsOf(nodes, textAt(value, 'current_node'))
  const main = sessionDraft(id)
  main.title = textAt(value, 'title')
  main.startedAt = epoch(own(value, 'create_time'))
  return sessionsOfPaths(
    main,
    paths,
    // The root of each tree is a node without a message.
    ({ message }) => (message === null || message === undefined ? null : eventsOf(message, record)),
    log,
  )
}

const KINDS: Readonly<Record<string, EventKind>> = {
  user: 'user',
  assistant: 'agent',
  system: 'system',
  tool: 'tool_result',
}

function eventsOf(message: unknown, record: RawRecord): readonly EventDraft[] {
  const content = own(message, 'content')
  const type = textAt(content, 'content_type') ?? 'text'
  const text = contentText(content, type)
  if (text === '') return []
  const role = textAt(own(message, 'author'), 'role') ?? 'unknown'
  const model = role === 'assistant' ? textAt(own(message, 'metadata'), 'model_slug') : null
  const origin = { at: epoch(own(message, 'create_time')), model, source: record.ref }
  const { kind, name } = kindOf(message, role, type)
  return [draft(kind, text, origin, { name, isError: type === 'system_error' })]
}

interface Kind {
  readonly kind: EventKind
  readonly name: string | null
}

function kindOf(message: unknown, role: string, type: string): Kind {
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

export const chatgptExport: Importer = {
  name: 'chatgpt-export',
  label: 'ChatGPT export (conversations.json)',
  detect,
  split: () => ({ by: 'records', lists: ['conversations'] }),
  read,
}
