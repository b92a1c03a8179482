import { asText, compact, isList, listAt, own, textAt } from '../shared/guards.ts'
import {
  byName,
  call,
  event,
  result,
  skip,
  stub,
  thought,
  words,
  type PartTable,
  type Said,
  type SaidEvent,
} from '../shared/said.ts'

/** [I132] Contents of a message by type. Calls and results say whether they could be read at all. */
export const PARTS: PartTable = {
  text: (part) => [words(textAt(part, 'text'))],
  image: (part) => [words(stub('image', textAt(part, 'mimeType', 'mime_type')))],
  thinking: (part) => [thought(textAt(part, 'thinking'))],
  reasoning: (part) => [thought(textAt(part, 'text', 'reasoning'))],
  redactedThinking: () => [thought('[redacted thinking]')],
  toolRequest: (part) => requestOf(part),
  frontendToolRequest: (part) => requestOf(part),
  toolResponse: (part) => [responseOf(part)],
  toolConfirmationRequest: () => [skip('toolConfirmationRequest')],
  actionRequired: (part) => actionOf(own(part, 'data')),
  systemNotification: (part) => noticeOf(part),
  contextLengthExceeded: (part) => noticeOf(part),
  summarizationRequested: (part) => noticeOf(part),
  conversationCompacted: (part) => noticeOf(part),
}

export const readPart = byName(PARTS)

/** Types that only Goose has; `text` and `image` are everybody's. */
export const OWN_TYPES: readonly string[] = Object.keys(PARTS).filter(
  (type) => !['text', 'image', 'thinking', 'reasoning'].includes(type),
)

function noticeOf(part: unknown): readonly SaidEvent[] {
  return [
    event('notification', textAt(part, 'msg') ?? '', textAt(part, 'notificationType', 'type')),
  ]
}

/** A call that could not be read is said with what is wrong with it. */
function requestOf(part: unknown): readonly Said[] {
  const id = textAt(part, 'id')
  const request = own(part, 'toolCall')
  const value = own(request, 'value') ?? (textAt(request, 'name') === null ? null : request)
  const made = call(textAt(value, 'name'), id, own(value, 'arguments'))
  const error = textAt(request, 'error')
  return error === null ? [made] : [made, event('system', error, 'tool call')]
}

function responseOf(part: unknown): Said {
  const id = textAt(part, 'id')
  const outcome = own(part, 'toolResult')
  const error = textAt(outcome, 'error')
  if (error !== null) return result(null, id, error, true)
  const value = own(outcome, 'value') ?? outcome
  const content = isList(value) ? value : own(value, 'content')
  const text = isList(content) ? textsOf(content) : compact(value)
  return result(null, id, text, own(value, 'isError') === true)
}

/** Tools answer the model and the person, often with the same text: it is said once. */
function textsOf(content: readonly unknown[]): string {
  return [...new Set(content.map(textOf))].join('\n')
}

function textOf(item: unknown): string {
  const text = asText(own(item, 'text')) ?? textAt(own(item, 'resource'), 'text')
  if (text !== null) return text
  const type = textAt(item, 'type')
  return type === null || own(item, 'data') === undefined
    ? compact(item)
    : stub(type, textAt(item, 'mimeType'))
}

/** A question to the person, or their answer to it. */
function actionOf(data: unknown): readonly SaidEvent[] {
  const type = textAt(data, 'actionType')
  if (type === 'elicitation') return [event('agent', textAt(data, 'message') ?? '', 'elicitation')]
  if (type === 'elicitationResponse')
    return [event('user', compact(own(data, 'userData') ?? own(data, 'user_data')))]
  return [skip(`actionRequired/${type ?? 'untyped'}`)]
}

/** Whether some content of a message is one that only Goose writes. */
export function hasOwnPart(message: unknown): boolean {
  return listAt(message, 'content').some((part) => OWN_TYPES.includes(textAt(part, 'type') ?? ''))
}
