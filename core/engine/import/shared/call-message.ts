import type { EventKind } from '../../schema/event-kind.ts'
import {
  argsText,
  jsonIn,
  partsOf,
  textContent,
  type EventContent,
  type Part,
} from './call-parts.ts'
import { flatText } from './content-blocks.ts'
import { asText, entryOf, isList, isObject, own, textAt } from './guards.ts'
import { callOfTool, contentOf, thoughtOf, unwrapped, type Message } from './message-fields.ts'
import { partsOfUserText, typedAs } from './user-text.ts'

/** [I32] Event kind by role, in the names of all SDKs. Any other role becomes `meta` under its name. */
const ROLES: Readonly<Record<string, EventKind>> = {
  user: 'user',
  human: 'user',
  HumanMessage: 'user',
  HumanMessageChunk: 'user',
  assistant: 'agent',
  ai: 'agent',
  model: 'agent',
  AIMessage: 'agent',
  AIMessageChunk: 'agent',
  system: 'system',
  developer: 'system',
  SystemMessage: 'system',
  tool: 'tool_result',
  function: 'tool_result',
  ToolMessage: 'tool_result',
  FunctionMessage: 'tool_result',
}

/** LangChain writes `{lc: 1, id: [..., "AIMessage"], kwargs: {…}}` or `{type: "ai", …}`. */
export function messageOf(value: unknown): Message | null {
  const role = textAt(value, 'role')
  if (role !== null) return { role, fields: value }
  const id = own(value, 'id')
  const made = own(value, 'lc') !== undefined && isList(id) ? asText(id.at(-1)) : null
  if (made !== null && Object.hasOwn(ROLES, made))
    return { role: made, fields: own(value, 'kwargs') }
  const type = textAt(value, 'type')
  if (type === null || !Object.hasOwn(ROLES, type)) return null
  if (isObject(own(value, 'data'))) return { role: type, fields: own(value, 'data') }
  return own(value, 'content') === undefined ? null : { role: type, fields: value }
}

/** The speaker of a value that is not a message: the input of a call is the user's, its output the agent's. */
export type Speaker = 'user' | 'agent'

/** Events found so far in one input or output of a call. */
export interface Reading {
  readonly out: EventContent[]
  readonly speaker: Speaker
  readonly skip: (type: string) => void
  structured: boolean
}

/** A message as events: thoughts, content, calls. */
export function takeMessage(message: Message, reading: Reading): void {
  const { role, fields } = unwrapped(message)
  const known = entryOf(ROLES, role)
  const asked = known === undefined ? callOfTool(role, fields, reading.out) : null
  if (asked !== null) {
    takeResult(
      { name: role, tool_call_id: asked.callId, ...(isObject(fields) ? fields : {}) },
      reading,
    )
    return
  }
  const kind = known ?? 'meta'
  const before = reading.out.length
  const thought = thoughtOf(fields)
  if (thought !== null) reading.out.push(textContent('reasoning', thought, null))
  const written = callsInText(own(fields, 'content'))
  if (written !== null) for (const call of written) takePart(callPart(call), kind, reading)
  // LangChain lists the definitions of tools under a tool's role.
  else if (textAt(own(fields, 'content'), 'type') === 'function') {
    reading.skip('tool definition')
    return
  } else if (kind === 'tool_result') takeResult(fields, reading)
  else takeContent(fields, kind, role, reading)
  for (const call of callsOf(fields)) takePart(callPart(call), kind, reading)
  if (reading.out.length === before) reading.skip(`${role.slice(0, 40)} message without content`)
}

/** A message of a tool: one result, or a part for each. */
function takeResult(fields: unknown, reading: Reading): void {
  const content = own(fields, 'content') ?? own(fields, 'parts')
  const parts = isList(content) ? partsOf(content) : []
  const results = parts.filter((part) => part.kind === 'result')
  if (results.length > 0) {
    for (const result of results) takePart(result, 'tool_result', reading)
    return
  }
  const ids = own(fields, 'tool_call_id')
  const callId = asText(isList(ids) ? ids[0] : ids) ?? textAt(fields, 'toolCallId')
  const name = textAt(fields, 'function', 'name')
  const error = own(fields, 'error')
  const isError = isObject(error) || own(fields, 'status') === 'error'
  const body =
    parts.length > 0
      ? parts.map((part) => ('text' in part ? part.text : '')).join('\n')
      : flatText(content)
  const why = textAt(error, 'message')
  const whole =
    why === null || body.includes(why) ? body : `${body === '' ? '' : `${body}\n`}${why}`
  reading.out.push({ kind: 'tool_result', text: whole, name, callId, isError })
}

/** Texts and stubs of one message form one event. Every other part is a separate event. */
function takeContent(fields: unknown, kind: EventKind, role: string, reading: Reading): void {
  const spoken: string[] = []
  const name = kind === 'meta' ? role.slice(0, 80) : null
  const flush = (): void => {
    const joined = spoken.splice(0).join('\n')
    if (joined.trim() === '') return
    if (kind === 'user') takeUserText(joined, reading)
    else reading.out.push(textContent(kind, joined, name))
  }
  for (const part of partsOf(contentOf(fields))) {
    if (part.kind === 'text' || part.kind === 'stub') spoken.push(part.text)
    else {
      flush()
      takePart(part, kind, reading)
    }
  }
  flush()
}

interface Rule {
  readonly starts: string
  readonly kind: EventKind
  readonly rule: string
}

/** [I32] Texts that agent frameworks put under the user's role (smolagents). */
const RULES: readonly Rule[] = [
  { starts: 'Observation:\n', kind: 'tool_result', rule: 'observation' },
  {
    starts: "New task:\nYou're a helpful agent named '",
    kind: 'subagent_prompt',
    rule: 'managed-agent',
  },
  { starts: 'Now proceed and carry out this plan.', kind: 'injected', rule: 'planning' },
  { starts: 'You are a world expert at analyzing a situation', kind: 'injected', rule: 'planning' },
]

/** [I6] Texts under the user role that a harness wrote are recognised by the same rules everywhere. */
export function takeUserText(value: string, reading: Reading): void {
  const rule = RULES.find(({ starts }) => value.startsWith(starts))
  if (rule !== undefined) {
    reading.out.push(textContent(rule.kind, value, rule.rule))
    return
  }
  for (const part of partsOfUserText(value, typedAs('user'))) {
    reading.out.push(textContent(part.kind, part.text, part.rule))
  }
}

/** A part of a message of some kind. */
export function takePart(part: Part, kind: EventKind, reading: Reading): void {
  if (part.kind === 'unknown') reading.skip(`part/${part.type}`)
  else if (part.kind === 'call') {
    const { text: args, name, id } = part
    reading.out.push({ kind: 'tool_call', text: args, name, callId: id, isError: false })
  } else if (part.kind === 'result') {
    const { text: body, name, id, isError } = part
    reading.out.push({ kind: 'tool_result', text: body, name, callId: id, isError })
  } else if (part.text !== '') {
    reading.out.push(textContent(part.kind === 'reasoning' ? 'reasoning' : kind, part.text, null))
  }
}

/** Koog writes calls as the text of a message: `[{"function": {"name": …}, "id": …}]`. */
function callsInText(content: unknown): readonly unknown[] | null {
  if (typeof content !== 'string' || !/^\[\{"(function|id)"/.test(content)) return null
  const list = jsonIn(content)
  const isCall = (item: unknown): boolean => textAt(own(item, 'function'), 'name') !== null
  return isList(list) && list.every(isCall) ? list : null
}

/** Calls beside the content: OpenAI, LangChain (also under `additional_kwargs`), Inspect. */
function callsOf(fields: unknown): readonly unknown[] {
  const calls = own(fields, 'tool_calls')
  if (isList(calls) && calls.length > 0) return calls
  const extra = own(own(fields, 'additional_kwargs'), 'tool_calls')
  if (isList(extra)) return extra
  const legacy = own(fields, 'function_call')
  return isObject(legacy) ? [legacy] : []
}

function callPart(call: unknown): Part {
  const target = isObject(own(call, 'function'))
    ? own(call, 'function')
    : (own(call, 'custom') ?? call)
  const args = own(target, 'arguments') ?? own(target, 'args') ?? own(target, 'input')
  const name = textAt(target, 'name') ?? textAt(call, 'function')
  return { kind: 'call', text: argsText(args), name, id: textAt(call, 'id') }
}
