import { isList, isObject, own, textAt } from '../shared/guards.ts'

type List = readonly unknown[]

/** The forms of a Messages API record. */
export type Form =
  /** An answer: `{type: "message", role, content, stop_reason, usage}`. */
  | { readonly kind: 'response'; readonly message: unknown }
  /** A request: `{system, messages}` with its parameters. */
  | { readonly kind: 'request'; readonly request: unknown; readonly response: unknown }
  /** A line of a batch: `{custom_id, params}` or `{custom_id, result}`. */
  | {
      readonly kind: 'batch'
      readonly id: string
      readonly request: unknown
      readonly result: unknown
    }
  /** `{type: "error", error: {type, message}}` in place of an answer. */
  | { readonly kind: 'error'; readonly error: unknown }

/** Block types that no other interface has. Results of server tools are named `<tool>_tool_result`. */
const OWN_BLOCK = /^(?:tool_use|tool_result|redacted_thinking|\w+_tool_(?:use|result))$/
/** Block types of Codex and the Responses API, which write messages of the same outer shape. */
const OTHERS_BLOCK = new Set(['input_text', 'output_text', 'input_image', 'refusal'])
/** Possible results of a batch request. */
const OUTCOMES = new Set(['succeeded', 'errored', 'canceled', 'expired'])

function typesOf(content: unknown): readonly string[] {
  return isList(content) ? content.flatMap((block) => textAt(block, 'type') ?? []) : []
}

function isOwnBlock(type: string): boolean {
  return OWN_BLOCK.test(type)
}

/** [I105] An answer has a stop reason, its usage, or blocks that no other interface has. */
export function isResponse(value: unknown): boolean {
  if (own(value, 'type') !== 'message' || textAt(value, 'role') === null) return false
  const content = own(value, 'content')
  if (!isList(content)) return false
  const types = typesOf(content)
  if (types.some((type) => OTHERS_BLOCK.has(type))) return false
  const usage = own(value, 'usage')
  const ended = own(value, 'stop_reason') !== undefined
  return ended || own(usage, 'input_tokens') !== undefined || types.some(isOwnBlock)
}

/** A message of a request: there are only two roles, and the content holds the calls. */
function isTurn(value: unknown): boolean {
  const role = own(value, 'role')
  const content = own(value, 'content')
  if (role !== 'user' && role !== 'assistant') return false
  if (own(value, 'tool_calls') !== undefined) return false
  if (typesOf(content).some((type) => OTHERS_BLOCK.has(type))) return false
  return typeof content === 'string' || isList(content)
}

function isSystem(value: unknown): boolean {
  if (typeof value === 'string') return true
  return isList(value) && value.length > 0 && value.every((block) => textAt(block, 'text') !== null)
}

/** Parameters that a request has beside its messages. */
const PARAMETERS = ['model', 'max_tokens', 'anthropic_version', 'stop_sequences', 'thinking']

/** [I105] A request has its system prompt beside the messages, or blocks that no other interface has. */
export function isRequest(value: unknown): boolean {
  const messages = own(value, 'messages')
  if (!isList(messages) || messages.length === 0 || !messages.every(isTurn)) return false
  if (!PARAMETERS.some((key) => own(value, key) !== undefined)) return false
  if (own(value, 'choices') !== undefined) return false
  return (
    isSystem(own(value, 'system')) ||
    messages.some((message) => typesOf(own(message, 'content')).some(isOwnBlock))
  )
}

function isError(value: unknown): boolean {
  const error = own(value, 'error')
  return own(value, 'type') === 'error' && isObject(error) && textAt(error, 'type') !== null
}

/** Names under which logs keep a request and its answer. */
const ASKED = ['request', 'params', 'body']
const ANSWERED = ['response', 'result', 'message']

function under(
  value: unknown,
  keys: readonly string[],
  fits: (value: unknown) => boolean,
): unknown {
  for (const key of keys) {
    const held = own(value, key)
    const found = [held, own(held, 'body')].find(fits)
    if (found !== undefined) return found
  }
  return undefined
}

function batchOf(value: unknown): Form | null {
  const id = textAt(value, 'custom_id')
  if (id === null) return null
  const params = own(value, 'params')
  const result = own(value, 'result')
  if (OUTCOMES.has(textAt(result, 'type') ?? ''))
    return { kind: 'batch', id, request: undefined, result }
  const messages = own(params, 'messages')
  const isAsked = isList(messages) && messages.length > 0 && messages.every(isTurn)
  return isAsked ? { kind: 'batch', id, request: params, result: undefined } : null
}

/** The form of a record; null if it is not of this format. */
export function formOf(value: unknown): Form | null {
  if (!isObject(value)) return null
  if (isResponse(value)) return { kind: 'response', message: value }
  const batch = batchOf(value)
  if (batch !== null) return batch
  const answer = under(value, ANSWERED, (held) => isResponse(held) || isError(held))
  if (isRequest(value)) return { kind: 'request', request: value, response: answer }
  const asked = under(value, ASKED, (held) => isList(own(held, 'messages')))
  // An answer below some key alone decides nothing: Claude Code's records hold one too.
  if (asked !== undefined && answer !== undefined)
    return { kind: 'request', request: asked, response: answer }
  const alone = under(value, ['request', 'params'], isRequest)
  if (alone !== undefined) return { kind: 'request', request: alone, response: undefined }
  return isError(value) ? { kind: 'error', error: own(value, 'error') } : null
}

/** Whether a value is surely of this format; an error alone may be anybody's. */
export function isAnthropic(value: unknown): boolean {
  const form = formOf(value)
  return form !== null && form.kind !== 'error'
}

/** The messages of a request, its system prompt as the first of them. */
export function turnsOf(request: unknown): List {
  const messages = own(request, 'messages')
  const system = own(request, 'system')
  const prompt = isSystem(system) ? [{ role: 'system', content: system }] : []
  return [...prompt, ...(isList(messages) ? messages : [])]
}
