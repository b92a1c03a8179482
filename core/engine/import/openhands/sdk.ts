import type { EventKind } from '../../schema/event-kind.ts'
import { flatText } from '../shared/content-blocks.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { without } from '../shared/envelope.ts'
import {
  asText,
  compact,
  entryOf,
  epoch,
  isList,
  isObject,
  listAt,
  own,
  textAt,
  type JsonObject,
} from '../shared/guards.ts'
import type { SessionWriter } from '../shared/session-writer.ts'
import type { RawRecord } from '../source.ts'
import type { Run } from './run.ts'

interface SdkEvent {
  readonly value: JsonObject
  readonly origin: Origin
  readonly writer: SessionWriter
}

type Handler = (event: SdkEvent) => void

const skipped: Handler = () => undefined

/** [I22] Events of OpenHands V1 (the SDK), by kind. */
const KINDS: Readonly<Record<string, Handler>> = {
  SystemPromptEvent: (event) => {
    pushText(event, 'system', flatText(listed(own(event.value, 'system_prompt'))))
    const context = flatText(listed(own(event.value, 'dynamic_context')))
    pushText(event, 'injected', context, 'dynamic-context')
  },
  MessageEvent: takeMessage,
  ActionEvent: takeAction,
  ObservationEvent: takeObservation,
  UserRejectObservation: (event) =>
    pushResult(event, textAt(event.value, 'rejection_reason') ?? '', true),
  AgentErrorEvent: (event) => pushResult(event, textAt(event.value, 'error') ?? '', true),
  Condensation: ({ value, origin, writer }) => {
    const summary = textAt(value, 'summary')
    const forgotten = own(value, 'forgotten_event_ids')
    const count = isList(forgotten) ? forgotten.length : 0
    if (summary !== null) writer.push(draft('summary', summary, origin, { name: 'condensation' }))
    else writer.push(draft('meta', `${count} events forgotten`, origin, { name: 'condensation' }))
  },
  CondensationSummaryEvent: (event) =>
    pushText(event, 'summary', textAt(event.value, 'summary') ?? '', 'condensation'),
  PauseEvent: ({ origin, writer }) =>
    writer.push(draft('interruption', '[PauseEvent]', origin, { name: 'PauseEvent' })),
  InterruptEvent: ({ value, origin, writer }) => {
    const text = textAt(value, 'reason', 'message') ?? '[InterruptEvent]'
    writer.push(draft('interruption', text, origin, { name: 'InterruptEvent' }))
  },
  ConversationErrorEvent: ({ value, origin, writer }) => {
    const text = [textAt(value, 'code'), textAt(value, 'detail')].filter((s) => s !== null)
    writer.push(draft('system', text.join(': '), origin, { name: 'error', isError: true }))
  },
  HookExecutionEvent: (event) =>
    pushText(event, 'injected', textAt(event.value, 'additional_context') ?? '', 'hook'),
  CondensationRequest: skipped,
  ConversationStateUpdateEvent: skipped,
  TokenEvent: skipped,
  LLMCompletionLogEvent: skipped,
  StreamingDeltaEvent: skipped,
}

/** A kind of the list, or one that came later: events of the SDK carry an id, a time and a source. */
export function isSdkEvent(value: unknown): value is JsonObject {
  const kind = own(value, 'kind')
  if (typeof kind !== 'string') return false
  if (own(value, 'id') === undefined && own(value, 'timestamp') === undefined) return false
  if (Object.hasOwn(KINDS, kind)) return true
  return /(?:Event|Observation)$/.test(kind.slice(-20)) && textAt(value, 'source') !== null
}

export function takeSdkEvent(value: JsonObject, source: RawRecord['ref'], run: Run): void {
  const kind = textAt(value, 'kind') ?? 'untyped'
  const writer = run.main
  const isAgents = own(value, 'source') === 'agent' && !kind.includes('Error')
  const model = isAgents && kind !== 'SystemPromptEvent' ? run.model : null
  const origin: Origin = { at: epoch(own(value, 'timestamp')), model, source }
  writer.reopen()
  const before = writer.count()
  const handler = entryOf(KINDS, kind)
  handler?.({ value, origin, writer })
  if (writer.count() === before) run.log.skip(kind)
}

function listed(value: unknown): unknown {
  return isObject(value) ? [value] : value
}

/** Pushes an event if the text exists. */
function pushText(
  { origin, writer }: SdkEvent,
  kind: EventKind,
  text: string,
  name?: string,
): void {
  if (text.trim() !== '') writer.push(draft(kind, text, origin, { name }))
}

/** Content of the SDK: text parts, and images as a list of addresses. */
function sdkText(content: unknown): string {
  if (!isList(content)) return flatText(content)
  const parts = content.flatMap((part) => {
    const urls = own(part, 'image_urls')
    if (!isList(urls)) return [part]
    return urls.map((url) => ({ type: 'image_url', image_url: { url } }))
  })
  return flatText(parts)
}

function takeReasoning(value: unknown, event: SdkEvent): void {
  const thought = textAt(value, 'reasoning_content')
  const text = thought ?? flatText(listAt(value, 'thinking_blocks'))
  pushText(event, 'reasoning', text)
}

/** [I22] Text that the agent's context adds to a message is injected, no matter who sent the message. */
function takeMessage(event: SdkEvent): void {
  const { value } = event
  const message = own(value, 'llm_message')
  const source = own(value, 'source')
  takeReasoning(message, event)
  const text = sdkText(own(message, 'content'))
  if (source === 'agent') pushText(event, 'agent', text)
  else if (source === 'user') pushText(event, 'user', text)
  else pushText(event, 'injected', text, asText(source) ?? 'environment')
  pushText(event, 'injected', sdkText(own(value, 'extended_content')), 'extended-content')
}

function takeAction(event: SdkEvent): void {
  const { value, origin, writer } = event
  takeReasoning(value, event)
  pushText(event, 'agent', sdkText(own(value, 'thought')))
  const action = own(value, 'action')
  const name = textAt(value, 'tool_name')
  const callId = textAt(value, 'tool_call_id')
  if (name === 'think') {
    pushText(event, 'reasoning', textAt(action, 'thought') ?? '')
  } else if (name === 'finish') {
    pushText(event, 'agent', textAt(action, 'message') ?? '')
  } else {
    const call = own(value, 'tool_call')
    const given = own(call, 'arguments') ?? own(own(call, 'function'), 'arguments')
    writer.push(
      draft('tool_call', given === undefined ? argsOf(action) : compact(given), origin, {
        name,
        callId,
      }),
    )
  }
}

function argsOf(action: unknown): string {
  if (!isObject(action)) return compact(action)
  return compact(without(action, 'kind'))
}

function takeObservation(event: SdkEvent): void {
  const { value } = event
  const tool = own(value, 'tool_name')
  // Their text is the action's own, and already an event.
  if (tool === 'think' || tool === 'finish') return
  const seen = own(value, 'observation')
  const content = own(seen, 'content') ?? own(seen, 'output') ?? own(seen, 'text')
  const text = content === undefined ? argsOf(seen) : sdkText(content)
  const code = own(seen, 'exit_code') ?? own(own(seen, 'metadata'), 'exit_code')
  const failed = own(seen, 'is_error') === true || textAt(seen, 'error') !== null
  pushResult(event, text, failed || (typeof code === 'number' && code > 0))
  pushText(event, 'injected', sdkText(own(value, 'extended_content')), 'extended-content')
}

function pushResult({ value, origin, writer }: SdkEvent, text: string, isError: boolean): void {
  const name = textAt(value, 'tool_name')
  const callId = textAt(value, 'tool_call_id')
  writer.push(draft('tool_result', text, { ...origin, model: null }, { name, callId, isError }))
}
