import { argsText, jsonIn } from '../shared/call-parts.ts'
import { AUTO_REPLY } from '../shared/chat-user.ts'
import { flatText } from '../shared/content-blocks.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { without } from '../shared/envelope.ts'
import {
  compact,
  entryOf,
  epoch,
  idText,
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
import { noteUsage } from '../shared/usage.ts'

/** An event with its fields, which are under `args`, or next to `action` in the oldest runs. */
interface Event {
  readonly value: JsonObject
  readonly fields: JsonObject
  readonly origin: Origin
  readonly run: Run
  readonly writer: SessionWriter
}

type Handler = (event: Event, type: string) => void

/** Bookkeeping: its type is counted. */
const skipped: Handler = () => undefined

/** [I22] Actions that are no tool call, by name; all others are calls. */
const ACTIONS: Readonly<Record<string, Handler>> = {
  message: takeMessage,
  system: ({ fields, value, origin, writer }) =>
    writer.push(draft('system', saidOf(fields, value), origin)),
  think: ({ fields, origin, writer }) =>
    writer.push(draft('reasoning', textAt(fields, 'thought') ?? '', origin)),
  finish: takeFinish,
  reject: takeFinish,
  delegate: takeDelegate,
  condensation: ({ fields, origin, writer }) => {
    const summary = textAt(fields, 'summary')
    const kind = summary === null ? 'meta' : 'summary'
    writer.push(draft(kind, summary ?? compact(fields), origin, { name: 'condensation' }))
  },
  null: skipped,
  recall: skipped,
  change_agent_state: skipped,
  condensation_request: skipped,
  start: skipped,
}

/** [I22] Observations that are no result of a call. */
const OBSERVATIONS: Readonly<Record<string, Handler>> = {
  null: skipped,
  think: skipped,
  agent_condensation: ({ value, origin, writer }) =>
    writer.push(draft('summary', textAt(value, 'content') ?? '', origin, { name: 'condensation' })),
  recall: takeRecall,
  agent_state_changed: ({ fields, origin, writer }) => {
    const reason = textAt(fields, 'reason')
    if (own(fields, 'agent_state') === 'error' && reason !== null)
      writer.push(draft('system', reason, origin, { name: 'error', isError: true }))
  },
  delegate: (event) => {
    // The delegate's work ends with its observation, which its parent sees.
    if (event.run.stack.length > 1) event.run.stack.pop()
    takeResult({ ...event, writer: event.run.stack.at(-1) ?? event.writer }, 'delegate')
  },
}

/** Events of a V0 action or observation. */
export function takeV0Event(value: JsonObject, source: RawRecord['ref'], run: Run): void {
  const action = textAt(value, 'action')
  const type = action ?? textAt(value, 'observation') ?? 'untyped'
  const name = `${action === null ? 'observation' : 'action'}/${type}`
  const inner = own(value, action === null ? 'extras' : 'args')
  const writer = run.stack.at(-1) ?? run.main
  const at = epoch(own(value, 'timestamp'))
  const origin: Origin = { at, model: modelOf(value, action, run), source }
  const event: Event = { value, fields: isObject(inner) ? inner : value, origin, run, writer }
  writer.reopen()
  const before = writer.count()
  handlerOf(action, type)(event, type)
  if (action !== null) noteUsage(writer, before, value)
  // A delegate's report goes to its parent's session.
  if (type !== 'delegate' && writer.count() === before) run.log.skip(name)
}

function handlerOf(action: string | null, type: string): Handler {
  const table = action === null ? OBSERVATIONS : ACTIONS
  const handler = entryOf(table, type)
  return handler ?? (action === null ? takeResult : takeCall)
}

function modelOf(value: JsonObject, action: string | null, run: Run): string | null {
  if (action === null || action === 'system' || own(value, 'source') !== 'agent') return null
  const reply = own(own(value, 'tool_call_metadata'), 'model_response')
  return textAt(reply, 'model') ?? run.model
}

function saidOf(fields: JsonObject, value: JsonObject): string {
  const text = textAt(fields, 'content') ?? textAt(value, 'content')
  const images = own(fields, 'image_urls') ?? own(fields, 'images_urls')
  const parts = isList(images)
    ? images.map((url) => ({ type: 'image_url', image_url: { url } }))
    : []
  const stubs = flatText(parts)
  const words = text ?? textAt(value, 'message') ?? ''
  return stubs === '' ? words : `${words}\n${stubs}`.trimStart()
}

function takeMessage({ fields, value, origin, writer }: Event): void {
  const text = saidOf(fields, value)
  if (text === '') return
  const source = own(value, 'source')
  // The oldest runs do not name the speaker, but only the agent waits for an answer.
  const isAgents =
    source === 'agent' || (source === undefined && own(fields, 'wait_for_response') === true)
  if (isAgents) {
    takeReasoning(value, origin, writer)
    writer.push(draft('agent', text, origin))
  } else if (source === 'environment') {
    writer.push(draft('injected', text, origin, { name: 'environment' }))
  } else if (text.startsWith(AUTO_REPLY)) {
    writer.push(draft('notification', text, origin, { name: 'auto-reply' }))
  } else writer.push(draft('user', text, origin))
}

function takeReasoning(value: JsonObject, origin: Origin, writer: SessionWriter): void {
  const reply = own(own(own(value, 'tool_call_metadata'), 'model_response'), 'choices')
  const message = own(isList(reply) ? reply[0] : null, 'message')
  const thought = textAt(message, 'reasoning_content') ?? textAt(value, 'reasoning_content')
  if (thought !== null) writer.push(draft('reasoning', thought, origin))
}

/** Fields of an action that the harness adds for itself, or that become separate events. */
const NOT_ARGS = new Set([
  'action',
  'thought',
  'source',
  'id',
  'timestamp',
  'message',
  'timeout',
  'translated_ipython_code',
  'kernel_init_code',
  'confirmation_state',
  'is_confirmed',
  'action_risk',
  'security_risk',
  'hidden',
  'blocking',
  'keep_prompt',
  'impl_source',
  'tool_call_metadata',
  'llm_metrics',
])

function argsOf(fields: JsonObject): string {
  return compact(Object.fromEntries(Object.entries(fields).filter(([key]) => !NOT_ARGS.has(key))))
}

/**
 * [I117] The arguments as the model gave them. The harness removes some and adds others in the action. Null if the
 * model's reply is not in the file.
 */
function givenArgs(value: JsonObject): unknown {
  const call = own(value, 'tool_call_metadata')
  const choice = listAt(own(call, 'model_response'), 'choices')[0]
  const id = textAt(call, 'tool_call_id')
  const calls = listAt(own(choice, 'message'), 'tool_calls')
  const given = calls.find((each) => id !== null && textAt(each, 'id') === id)
  return own(own(given, 'function'), 'arguments') ?? null
}

function takeCall(event: Event, type: string): void {
  const { value, fields, origin, run, writer } = event
  if (own(value, 'source') === 'user') {
    const typed = textAt(fields, 'command', 'content') ?? argsOf(fields)
    writer.push(draft('command', typed, origin, { name: type }))
    return
  }
  takeReasoning(value, origin, writer)
  const thought = textAt(fields, 'thought')
  if (thought !== null) writer.push(draft('agent', thought, origin))
  const given = givenArgs(value)
  pushCall(event, type, given === null ? argsOf(fields) : argsText(given), run)
}

function pushCall({ value, origin, writer }: Event, type: string, args: string, run: Run): void {
  const call = own(value, 'tool_call_metadata')
  const name = textAt(call, 'function_name') ?? type
  const eventId = idText(own(value, 'id'))
  const callId = textAt(call, 'tool_call_id') ?? eventId
  if (eventId !== null && callId !== null) run.causes.set(eventId, { name, callId })
  writer.push(draft('tool_call', args, origin, { name, callId }))
}

/** The last words of a run; what else the action holds is a call. */
function takeFinish(event: Event, type: string): void {
  const { value, fields, origin, run, writer } = event
  takeReasoning(value, origin, writer)
  const text = textAt(fields, 'final_thought', 'thought')
  const words = text ?? textAt(fields, 'content') ?? textAt(value, 'message')
  if (words !== null) writer.push(draft('agent', words, origin))
  const given = givenArgs(value)
  const inner = typeof given === 'string' ? jsonIn(given) : given
  // The words are the agent's: only what else the model gave is shown as the call.
  const whole = isObject(inner) ? without(inner, keyOf(inner, words)) : fields
  const args = argsOf(without(whole, 'final_thought'))
  if (args !== '{}' && args !== '{"outputs":{}}') pushCall(event, type, args, run)
}

function keyOf(fields: JsonObject, words: string | null): string {
  return Object.keys(fields).find((key) => words !== null && fields[key] === words) ?? 'message'
}

/** [I22] A delegate works in the same list of events until its observation. Its events form a separate session. */
function takeDelegate(event: Event, type: string): void {
  takeCall(event, type)
  const { value, fields, origin, run, writer } = event
  const agent = textAt(fields, 'agent') ?? 'delegate'
  const name = `${agent}-${idText(own(value, 'id')) ?? run.writers.drafts().length}`
  // Ids do not grow with the nesting.
  const child = run.writers.open(`${run.main.session.id}/${name}`, name, writer.session.id)
  const inputs = own(fields, 'inputs')
  const task = textAt(inputs, 'task') ?? compact(inputs)
  if (task !== '') child.push(draft('subagent_prompt', task, { ...origin, model: null }))
  run.stack.push(child)
}

/** Knowledge that the harness recalls for the model: repository notes and microagents. */
function takeRecall({ value, fields, origin, writer }: Event): void {
  const known = own(fields, 'microagent_knowledge')
  const texts = [
    textAt(value, 'content'),
    textAt(fields, 'repo_instructions'),
    textAt(fields, 'additional_agent_instructions'),
    ...(isList(known) ? known.map((item) => textAt(item, 'content')) : []),
  ].filter((part) => part !== null)
  if (texts.length > 0)
    writer.push(draft('injected', texts.join('\n\n'), origin, { name: 'recall' }))
}

function takeResult({ value, fields, origin, run, writer }: Event, type: string): void {
  const text = textAt(value, 'content') ?? ''
  const cause = idText(own(value, 'cause'))
  const call = cause === null ? undefined : run.causes.get(cause)
  if (call === undefined && writer.session.events.at(-1)?.kind === 'command') {
    writer.push(draft('command', text, origin, { name: 'command-output' }))
    return
  }
  const meta = own(value, 'tool_call_metadata')
  const name = call?.name ?? textAt(meta, 'function_name') ?? type
  const callId = call?.callId ?? textAt(meta, 'tool_call_id')
  if (text === '' && callId === null) return
  const isError = failed(type, value, fields)
  writer.push(draft('tool_result', text, origin, { name, callId, isError }))
}

function failed(type: string, value: JsonObject, fields: JsonObject): boolean {
  if (type === 'error' || type === 'user_rejected') return true
  const code = own(own(fields, 'metadata'), 'exit_code') ?? own(fields, 'exit_code')
  return own(value, 'success') === false || (typeof code === 'number' && code > 0)
}
