import { parseJson } from '../json/value.ts'
import { isChatRole } from '../shared/chat-message.ts'
import { compact, idText, isList, isObject, own, textAt } from '../shared/guards.ts'
import { isResponseItem } from '../shared/responses-items.ts'

/** One conversation as a record holds it. */
export interface Conversation {
  readonly id: string | null
  readonly model: string | null
  /** Seconds or ISO time of the whole, where messages have none. */
  readonly created: unknown
  /** Messages, or items of the Responses API. */
  readonly items: readonly unknown[]
  /** The other answer of a preference pair. */
  readonly rejected: readonly unknown[]
  /** Requests and responses of a batch are separate records that belong together. */
  readonly joins: boolean
  /** [I177] The record says how well it went. */
  readonly scored: boolean
}

type List = readonly unknown[]

/** True for a chat completion message. */
export function isMessage(value: unknown): boolean {
  if (!isChatRole(own(value, 'role'))) return false
  return ['content', 'tool_calls', 'function_call', 'refusal'].some(
    (key) => own(value, key) !== undefined,
  )
}

function isItem(value: unknown): boolean {
  return isMessage(value) || isResponseItem(value)
}

/** Maximum list entries searched for a known type, because an unknown type may come first. */
const LOOKED_AT = 50

function listAt(value: unknown, key: string): List | null {
  const list = own(value, key)
  return isList(list) && holdsItem(list) ? list : null
}

function holdsItem(list: List): boolean {
  return list.slice(0, LOOKED_AT).some(isItem)
}

/** [I107] A Responses object is recognised by its `object` field, regardless of its items. */
function outputOf(value: unknown): List | null {
  const output = own(value, 'output')
  if (own(value, 'object') !== 'response' || !isList(output)) return listAt(value, 'output')
  return output
}

/** A prompt is a list of messages or a text. */
function promptOf(value: unknown): List {
  if (isList(value)) return value
  return typeof value === 'string' ? [{ role: 'user', content: value }] : []
}

interface Parts {
  readonly items: List
  readonly rejected?: List
  readonly id?: string | null
  readonly model?: string | null
  readonly created?: unknown
  readonly joins?: boolean
  readonly scored?: boolean
}

/** [I29] The shapes of a record that holds a conversation. The first that fits is used. */
const FORMS: ReadonlyArray<(value: unknown) => Parts | null> = [
  display,
  preferencePair,
  batchRequest,
  batchResponse,
  (value) => completion(value),
  (value) => response(value),
  loggedCall,
  converseLog,
  rollout,
  (value) => {
    const items = listAt(value, 'messages')
    if (items === null) return null
    const answer = own(own(value, 'output'), 'message')
    return { items: isMessage(answer) ? [...items, answer] : items }
  },
  (value) => {
    const answer = own(own(value, 'output'), 'message')
    return isMessage(answer) ? { items: [answer] } : null
  },
  (value) => (isList(value) ? { items: value } : null),
  // A list of no messages at all is still a session, an empty one.
  (value) => {
    const items = own(value, 'messages')
    return isList(items) ? { items } : null
  },
]

/** The conversation of a record, or null when the record is a message itself or something else. */
export function conversationOf(given: unknown): Conversation | null {
  const value = withLists(given)
  for (const form of FORMS) {
    const parts = form(value)
    if (parts === null) continue
    const { rejected = [], joins = false, scored = false } = parts
    const items = [...systemOf(value, parts.items), ...parts.items]
    const id = parts.id ?? textAt(value, 'id', 'session_id', 'traj_id')
    const model = parts.model ?? textAt(value, 'model', 'modelId')
    return { id, model, created: parts.created, items, rejected, joins, scored }
  }
  return null
}

/** [I178] Rows of tables keep a list of messages as JSON in a text. */
function withLists(value: unknown): unknown {
  const text = own(value, 'messages')
  if (!isObject(value) || typeof text !== 'string' || !/^\s*\[\s*\{/.test(text)) return value
  const messages = parseJson(text)
  return isList(messages) ? { ...value, messages } : value
}

/** [I176] The system prompt beside the messages: a text, or blocks of text. Not said again if the messages begin with one. */
export function systemOf(value: unknown, items: List): List {
  const system = own(value, 'system')
  const isText =
    typeof system === 'string' ||
    (isList(system) && system.some((block) => textAt(block, 'text') !== null))
  if (!isText || own(items[0], 'role') === 'system') return []
  return [{ role: 'system', content: system }]
}

/** True when a record surely holds chat messages. */
export function holdsMessages(value: unknown): boolean {
  if (isMessage(value)) return true
  const conversation = conversationOf(value)
  if (conversation === null) return false
  const { items } = conversation
  const [first] = items
  if (isList(value)) return isMessage(first) || holdsInside(first)
  return holdsItem(items) || outputOf(value) !== null
}

/** One level down: an array of sessions. Never looks deeper. */
function holdsInside(value: unknown): boolean {
  if (isList(value)) return isMessage(value[0])
  if (!isObject(value) || isMessage(value)) return false
  const items = conversationOf(value)?.items
  return items !== undefined && (holdsItem(items) || outputOf(value) !== null)
}

/** [I177] Reads a prompt and the model's answer from a rollout, in the forms that trainers use. */
function rollout(value: unknown): Parts | null {
  for (const [question, answer] of ROLLOUT) {
    const asked = promptOf(own(value, question))
    const said = own(value, answer)
    const completion = isList(said) && holdsItem(said) ? said : null
    const text = typeof said === 'string' && isList(own(value, question)) ? said : null
    if (asked.length === 0 || !asked.every(isItem)) continue
    if (completion === null && text === null) continue
    const id =
      idText(own(value, 'id')) ?? textAt(value, 'trajectory_id', 'rollout_id', 'example_id')
    const items = [...asked, ...(completion ?? [{ role: 'assistant', content: text }])]
    return { items, id, scored: true }
  }
  return null
}

/** Names under which trainers keep both. */
const ROLLOUT = [
  ['prompt', 'completion'],
  ['prompt', 'response'],
  ['prompt', 'responses'],
  ['prompt_messages', 'completion_messages'],
  ['prompt_messages', 'response_messages'],
  ['input_messages', 'output_messages'],
] as const

/** [I176] A log of Bedrock's calls: the bodies of the request and of the answer. */
function converseLog(value: unknown): Parts | null {
  const asked = own(own(value, 'input'), 'inputBodyJson')
  const items = listAt(asked, 'messages')
  if (items === null) return null
  const answer = own(own(own(own(value, 'output'), 'outputBodyJson'), 'output'), 'message')
  const all = isMessage(answer) ? [...items, answer] : items
  return { items: [...systemOf(asked, all), ...all], created: own(value, 'timestamp') }
}

function display(value: unknown): Parts | null {
  const text = textAt(value, 'messages_display')
  const items = text === null ? [] : messagesOfDisplay(text)
  return items.length > 0 ? { items } : null
}

/** Two answers to one prompt: LLaMA-Factory, TRL and OpenAI preference data. */
function preferencePair(value: unknown): Parts | null {
  const input = own(value, 'input')
  const preferred = listAt(value, 'preferred_output')
  if (preferred !== null) {
    const asked = promptOf(own(input, 'messages') ?? input)
    return pair(asked, preferred, listAt(value, 'non_preferred_output') ?? [])
  }
  const chosen = listAt(value, 'chosen_messages') ?? listAt(value, 'chosen')
  const rejected = listAt(value, 'rejected_messages') ?? listAt(value, 'rejected')
  if (chosen !== null && rejected !== null)
    return pair(promptOf(own(value, 'prompt')), chosen, rejected)
  const asked = listAt(value, 'messages')
  const yes = own(value, 'chosen')
  const no = own(value, 'rejected')
  return asked !== null && isMessage(yes) && isMessage(no) ? pair(asked, [yes], [no]) : null
}

/** The rejected messages after what both answers have in common. */
function pair(asked: List, chosen: List, rejected: List): Parts {
  let same = 0
  while (same < rejected.length && compact(rejected[same]) === compact(chosen[same])) same += 1
  return { items: [...asked, ...chosen], rejected: rejected.slice(same) }
}

function batchRequest(value: unknown): Parts | null {
  const body = own(value, 'body')
  const items = listAt(body, 'messages') ?? listAt(body, 'input')
  if (items === null) return null
  const id = textAt(value, 'custom_id')
  return { items, id, model: textAt(body, 'model'), joins: true }
}

function batchResponse(value: unknown): Parts | null {
  const body = own(own(value, 'response'), 'body')
  const parts = completion(body) ?? response(body)
  if (parts === null) return null
  return { ...parts, id: textAt(value, 'custom_id'), joins: true }
}

/** A chat completion: the first choice is the answer, the others are answers that were not taken. */
function completion(value: unknown): Parts | null {
  const choices = own(value, 'choices')
  if (!isList(choices)) return null
  const [first, ...others] = choices.map((choice) => own(choice, 'message'))
  if (!isMessage(first)) return null
  const rejected = others.filter(isMessage)
  const asked = listAt(value, 'messages') ?? []
  const created = own(value, 'created')
  return { items: [...asked, first], rejected, created, model: textAt(value, 'model') }
}

/** [I127] A request with the model's answer next to it, as in call logs such as DSPy's history. */
function loggedCall(value: unknown): Parts | null {
  const outputs = own(value, 'outputs')
  const answer = completion(own(value, 'response'))
  const asked = listAt(value, 'messages') ?? (isList(outputs) ? promptOf(own(value, 'prompt')) : [])
  if (asked.length === 0) return null
  const said = isList(outputs) ? outputs.map(answerOf) : []
  const [first, ...others] = answer === null ? said : [...answer.items, ...(answer.rejected ?? [])]
  if (first === undefined) return null
  const created = own(value, 'timestamp') ?? answer?.created
  const model = textAt(value, 'model') ?? answer?.model ?? null
  return { items: [...asked, first], rejected: others, created, model, id: textAt(value, 'uuid') }
}

/** An output is a text, or a text with thoughts and calls beside it. */
function answerOf(output: unknown): unknown {
  if (!isObject(output)) return { role: 'assistant', content: output }
  return { ...output, role: 'assistant', content: own(output, 'content') ?? own(output, 'text') }
}

function response(value: unknown): Parts | null {
  const output = outputOf(value)
  const input = own(value, 'input')
  const asked = listAt(value, 'input') ?? (output === null ? null : promptOf(input))
  if (asked === null) return null
  const instructions = textAt(value, 'instructions')
  const system = instructions === null ? [] : [{ role: 'system', content: instructions }]
  const items = [...system, ...asked, ...(output ?? []), ...endOf(value)]
  return { items, created: own(value, 'created_at'), model: textAt(value, 'model') }
}

/** The reason why a Responses object ends without an answer, as separate items. */
function endOf(value: unknown): List {
  if (own(value, 'object') !== 'response') return []
  const error = own(value, 'error')
  const cut = own(value, 'incomplete_details')
  return [
    ...(isObject(error) ? [{ ...error, type: 'error' }] : []),
    ...(isObject(cut) ? [{ ...cut, type: 'incomplete_details' }] : []),
  ]
}

const SPEAKER = /^(user|assistant|system|tool): ?/

/**
 * tau-bench's few-shot form: a whole conversation in one text, with a speaker and a colon before each message. Python
 * prints `None` for a message that only calls a tool.
 */
function messagesOfDisplay(
  display: string,
): ReadonlyArray<{ readonly role: string; readonly content: string | null }> {
  const messages: Array<{ role: string; lines: string[] }> = []
  for (const line of display.split('\n')) {
    const match = SPEAKER.exec(line)
    if (match?.[1] !== undefined)
      messages.push({ role: match[1], lines: [line.slice(match[0].length)] })
    else messages.at(-1)?.lines.push(line)
  }
  return messages.map(({ role, lines }) => {
    const content = lines.join('\n')
    return { role, content: content.trim() === 'None' ? null : content }
  })
}
