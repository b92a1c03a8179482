import type { SourceRef } from '../../schema/event.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import {
  compact,
  entryOf,
  has,
  idText,
  isList,
  isObject,
  listAt,
  numberIn,
  own,
  textAt,
} from '../shared/guards.ts'
import { without } from '../shared/envelope.ts'
import { htmlText } from '../shared/html-text.ts'
import { conversationExport, type MessageNode } from '../shared/message-tree.ts'
import { stub, timeAt } from '../shared/said.ts'
import { typedAs, userTextEvents } from '../shared/user-text.ts'
import type { Importer } from '../source.ts'
import { skipped, unusable, type Dialect, type Turn } from './dialect.ts'

// DeepSeek

type Fragment = (text: string, origin: Origin) => readonly EventDraft[]

/** [I201] Fragments of a DeepSeek message, by type. */
const FRAGMENTS: Readonly<Record<string, Fragment>> = {
  REQUEST: (text, origin) => userTextEvents(text, { ...origin, model: null }, typedAs('user')),
  RESPONSE: (text, origin) => [draft('agent', text, origin)],
  TEMPLATE_RESPONSE: (text, origin) => [draft('agent', text, origin)],
  THINK: (text, origin) => [draft('reasoning', text, origin)],
}

function isDeepSeekMessage(message: unknown): boolean {
  return has(message, 'fragments') || (has(message, 'inserted_at') && !has(message, 'author'))
}

function isDeepSeek(value: unknown): boolean {
  const mapping = own(value, 'mapping')
  if (!isObject(mapping)) return false
  return Object.values(mapping)
    .slice(0, 50)
    .some((node) => isDeepSeekMessage(own(node, 'message')))
}

const DEEPSEEK_ROLES: Readonly<Record<string, string>> = {
  user: 'REQUEST',
  human: 'REQUEST',
  assistant: 'RESPONSE',
}

/** Fragments of a message. Older exports have its texts beside a role, or beside nothing. */
function fragmentsOf(message: unknown): readonly unknown[] {
  const fragments = own(message, 'fragments')
  if (isList(fragments)) return fragments
  const role = (
    textAt(message, 'role') ??
    textAt(own(message, 'author'), 'role') ??
    ''
  ).toLowerCase()
  const thinking = textAt(message, 'reasoning_content', 'thinking_content')
  const answers = thinking !== null || has(message, 'reasoning_content')
  const type = entryOf(DEEPSEEK_ROLES, role) ?? (answers ? 'RESPONSE' : 'REQUEST')
  const think = thinking === null ? [] : [{ type: 'THINK', content: thinking }]
  return [...think, { type, content: textAt(message, 'content') ?? '' }]
}

function deepSeekEvents(message: unknown, source: SourceRef): readonly EventDraft[] | null {
  if (message === null || message === undefined) return null
  const origin = { at: timeAt(message, 'inserted_at'), model: textAt(message, 'model'), source }
  const files = listAt(message, 'files').map((file) =>
    stub('file', textAt(file, 'file_name', 'name')),
  )
  const attached =
    files.length === 0
      ? []
      : [draft('injected', files.join('\n'), { ...origin, model: null }, { name: 'attachment' })]
  const said = fragmentsOf(message).flatMap((fragment) => {
    const type = textAt(fragment, 'type') ?? 'untyped'
    const text = textAt(fragment, 'content') ?? ''
    const known = entryOf(FRAGMENTS, type)
    if (known !== undefined) return text === '' ? [] : known(text, origin)
    // Searches and read pages, with their results.
    const rest = isObject(fragment) ? without(fragment, 'type') : {}
    return [draft('meta', text === '' ? compact(rest) : text, origin, { name: type.toLowerCase() })]
  })
  return [...attached, ...said]
}

/** [I201] DeepSeek: an export whose conversations are trees. */
export const deepseek: Importer = conversationExport({
  name: 'deepseek-export',
  label: 'DeepSeek export (conversations.json)',
  isConversation: isDeepSeek,
  idOf: (value) => textAt(value, 'id'),
  conversationOf: (value) => {
    const mapping = own(value, 'mapping')
    return {
      title: textAt(value, 'title'),
      startedAt: timeAt(value, 'inserted_at'),
      nodes: Object.entries(isObject(mapping) ? mapping : {}).map(([id, node]) => {
        return { id, parent: textAt(node, 'parent'), message: own(node, 'message') }
      }),
      leaf: textAt(value, 'current_node'),
    }
  },
  eventsOf: deepSeekEvents,
})

// Grok

/** A time as JSON, or as MongoDB writes it. */
function mongoTime(value: unknown): number | null {
  const date = own(value, '$date')
  const long = own(date, '$numberLong')
  if (long !== undefined) return timeAt({ at: numberIn(long) }, 'at')
  return timeAt({ at: date ?? value }, 'at')
}

const responseOf = (value: unknown): unknown => own(value, 'response') ?? value

function isGrokResponse(value: unknown): boolean {
  const response = responseOf(value)
  return textAt(response, 'sender') !== null && typeof own(response, 'message') === 'string'
}

function isGrok(value: unknown): boolean {
  return (
    isObject(own(value, 'conversation')) &&
    listAt(value, 'responses').slice(0, 20).some(isGrokResponse)
  )
}

/** Responses name the one that they answer; in older exports each follows the one before. */
function grokNodes(value: unknown): readonly MessageNode[] {
  const responses = listAt(value, 'responses').map(responseOf)
  const idOf = (response: unknown, at: number) =>
    textAt(response, '_id', 'responseId', 'id') ?? `response-${at + 1}`
  const ids = new Set(responses.map(idOf))
  const linked = responses.some((response) => ids.has(textAt(response, 'parent_response_id') ?? ''))
  return responses.map((message, at) => {
    const before = at === 0 ? null : idOf(responses[at - 1], at - 1)
    return {
      id: idOf(message, at),
      parent: linked ? textAt(message, 'parent_response_id') : before,
      message,
    }
  })
}

function grokEvents(message: unknown, source: SourceRef): readonly EventDraft[] {
  const sender = (textAt(message, 'sender') ?? '').toLowerCase()
  const isUser = sender === 'human' || sender === 'user'
  const origin = {
    at: mongoTime(own(message, 'create_time')),
    model: isUser ? null : textAt(message, 'model'),
    source,
  }
  const text = textAt(message, 'message') ?? ''
  const files = listAt(message, 'file_attachments')
  const stubs = files.map((file) =>
    stub('file', textAt(file, 'file_mime_type'), idText(file) ?? textAt(file, 'file_name')),
  )
  const attached =
    stubs.length === 0 ? [] : [draft('injected', stubs.join('\n'), origin, { name: 'attachment' })]
  if (isUser)
    return [...attached, ...(text === '' ? [] : userTextEvents(text, origin, typedAs('user')))]
  const thinking = textAt(message, 'thinking_trace')
  const error = textAt(message, 'error')
  return [
    ...attached,
    ...(thinking === null ? [] : [draft('reasoning', thinking, origin)]),
    ...(text === '' ? [] : [draft(sender === 'system' ? 'system' : 'agent', text, origin)]),
    ...(error === null ? [] : [draft('system', error, origin, { name: 'error', isError: true })]),
  ]
}

/** [I201] Grok: the export of an account of grok.com. */
export const grokWeb: Importer = conversationExport({
  name: 'grok-export',
  label: 'Grok export (JSON)',
  isConversation: isGrok,
  idOf: (value) => textAt(own(value, 'conversation'), 'id', 'conversationId'),
  conversationOf: (value) => {
    const conversation = own(value, 'conversation')
    const startedAt = mongoTime(own(conversation, 'create_time'))
    return {
      title: textAt(conversation, 'title'),
      startedAt,
      nodes: grokNodes(value),
      leaf: textAt(conversation, 'leaf_response_id'),
    }
  },
  eventsOf: grokEvents,
})

// Gemini

/** Words before the prompt in the title of an activity. */
const PROMPTED =
  /^(?:Prompted|Asked|Said|Eingegebener Prompt:|Prompt:|Vous avez demandé :|Has preguntado:)\s+/u

function isActivity(value: unknown): boolean {
  if (textAt(value, 'header') === null || textAt(value, 'title') === null) return false
  const product = [...listAt(value, 'products'), own(value, 'header')]
  return (
    has(value, 'time') &&
    product.some((name) => typeof name === 'string' && /\b(?:Gemini|Bard)\b/u.test(name))
  )
}

/** [I202] Google Takeout: the activity of Gemini Apps. It names no conversations. */
export const takeoutGemini: Dialect = {
  name: 'takeout-gemini',
  label: 'Gemini Apps activity (Google Takeout)',
  lists: [],
  knows: isActivity,
  facts: () => ({}),
  start: () => null,
  sessionsIn: (value) => (isActivity(value) ? [{ facts: {}, records: [value] }] : []),
  turns: (value) => {
    const title = textAt(value, 'title')
    if (title === null) return unusable('not an activity: it has no title')
    const at = timeAt(value, 'time')
    const answers = listAt(value, 'safeHtmlItem').map((item) =>
      htmlText(textAt(item, 'html') ?? ''),
    )
    const prompt = PROMPTED.exec(title)?.[0]
    // "Used an Assistant feature" and the like.
    if (prompt === undefined && answers.length === 0) return skipped('activity without a prompt')
    const files = [...listAt(value, 'attachedFiles'), ...listAt(value, 'subtitles')]
      .map((file) => (typeof file === 'string' ? file : textAt(file, 'name')))
      .filter((name) => name !== null)
    const attached: readonly Turn[] =
      files.length === 0
        ? []
        : [{ voice: { kind: 'injected', name: 'attachment' }, content: files.join('\n'), at }]
    return [
      ...attached,
      { voice: { kind: 'user' }, content: title.slice(prompt?.length ?? 0), at },
      ...answers.map((content): Turn => ({ voice: { kind: 'agent' }, content, at })),
    ]
  },
}
