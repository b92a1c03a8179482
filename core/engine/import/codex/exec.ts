import { flatText } from '../shared/content-blocks.ts'
import { draft, sessionDraft } from '../shared/drafts.ts'
import { asText, compact, entryOf, isList, isObject, own, textAt } from '../shared/guards.ts'
import { callEvent, resultEvent } from '../shared/tool-calls.ts'
import { takeSpoken, takeThought } from './messages.ts'
import { push, pushText, type CodexReading } from './reading.ts'

/** Events of `codex exec --json` about the run; those about an item are `item.…`. */
const EVENTS = new Set([
  'thread.started',
  'turn.started',
  'turn.completed',
  'turn.failed',
  'session.created',
])
const ITEM = /^item\.(started|updated|completed)$/

/** [I12] A record of `codex exec --json`. */
export function isExecRecord(value: unknown): boolean {
  const type = own(value, 'type')
  if (type === undefined) return oldEvent(value) !== null
  if (typeof type !== 'string') return false
  if (EVENTS.has(type)) return !isObject(own(value, 'payload'))
  return ITEM.test(type) && typeOf(own(value, 'item')) !== null
}

/** Until 0.44 a record was an event of a rollout with the number of its submission: `{id, msg}`. */
function oldEvent(value: unknown): unknown {
  const event = own(value, 'msg')
  return textAt(value, 'id') !== null && textAt(event, 'type') !== null ? event : null
}

/** In those, calls and their results are separate events. */
const OLD_CALLS: Readonly<Record<string, readonly [name: string, key: string]>> = {
  exec_command_begin: ['exec_command', 'command'],
  patch_apply_begin: ['apply_patch', 'changes'],
  mcp_tool_call_begin: ['mcp_tool_call', 'invocation'],
}
const OLD_RESULT = /^(?:exec_command|patch_apply|mcp_tool_call)_end$/

/** False for an event that rollouts have too. */
function takeOldCall(event: unknown, reading: CodexReading): boolean {
  const type = textAt(event, 'type') ?? ''
  const id = textAt(event, 'call_id')
  const call = entryOf(OLD_CALLS, type)
  if (call !== undefined) {
    const [name, key] = call
    const made = { text: compact(own(event, key)), name, id }
    push(reading, callEvent(made, reading.origin, reading.calls))
    return true
  }
  if (!OLD_RESULT.test(type)) return false
  const printed = [own(event, 'stdout'), own(event, 'stderr')]
    .map(asText)
    .filter(Boolean)
    .join('\n')
  const text = textAt(event, 'aggregated_output') ?? (printed || compact(own(event, 'result')))
  const code = own(event, 'exit_code')
  const isError = (typeof code === 'number' && code !== 0) || own(event, 'success') === false
  push(reading, resultEvent({ text, id, isError }, reading.origin, reading.calls))
  return true
}

/** Until 0.44 the key had another name. */
function typeOf(item: unknown): string | null {
  return textAt(item, 'type', 'item_type')
}

/** Handles an event of a rollout. */
type TakeEvent = (event: unknown, reading: CodexReading) => void

/** Takes a record of the stream. An item comes when it begins, changes and ends: two events at most. */
export function takeExec(value: unknown, reading: CodexReading, take: TakeEvent): void {
  const old = oldEvent(value)
  if (old !== null) {
    if (!takeOldCall(old, reading)) take(old, reading)
    return
  }
  const type = textAt(value, 'type') ?? 'untyped'
  if (ITEM.test(type)) {
    takeItem(own(value, 'item'), type === 'item.completed', reading)
    return
  }
  const id = textAt(value, 'thread_id', 'session_id')
  if (id !== null) reading.session ??= sessionDraft(id)
  const error = own(value, 'error')
  if (error === undefined) {
    reading.log.skip(type)
    return
  }
  fail(textAt(error, 'message') ?? compact(error), reading)
}

function fail(text: string, reading: CodexReading): void {
  push(reading, draft('system', text, reading.origin, { name: 'error', isError: true }))
}

function takeItem(item: unknown, done: boolean, reading: CodexReading): void {
  const type = typeOf(item) ?? 'untyped'
  const text = textAt(item, 'text', 'message') ?? ''
  const tool = entryOf(TOOLS, type)
  if (tool !== undefined) takeTool(item, tool(item, type), done, reading)
  else if (!done) reading.log.skip(`item/${type} in progress`)
  else if (type === 'agent_message' || type === 'assistant_message')
    takeSpoken('item', text, reading)
  else if (type === 'reasoning') takeThought('item', text, reading)
  else if (type === 'error') pushText(reading, 'notification', text, 'error')
  else reading.log.unknown(type)
}

/** The content of an item that is a call. */
interface Tool {
  readonly name: string
  readonly call: unknown
  readonly result: string
}

const TOOLS: Readonly<Record<string, (item: unknown, type: string) => Tool>> = {
  command_execution: (item, name) => ({
    name,
    call: { command: own(item, 'command') },
    result: compact(own(item, 'aggregated_output')),
  }),
  file_change: (item, name) => ({
    name,
    call: own(item, 'changes'),
    result: compact(own(item, 'status')),
  }),
  mcp_tool_call: (item) => ({
    name: [own(item, 'server'), own(item, 'tool')].map(asText).filter(Boolean).join('/'),
    call: own(item, 'arguments'),
    result: mcpResult(item),
  }),
  collab_tool_call: (item, type) => ({
    name: textAt(item, 'tool') ?? type,
    call: { prompt: own(item, 'prompt'), receivers: own(item, 'receiver_thread_ids') },
    result: compact(own(item, 'agents_states')),
  }),
  web_search: (item, name) => ({ name, call: { query: own(item, 'query') }, result: '' }),
  todo_list: (item, name) => ({
    name,
    call: own(item, 'items'),
    result: compact(own(item, 'items')),
  }),
}

function mcpResult(item: unknown): string {
  const result = own(item, 'result')
  const content = own(result, 'content')
  return isList(content) ? flatText(content) : compact(result)
}

function takeTool(item: unknown, tool: Tool, done: boolean, reading: CodexReading): void {
  const id = textAt(item, 'id')
  const key = id ?? ''
  const { name } = tool
  if (!reading.calls.has(key)) {
    push(reading, draft('tool_call', compact(tool.call), reading.origin, { name, callId: id }))
    reading.calls.set(key, name)
  } else if (!done) reading.log.skip(`item/${typeOf(item) ?? ''} in progress`)
  if (!done) return
  // A second run in the same file numbers its items from the beginning.
  reading.calls.delete(key)
  const code = own(item, 'exit_code')
  const status = textAt(item, 'status')
  const why = textAt(own(item, 'error'), 'message')
  const failed = status === 'failed' || status === 'declined' || why !== null
  const isError = failed || (typeof code === 'number' && code !== 0)
  const parts = { name, callId: id, isError }
  const text = tool.result === '' ? (why ?? (failed ? (status ?? '') : '')) : tool.result
  push(reading, draft('tool_result', text, reading.origin, parts))
}
