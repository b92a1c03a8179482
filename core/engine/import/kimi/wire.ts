import { entryOf, listAt, own, textAt } from '../shared/guards.ts'
import { event, speak, takeParts, takeSaid, type Place } from '../shared/said.ts'
import type { RawRecord } from '../source.ts'
import { fallbackOf, readPart } from './parts.ts'
import {
  agentOf,
  placeOf,
  takeCall,
  takeInput,
  takeOutcome,
  withoutModel,
  type Reading,
} from './sessions.ts'
import { noteLastAnswer, usageOf } from '../shared/usage.ts'

/** One event of the wire of Kimi CLI: `{type, payload}`. */
interface Wired {
  readonly payload: unknown
  readonly place: Place
  readonly inAgent: boolean
  readonly record: RawRecord
  readonly reading: Reading
}

type Take = (wired: Wired) => void

/** [I133] Events of `wire.jsonl`, by type. All others are counted. */
const EVENTS: Readonly<Record<string, Take>> = {
  TurnBegin: input,
  SteerInput: input,
  ContentPart: ({ payload, place }) => takeParts([payload], readPart, { kind: 'agent' }, place),
  TextPart: ({ payload, place }) => takeParts([payload], readPart, { kind: 'agent' }, place),
  ThinkPart: ({ payload, place }) => takeParts([payload], readPart, { kind: 'agent' }, place),
  ToolCall: ({ payload, place }) => takeCall(payload, place),
  ToolResult: ({ payload, place }) =>
    takeOutcome(
      textAt(payload, 'tool_call_id'),
      own(payload, 'return_value') ?? own(payload, 'result'),
      place,
    ),
  SubagentEvent: inner,
  StepInterrupted: ({ place }) =>
    takeSaid(event('interruption', 'StepInterrupted'), withoutModel(place)),
  Notification: ({ payload, place }) => {
    const text = [textAt(payload, 'title'), textAt(payload, 'body')].filter((part) => part !== null)
    takeSaid(event('notification', text.join('\n'), textAt(payload, 'type')), withoutModel(place))
  },
  // [X19] Written behind the answer of each step.
  StatusUpdate: ({ payload, place }) => {
    const usage = usageOf(own(payload, 'token_usage'))
    const call = usage && { id: textAt(payload, 'message_id'), ...usage }
    if (noteLastAnswer(place.writer, call)) place.log.used()
  },
  PlanDisplay: ({ payload, place }) =>
    takeSaid(event('meta', textAt(payload, 'content') ?? '', 'plan'), place),
  // Feedback that the user writes when refusing counts as typed.
  ApprovalResponse: ({ payload, place }) =>
    speak(textAt(payload, 'feedback') ?? '', { kind: 'user' }, withoutModel(place)),
}

function input({ payload, place, inAgent }: Wired): void {
  takeInput(own(payload, 'user_input'), fallbackOf(null, inAgent), place)
}

/** A sub-agent's activity, wrapped in the same wire records. */
function inner({ payload, record, place, reading }: Wired): void {
  const call = textAt(payload, 'parent_tool_call_id', 'task_tool_call_id')
  const agent = agentOf(textAt(payload, 'agent_id') ?? call ?? 'sub-agent', reading, call)
  const within = { ...place, writer: agent.writer }
  takeWired(own(payload, 'event'), { place: within, inAgent: true, record, reading }, 1)
}

const DEEPEST = 8

function takeWired(value: unknown, around: Omit<Wired, 'payload'>, depth: number): void {
  const type = textAt(value, 'type') ?? 'untyped'
  const take = entryOf(EVENTS, type)
  const { writer, log } = around.place
  const before = writer.count()
  if (take === undefined || (type === 'SubagentEvent' && depth > DEEPEST)) log.skip(type)
  else {
    take({ ...around, payload: own(value, 'payload') })
    if (writer.count() === before && type !== 'SubagentEvent') log.skip(`${type} without content`)
  }
}

/** A line of `wire.jsonl`: `{timestamp, message: {type, payload}}`. */
export function isWire(value: unknown): boolean {
  const message = own(value, 'message')
  return (
    typeof own(value, 'timestamp') === 'number' &&
    textAt(message, 'type') !== null &&
    own(message, 'payload') !== undefined
  )
}

export function takeWire(record: RawRecord, at: number | null, reading: Reading): void {
  const agent = agentOf(null, reading)
  const place = placeOf(agent, at, record, reading.log)
  takeWired(own(record.value, 'message'), { place, inAgent: false, record, reading }, 0)
}

/** Messages of `context.jsonl`, and lines about the context itself. */
const ROLES: Readonly<Record<string, (value: unknown, place: Place) => void>> = {
  user: (value, place) => takeInput(own(value, 'content'), fallbackOf(null, false), place),
  assistant: (value, place) => {
    const content = own(value, 'content')
    takeParts(
      Array.isArray(content)
        ? content
        : [content].filter((one) => typeof one === 'string' && one !== ''),
      readPart,
      { kind: 'agent' },
      place,
    )
    for (const one of listAt(value, 'tool_calls')) takeCall(one, place)
  },
  tool: (value, place) =>
    takeOutcome(textAt(value, 'tool_call_id'), { output: own(value, 'content') }, place),
  system: (value, place) => takeParts([own(value, 'content')], readPart, { kind: 'system' }, place),
  _system_prompt: (value, place) =>
    speak(textAt(value, 'content') ?? '', { kind: 'system' }, place),
}

const ABOUT: readonly string[] = ['_checkpoint', '_usage', '_system_prompt']

/** A line of `context.jsonl` that no other format has. */
export function isContext(value: unknown): boolean {
  if (ABOUT.includes(textAt(value, 'role') ?? '')) return true
  const thinks = listAt(value, 'content').some((part) => textAt(part, 'type') === 'think')
  return thinks && textAt(value, 'role') !== null
}

export function takeContext(record: RawRecord, reading: Reading): void {
  const { value } = record
  const role = textAt(value, 'role') ?? ''
  const agent = agentOf(null, reading)
  const take = entryOf(ROLES, role)
  const before = agent.writer.count()
  take?.(value, placeOf(agent, null, record, reading.log))
  if (agent.writer.count() === before)
    reading.log.skip(take === undefined ? role : `${role} without content`)
}
