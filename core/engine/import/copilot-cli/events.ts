import type { EventKind } from '../../schema/event-kind.ts'
import { createCopies, type Copies } from '../shared/copies.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { asText, compact, entryOf, isObject, listAt, own, pick, textAt } from '../shared/guards.ts'
import { callEvent, resultEvent, type ToolNames } from '../shared/tool-calls.ts'
import { typedAs, userTextEvents } from '../shared/user-text.ts'

/** State shared by the records of one session. */
export interface EventContext {
  readonly calls: Calls
  readonly thoughts: Copies<true>
  readonly skip: (type: string) => void
  /** Event kind for text that the user may have typed in the record's thread. */
  spoken: 'user' | 'subagent_prompt'
}

export function createContext(skip: EventContext['skip']): EventContext {
  return { calls: createCalls(), thoughts: createCopies(), skip, spoken: 'user' }
}

type Events = readonly EventDraft[]
type Take = (data: unknown, origin: Origin, context: EventContext) => Events

/** A row whose text is under these keys. */
function note(kind: EventKind, name: string | null, ...keys: readonly string[]): Take {
  return (data, origin) => {
    const text = keys.map((key) => textAt(data, key)).find((found) => found !== null) ?? null
    return text === null ? [] : [draft(kind, text, origin, { name })]
  }
}

/** Fields to keep from the facts at the end of a session. */
const FACTS = [
  'shutdownType',
  'errorReason',
  'totalPremiumRequests',
  'totalNanoAiu',
  'totalApiDurationMs',
  'codeChanges',
  'modelMetrics',
  'tokenDetails',
  'currentModel',
  'currentTokens',
]

/** [I122] Records that are events, by type. */
const TAKES: Readonly<Record<string, Take>> = {
  'user.message': userEvents,
  'assistant.message': messageEvents,
  'assistant.reasoning': (data, origin, context) =>
    thought('event', textAt(data, 'content'), origin, context),
  'tool.execution_start': (data, origin, { calls }) => some(calls.call('begun', data, origin)),
  'tool.execution_complete': (data, origin, { calls }) => [calls.result(data, origin)],
  'tool.user_requested': (data, origin, { calls }) => [calls.command(data, origin)],
  'system.message': note('system', null, 'content'),
  'system.notification': (data, origin) => {
    const name = textAt(own(data, 'kind'), 'type')
    return note('notification', name, 'content')(data, origin, NOTHING)
  },
  'skill.invoked': note('injected', 'skill', 'content'),
  'session.info': note('meta', 'info', 'message'),
  'session.warning': note('notification', 'warning', 'message'),
  'session.error': errorEvents,
  'session.handoff': note('summary', 'handoff', 'summary', 'context'),
  'session.task_complete': note('meta', 'task-complete', 'summary'),
  'session.truncation': (data, origin) => facts(data, origin, 'context-truncated'),
  'session.compaction_complete': (data, origin) => {
    const text = textAt(data, 'summaryContent')
    if (text !== null) return [draft('summary', text, origin, { name: 'compaction' })]
    return facts(data, origin, 'compaction')
  },
  'session.shutdown': (data, origin) => facts(pick(data, FACTS), origin, 'shutdown'),
  'subagent.failed': errorEvents,
  abort: (data, origin) => [draft('interruption', textAt(data, 'reason') ?? 'abort', origin)],
}

const NOTHING: EventContext = createContext(() => undefined)

/** Bookkeeping, or pieces and copies of what other records say whole. */
const QUIET = new Set([
  'session.start',
  'session.resume',
  'session.model_change',
  'session.title_changed',
  'session.snapshot_rewind',
  'assistant.message_delta',
  'assistant.reasoning_delta',
  'tool.execution_partial_result',
  'tool.execution_progress',
  'assistant.intent',
  'permission.requested',
  'permission.completed',
  'user_input.requested',
  'user_input.completed',
  'elicitation.requested',
  'elicitation.completed',
  'subagent.started',
  'subagent.completed',
  'subagent.selected',
  'subagent.deselected',
  'hook.start',
  'hook.progress',
])

export function isTaken(type: string): boolean {
  return Object.hasOwn(TAKES, type) || QUIET.has(type)
}

/** Events of a record. One that says nothing is counted by its type; of an unknown type the words are kept. */
export function eventsOf(
  type: string,
  data: unknown,
  origin: Origin,
  context: EventContext,
): Events {
  const take =
    entryOf(TAKES, type) ??
    (QUIET.has(type) ? null : note('meta', type, 'content', 'message', 'summary'))
  const events = take?.(data, origin, context) ?? []
  if (events.length === 0) context.skip(type)
  return events
}

function some(event: EventDraft | null): Events {
  return event === null ? [] : [event]
}

function facts(data: unknown, origin: Origin, name: string): Events {
  const text = compact(data)
  return text === '' || text === '{}' ? [] : [draft('meta', text, origin, { name })]
}

function errorEvents(data: unknown, origin: Origin): Events {
  const text = textAt(data, 'message', 'error') ?? ''
  return text === '' ? [] : [draft('system', text, origin, { name: 'error', isError: true })]
}

/** Reasoning is in the message and in a separate record, in either order. */
function thought(
  side: 'event' | 'item',
  text: string | null,
  origin: Origin,
  { thoughts, skip }: EventContext,
): Events {
  if (text === null) return []
  if (thoughts.take(side, text) !== undefined) {
    if (side === 'item') skip('reasoning (copy)')
    return []
  }
  thoughts.wait(side, text, true)
  return [draft('reasoning', text, origin)]
}

function messageEvents(data: unknown, origin: Origin, context: EventContext): Events {
  const model = textAt(data, 'model') ?? origin.model
  const from: Origin = { ...origin, model }
  const text = textAt(data, 'content')
  const events = [...thought('item', textAt(data, 'reasoningText'), from, context)]
  if (text !== null && text.trim() !== '') events.push(draft('agent', text, from))
  for (const request of listAt(data, 'toolRequests')) {
    const event = isObject(request) ? context.calls.call('asked', request, from) : null
    if (event === null) context.skip(isObject(request) ? 'call (copy)' : 'call')
    else events.push(event)
  }
  return events
}

/**
 * [I122] The typed text. Text that the client added around it is injected, and so is a message that the user did not
 * send.
 */
function userEvents(data: unknown, origin: Origin, context: EventContext): Events {
  const text = textAt(data, 'content') ?? ''
  const sent = textAt(data, 'transformedContent') ?? text
  const around = (text === '' ? sent : sent.replace(text, () => '')).trim()
  const source = textAt(data, 'source')
  const events: EventDraft[] = []
  if (around !== '') events.push(draft('injected', around, origin, { name: 'context' }))
  const attached = listAt(data, 'attachments')
    .map(attachmentText)
    .filter((line) => line !== '')
  if (attached.length > 0)
    events.push(draft('injected', attached.join('\n'), origin, { name: 'attachments' }))
  if (text.trim() === '') return events
  const typed = source === null || source === 'user'
  if (!typed) return [...events, draft('injected', text, origin, { name: source })]
  return [...events, ...userTextEvents(text, origin, typedAs(context.spoken))]
}

function attachmentText(attachment: unknown): string {
  const words = textAt(attachment, 'text')
  if (words !== null) return words
  const name = textAt(attachment, 'path', 'filePath', 'url', 'displayName', 'title')
  const kind = asText(own(attachment, 'type')) ?? 'attachment'
  return name === null ? '' : `[${kind.slice(0, 60)} ${name.slice(0, 300)}]`
}

/** Record that contains a call: the message that requests it, or the record of its start. */
type Side = 'asked' | 'begun'

/** [I122] The calls of a session. Each is written twice, in either order; the first of both is the event. */
interface Calls {
  /** The event of a call; null for the second copy. */
  readonly call: (side: Side, call: unknown, origin: Origin) => EventDraft | null
  /** A call that the user made. */
  readonly command: (call: unknown, origin: Origin) => EventDraft
  readonly result: (data: unknown, origin: Origin) => EventDraft
}

function createCalls(): Calls {
  const names: ToolNames = new Map()
  const typed = new Set<string>()
  const waiting: Record<Side, Map<string, number>> = { asked: new Map(), begun: new Map() }

  const isCopy = (side: Side, id: string): boolean => {
    const others = waiting[side === 'asked' ? 'begun' : 'asked']
    const left = others.get(id) ?? 0
    if (left > 0) others.set(id, left - 1)
    else waiting[side].set(id, (waiting[side].get(id) ?? 0) + 1)
    return left > 0
  }
  return {
    call(side, call, origin) {
      const id = textAt(call, 'toolCallId')
      if (id !== null && isCopy(side, id)) return null
      const name = textAt(call, 'name', 'toolName')
      return callEvent({ text: compact(own(call, 'arguments')), name, id }, origin, names)
    },
    command(call, origin) {
      const id = textAt(call, 'toolCallId')
      const name = textAt(call, 'toolName')
      if (id !== null) {
        typed.add(id)
        isCopy('asked', id)
        if (name !== null) names.set(id, name)
      }
      return draft('command', compact(own(call, 'arguments')), origin, { name, callId: id })
    },
    result(data, origin) {
      const id = textAt(data, 'toolCallId')
      const result = own(data, 'result')
      const words =
        textAt(result, 'content', 'detailedContent') ?? textAt(own(data, 'error'), 'message')
      const text = words ?? (typeof result === 'string' ? result : '')
      const isError = own(data, 'success') === false
      const byPerson = own(data, 'isUserRequested') === true || (id !== null && typed.has(id))
      if (!byPerson) return resultEvent({ text, id, isError }, origin, names)
      const name = names.get(id ?? '') ?? textAt(data, 'toolName')
      return draft('command', text, origin, { name, callId: id, isError })
    },
  }
}
