import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { compact, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { fromTotal, tokensAt, type Recorded } from '../shared/model-calls.ts'
import { callEvent, resultEvent } from '../shared/tool-calls.ts'
import { ruleFor, typedAs, userTextEvents } from '../shared/user-text.ts'

/** State shared by the messages of a chat during reading. */
export interface GeminiContext {
  /** Tool names by call id. */
  readonly calls: Map<string, string>
  readonly skip: (type: string) => void
  /** Event kind for text that the user may have typed in this thread. */
  readonly spoken: 'user' | 'subagent_prompt'
}

/** [I15] The speaker of a message, by the `type` of a chat or the `role` of a checkpoint. */
const SPEAKERS: Readonly<Record<string, 'user' | 'agent' | 'info' | 'error' | 'warning'>> = {
  user: 'user',
  gemini: 'agent',
  model: 'agent',
  assistant: 'agent',
  function: 'user',
  info: 'info',
  error: 'error',
  warning: 'warning',
}

export function speakerOf(message: unknown): string | null {
  const type = textAt(message, 'type', 'role')
  return type !== null && Object.hasOwn(SPEAKERS, type) ? (SPEAKERS[type] ?? null) : null
}

/** Events of a message; null when its speaker is not known. */
export function messageEvents(
  message: unknown,
  origin: Origin,
  context: GeminiContext,
): EventDraft[] | null {
  const speaker = speakerOf(message)
  if (speaker === null) return null
  const content = own(message, 'content') ?? own(message, 'parts')
  if (speaker === 'user') return userEvents(message, content, origin, context)
  if (speaker === 'agent') return agentEvents(message, content, origin, context)
  return noticeEvents(speaker, textIn(content, context), origin)
}

/** Notices of the user interface. */
function noticeEvents(speaker: string, text: string, origin: Origin): EventDraft[] {
  if (text === '') return []
  if (text === 'Request cancelled.') return [draft('interruption', text, origin)]
  if (speaker === 'error') return [draft('system', text, origin, { name: 'error', isError: true })]
  const kind = speaker === 'warning' ? 'notification' : 'meta'
  return [draft(kind, text, origin, { name: speaker })]
}

/** The content of files that were named with `@file` follows this line. */
const REFERENCED = '--- Content from referenced files ---'

function userEvents(
  message: unknown,
  content: unknown,
  origin: Origin,
  context: GeminiContext,
): EventDraft[] {
  const events = partsOf(content).flatMap((part) => resultOf(part, origin, context))
  const text = textIn(content, context)
  const shown = own(message, 'displayContent')
  const typed = shown === undefined || shown === null ? text : textIn(shown, context)
  const cut = text.indexOf(REFERENCED)
  const [spoken, added] =
    typed !== text && typed !== ''
      ? [typed, text]
      : cut < 0
        ? [text, '']
        : [text.slice(0, cut).trimEnd(), text.slice(cut)]
  events.push(...userTextEvents(spoken, origin, typedAs(context.spoken)))
  if (added !== '') events.push(draft('injected', added, origin, { name: 'referenced-files' }))
  return events
}

function agentEvents(
  message: unknown,
  content: unknown,
  origin: Origin,
  context: GeminiContext,
): EventDraft[] {
  const events: EventDraft[] = []
  for (const thought of listAt(message, 'thoughts')) {
    const lines = [textAt(thought, 'subject'), textAt(thought, 'description')]
    const text = lines.filter((line) => line !== null).join('\n')
    if (text !== '') events.push(draft('reasoning', text, origin))
  }
  for (const part of partsOf(content)) {
    const thought = own(part, 'thought') === true ? textAt(part, 'text') : null
    if (thought !== null) events.push(draft('reasoning', thought, origin))
  }
  const body = textIn(content, context)
  if (body !== '') events.push(draft('agent', body, origin))
  for (const part of partsOf(content)) {
    const call = own(part, 'functionCall')
    if (isObject(call)) events.push(callOf(call, origin, context))
  }
  for (const call of listAt(message, 'toolCalls')) {
    events.push(callOf(call, origin, context), ...callResults(call, origin, context))
  }
  const [first] = events
  const usage = usageOf(message)
  if (first !== undefined && usage !== null) first.call = { id: textAt(message, 'id'), ...usage }
  return events
}

/** [X2] Cached tokens are a part of the input; thoughts are not a part of the output. */
function usageOf(message: unknown): Recorded | null {
  const tokens = own(message, 'tokens')
  const reasoning = tokensAt(tokens, 'thoughts')
  return fromTotal({
    input: tokensAt(tokens, 'input'),
    cached: tokensAt(tokens, 'cached'),
    output: (tokensAt(tokens, 'output') ?? 0) + (reasoning ?? 0),
    reasoning,
  })
}

function callOf(call: unknown, origin: Origin, context: GeminiContext): EventDraft {
  const name = textAt(call, 'name')
  const id = textAt(call, 'id')
  return callEvent({ text: compact(own(call, 'args')), name, id }, origin, context.calls)
}

/** The result inside a tool call; every part but the response itself is a stub or text beside it. */
function callResults(call: unknown, origin: Origin, context: GeminiContext): EventDraft[] {
  const result = own(call, 'result')
  if (result === null || result === undefined) return []
  const status = textAt(call, 'status')
  const text = partsOf(result).map((part) => {
    const response = own(part, 'functionResponse')
    return isObject(response) ? responseText(response) : partText(part, context)
  })
  const parts = {
    name: textAt(call, 'name'),
    callId: textAt(call, 'id'),
    isError: status === 'error' || status === 'cancelled',
  }
  const shown = text.filter((line) => line !== '').join('\n')
  return [draft('tool_result', shown, origin, parts)]
}

/** A separate result, as in checkpoints. */
function resultOf(part: unknown, origin: Origin, context: GeminiContext): EventDraft[] {
  const response = own(part, 'functionResponse')
  if (!isObject(response)) return []
  const result = {
    text: responseText(response),
    id: textAt(response, 'id'),
    name: textAt(response, 'name'),
    isError: textAt(own(response, 'response'), 'error') !== null,
  }
  return [resultEvent(result, origin, context.calls)]
}

function responseText(response: unknown): string {
  const inner = own(response, 'response')
  return compact(own(inner, 'output') ?? own(inner, 'error') ?? inner)
}

/** Content as parts: text, one part, or a list of both. */
function partsOf(content: unknown): readonly unknown[] {
  if (isList(content)) return content
  return content === null || content === undefined ? [] : [content]
}

function textIn(content: unknown, context: GeminiContext): string {
  const lines = partsOf(content).map((part) => partText(part, context))
  return lines.filter((line) => line !== '').join('\n')
}

/** Parts that become separate events. */
const APART = ['functionCall', 'functionResponse']

function partText(part: unknown, context: GeminiContext): string {
  if (typeof part === 'string') return part
  if (own(part, 'thought') === true || APART.some((key) => own(part, key) !== undefined)) return ''
  const text = own(part, 'text')
  if (typeof text === 'string') return text
  const stub = stubOf(part)
  if (stub === null)
    context.skip(`part/${(isObject(part) ? Object.keys(part)[0] : undefined) ?? 'empty'}`)
  return stub ?? ''
}

function stubOf(part: unknown): string | null {
  const data = own(part, 'inlineData')
  const file = own(part, 'fileData')
  const source = data ?? file
  if (source === undefined) return null
  const type = (textAt(source, 'mimeType') ?? 'unknown').slice(0, 60)
  const what = type.startsWith('image/') ? 'image' : 'file'
  const base64 = own(data, 'data')
  const size = typeof base64 === 'string' ? ` ${Math.ceil((base64.length * 3) / 4 / 1000)} kB` : ''
  return `[${what} ${type}${size}]`
}

/** A whole text that a harness put in, by rule; for streams. */
export function spokenEvent(text: string, origin: Origin): EventDraft {
  const rule = ruleFor(text)
  return draft(rule?.kind ?? 'user', text, origin, { name: rule?.rule ?? null })
}
