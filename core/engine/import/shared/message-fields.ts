import { jsonIn, type EventContent } from './call-parts.ts'
import { isList, isObject, own, textAt } from './guards.ts'

/** Role and fields of a message, wherever its writer keeps them. */
export interface Message {
  readonly role: string
  readonly fields: unknown
}

/** [I114] A message whose content is the same message as JSON. */
export function unwrapped(message: Message): Message {
  const content = own(message.fields, 'content')
  const inner = typeof content === 'string' && content.startsWith('{') ? jsonIn(content) : undefined
  if (!isObject(inner) || inner['role'] !== message.role) return message
  const isBare = Object.keys(inner).every((key) => key === 'role' || key === 'content')
  return isBare && inner['content'] !== undefined ? { role: message.role, fields: inner } : message
}

/** Maximum distance back from a result to its call. */
const MAX_BACK = 200

interface Asked {
  readonly callId: string | null
}

/**
 * [I114] LangGraph's callback writes the tool's name as the role of its result. Returns the first call of that name in
 * the same list that has no result yet. Null if the role is not such a name.
 */
export function callOfTool(
  role: string,
  fields: unknown,
  list: readonly EventContent[],
): Asked | null {
  const out = list.slice(-MAX_BACK)
  const calls = out.filter(({ kind, name }) => kind === 'tool_call' && name === role)
  const told = out.filter(({ kind, name }) => kind === 'tool_result' && name === role).length
  const call = calls[told] ?? calls.at(-1)
  if (call !== undefined) return { callId: call.callId }
  return isObject(own(fields, 'additional_kwargs')) ? { callId: null } : null
}

/** [I114] Thoughts beside the content: of agno and Ollama, OpenRouter, DeepSeek through LangChain. */
export function thoughtOf(fields: unknown): string | null {
  const told = textAt(fields, 'reasoning_content', 'reasoning', 'thinking')
  if (told !== null) return told
  const extra = own(fields, 'additional_kwargs')
  const inner = textAt(extra, 'reasoning_content')
  if (inner !== null) return inner
  const listed = own(fields, 'reasoning_details') ?? own(own(extra, 'reasoning'), 'summary')
  if (!isList(listed)) return null
  const texts = listed
    .map((item) => textAt(item, 'text', 'summary'))
    .filter((text) => text !== null)
  return texts.length === 0 ? null : texts.join('\n')
}

/** The content of a message under any known key: LlamaIndex has `blocks`, BeeAI `text`. */
export function contentOf(fields: unknown): unknown {
  for (const key of ['content', 'parts', 'blocks', 'text', 'refusal']) {
    const content = own(fields, key)
    if (content !== undefined && content !== null) return content
  }
  return undefined
}
