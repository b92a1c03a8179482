import type { EventKind } from '../../schema/event-kind.ts'
import { flatText, piecesOf, type Piece } from '../shared/content-blocks.ts'
import { draft, freshText, withText, type EventDraft, type Origin } from '../shared/drafts.ts'
import { entryOf, isObject, own, textAt, type JsonObject } from '../shared/guards.ts'
import { callEvent, resultEvent } from '../shared/tool-calls.ts'
import {
  noteUnknown,
  ruleFor,
  splitReminders,
  typedAs,
  userTextEvents,
  type Fallback,
} from '../shared/user-text.ts'
import { attachmentTexts, type AttachmentContext } from './attachments.ts'

/** Model name of a message that the client made itself, mostly to show an error. */
export const SYNTHETIC = '<synthetic>'

export interface UserContext {
  readonly calls: ReadonlyMap<string, string>
  readonly sidechain: boolean
  readonly skip: (type: string) => void
}

/** Events of a `user` record; null when it has no message at all. */
export function userEvents(
  record: JsonObject,
  origin: Origin,
  context: UserContext,
): EventDraft[] | null {
  const message = own(record, 'message')
  const content = typeof message === 'string' ? message : own(message, 'content')
  if (typeof message !== 'string' && !isObject(message)) return null
  const fallback = fallbackOf(record, context.sidechain)
  const events: EventDraft[] = []
  const pieces = piecesOf(content)
  for (const piece of pieces) takeUserPiece(piece, { events, origin, fallback, context })
  const [only] = pieces
  // [I171] A note beside typed words is the client's; the whole message of the user is the user's.
  const isNote = events.every(({ kind }) => kind === 'injected')
  if (fallback.isTyped === true && isNote && pieces.length === 1 && only?.kind === 'text')
    return [draft('user', only.text, origin)]
  return joinSpoken(events, fallback.kind)
}

/** [I171] Senders that the client names. Only `human` is the user. */
const SENDERS: Readonly<Record<string, EventKind>> = {
  'task-notification': 'notification',
  peer: 'notification',
  teammate: 'notification',
  coordinator: 'notification',
  channel: 'notification',
  scheduled: 'notification',
  'auto-continuation': 'injected',
}

/** [I6] [I171] The kind of the texts of this record to which no rule applies. Fields of the record come first. */
function fallbackOf(record: JsonObject, sidechain: boolean): Fallback {
  if (record['isCompactSummary'] === true) {
    return { kind: 'summary', rule: 'isCompactSummary', always: true }
  }
  const sender = textAt(own(record, 'origin'), 'kind')
  if (sender !== null && sender !== 'human') return sentBy(sender)
  if (record['isMeta'] === true) return { kind: 'injected', rule: 'isMeta', always: false }
  if (sender === 'human') return { kind: 'user', rule: null, always: false, isTyped: true }
  return typedAs(sidechain ? 'subagent_prompt' : 'user')
}

function sentBy(sender: string): Fallback {
  const kind = entryOf(SENDERS, sender)
  if (kind === undefined) noteUnknown(`origin “${sender.slice(0, 60)}”`)
  return { kind: kind ?? 'injected', rule: 'origin', always: true }
}

interface UserPiece {
  readonly events: EventDraft[]
  readonly origin: Origin
  readonly fallback: Fallback
  readonly context: UserContext
}

function takeUserPiece(piece: Piece, { events, origin, fallback, context }: UserPiece): void {
  if (piece.kind === 'text') {
    events.push(...userTextEvents(piece.text, origin, fallback))
  } else if (piece.kind === 'stub') {
    events.push(draft(fallback.kind, piece.text, origin, { name: fallback.rule }))
  } else if (piece.kind === 'result') {
    const { rest, reminders } = splitReminders(piece.text)
    events.push(resultEvent({ ...piece, text: rest }, origin, context.calls))
    for (const reminder of reminders) {
      events.push(draft('injected', reminder, origin, { name: 'system-reminder' }))
    }
  } else {
    context.skip(piece.kind === 'unknown' ? `block/${piece.type}` : `block/${piece.kind} of a user`)
  }
}

/** Joins text and images of one message, so that an image does not become a separate turn. */
function joinSpoken(events: EventDraft[], kind: EventKind): EventDraft[] {
  const first = events.findIndex((event) => event.kind === kind)
  const same = events.filter((event) => event.kind === kind)
  const one = same[0]
  if (one === undefined || same.length < 2) return events
  const joined = withText(one, same.map(freshText).join('\n'))
  return events.flatMap((event, at) => {
    if (at === first) return [joined]
    return event.kind === kind ? [] : [event]
  })
}

export interface AssistantContext {
  readonly calls: Map<string, string>
  readonly log: { readonly skip: (type: string) => void }
}

/** Events of an `assistant` record, one a block; null when it has no message. */
export function assistantEvents(
  record: JsonObject,
  origin: Origin,
  context: AssistantContext,
): EventDraft[] | null {
  const message = own(record, 'message')
  if (typeof message !== 'string' && !isObject(message)) return null
  const content = typeof message === 'string' ? message : own(message, 'content')
  if (origin.model === SYNTHETIC || record['isApiErrorMessage'] === true) {
    const isError = record['isApiErrorMessage'] === true
    const text = flatText(content)
    const client = { ...origin, model: null }
    return text === '' ? [] : [draft('system', text, client, { name: 'synthetic', isError })]
  }
  const events: EventDraft[] = []
  for (const piece of piecesOf(content)) {
    const event = assistantPiece(piece, origin, context)
    if (event !== null) events.push(event)
  }
  return events
}

/** Null for a piece without text. */
function assistantPiece(
  piece: Piece,
  origin: Origin,
  context: AssistantContext,
): EventDraft | null {
  switch (piece.kind) {
    case 'text':
    case 'stub':
      return piece.text === '' ? null : draft('agent', piece.text, origin)
    case 'reasoning':
      return piece.text === '' ? null : draft('reasoning', piece.text, origin)
    case 'call':
      return callEvent(piece, origin, context.calls)
    case 'result':
      return resultEvent(piece, origin, context.calls)
    case 'unknown':
      context.log.skip(`block/${piece.type}`)
      return null
  }
}

/** Bookkeeping of the client: no text of the conversation. */
const SILENT = new Set(['turn_duration', 'stop_hook_summary', 'away_summary'])

/** Events of a `system` record; none for bookkeeping. */
export function systemEvents(record: JsonObject, origin: Origin): readonly EventDraft[] {
  const name = textAt(record, 'subtype')
  const content = textAt(record, 'content')
  if (name === 'compact_boundary') {
    const text = `${content ?? 'Conversation compacted'}${compactedBy(record)}`
    return [draft('meta', text, origin, { name })]
  }
  if (name === 'api_error')
    return [draft('system', apiError(record), origin, { name, isError: true })]
  if (content === null || (name !== null && SILENT.has(name))) return []
  const rule = ruleFor(content)
  if (rule !== null) return [draft(rule.kind, content, origin, { name: rule.rule })]
  return [draft('system', content, origin, { name })]
}

function compactedBy(record: JsonObject): string {
  const data = own(record, 'compactMetadata')
  const facts = [textAt(data, 'trigger'), own(data, 'preTokens')]
  const tokens = typeof facts[1] === 'number' ? `${facts[1]} tokens before` : null
  const text = [facts[0], tokens].filter((fact) => fact !== null && fact !== undefined)
  return text.length === 0 ? '' : ` (${text.map(String).join(', ')})`
}

function apiError(record: JsonObject): string {
  const error = own(record, 'error')
  const nested = own(own(error, 'error'), 'error') ?? own(error, 'error') ?? error
  const message = textAt(nested, 'message') ?? textAt(error, 'message')
  const status = own(error, 'status')
  const attempt = own(record, 'retryAttempt')
  const most = own(record, 'maxRetries')
  const of = typeof most === 'number' ? ` of ${most}` : ''
  return [
    'API error',
    ...(typeof status === 'number' ? [` ${status}`] : []),
    ...(message === null ? [] : [`: ${message}`]),
    ...(typeof attempt === 'number' ? [` (attempt ${attempt}${of})`] : []),
  ].join('')
}

/**
 * Events for context that the client attaches. Messages that the user had queued arrive as attachments too. Returns
 * null if an attachment of an unknown type has text.
 */
export function attachmentEvents(
  attachment: unknown,
  origin: Origin,
  context: AttachmentContext,
): readonly EventDraft[] | null {
  if (textAt(attachment, 'type') !== 'queued_command')
    return attachmentTexts(attachment, origin, context)
  const isTask = textAt(attachment, 'commandMode') === 'task-notification'
  const sender = isTask ? { origin: { kind: 'task-notification' } } : attachment
  const fallback = isObject(sender) ? fallbackOf(sender, false) : typedAs('user')
  return userTextEvents(flatText(own(attachment, 'prompt')), origin, fallback)
}
