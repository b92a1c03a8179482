import { flatText } from './blocks.ts'
import { takeMessage, takeThought, textOfContent } from './codex-messages.ts'
import { push, type CodexReading } from './codex-reading.ts'
import { draft } from './drafts.ts'
import { compact, isList, isObject, own, text } from './guards.ts'

type Take = (item: unknown, reading: CodexReading) => void

/** [I12] Items of the model's context, by type. */
const ITEMS: Readonly<Record<string, Take>> = {
  message: takeMessage,
  reasoning: takeReasoning,
  function_call: (item, reading) => takeCall(item, argumentsOf(item), reading),
  custom_tool_call: (item, reading) => takeCall(item, compact(own(item, 'input')), reading),
  tool_call: (item, reading) => takeCall(item, argumentsOf(item), reading),
  local_shell_call: (item, reading) =>
    takeCall(item, compact(own(item, 'action')), reading, 'local_shell'),
  web_search_call: (item, reading) =>
    takeCall(item, compact(own(item, 'action')), reading, 'web_search'),
  tool_search_call: (item, reading) => takeCall(item, argumentsOf(item), reading, 'tool_search'),
  image_generation_call: (item, reading) => {
    const said = text(own(item, 'revised_prompt')) ?? ''
    takeCall(item, said, reading, 'image_generation')
  },
  function_call_output: takeOutput,
  custom_tool_call_output: takeOutput,
  local_shell_call_output: takeOutput,
  tool_search_call_output: takeTools,
  tool_search_output: takeTools,
  tool_result: takeOutput,
  function_result: takeOutput,
  agent_message: (item, reading) => {
    const [from, to] = [text(own(item, 'author')) ?? '?', text(own(item, 'recipient')) ?? '?']
    const said = textOfContent(own(item, 'content'), reading)
    push(reading, draft('notification', said, reading.origin, { name: `${from} → ${to}` }))
  },
}

export function isItemType(type: unknown): boolean {
  return typeof type === 'string' && Object.hasOwn(ITEMS, type)
}

/** Takes an item; one of a type that is not known is counted. */
export function takeItem(item: unknown, reading: CodexReading): void {
  const type = text(own(item, 'type')) ?? 'untyped'
  const take = Object.hasOwn(ITEMS, type) ? ITEMS[type] : undefined
  if (take === undefined) reading.ledger.skip(`response_item/${type}`)
  else take(item, reading)
}

function takeReasoning(item: unknown, reading: CodexReading): void {
  const lists = [own(item, 'summary'), own(item, 'content')].filter(isList)
  const said = lists.flatMap((list) => list.map((part) => text(own(part, 'text')) ?? ''))
  const thoughts = said.filter((part) => part !== '')
  if (thoughts.length === 0) reading.ledger.skip('response_item/reasoning without text')
  for (const thought of thoughts) takeThought('item', thought, reading)
}

function argumentsOf(item: unknown): string {
  return compact(own(item, 'arguments') ?? own(own(item, 'function'), 'arguments'))
}

function takeCall(
  item: unknown,
  said: string,
  reading: CodexReading,
  ...[given]: readonly string[]
): void {
  const name = text(own(item, 'name')) ?? text(own(own(item, 'function'), 'name')) ?? given ?? null
  const callId = text(own(item, 'call_id'))
  if (callId !== null && name !== null) reading.calls.set(callId, name)
  push(reading, draft('tool_call', said, reading.origin, { name, callId }))
}

function takeOutput(item: unknown, reading: CodexReading): void {
  const callId = text(own(item, 'call_id'))
  const name = text(own(item, 'name')) ?? reading.calls.get(callId ?? '') ?? null
  const output = resultOf(own(item, 'output') ?? own(item, 'result'))
  const isError = output.isError || reading.failed.has(callId ?? '')
  push(reading, draft('tool_result', output.text, reading.origin, { callId, name, isError }))
}

/** Tools that a search found. */
function takeTools(item: unknown, reading: CodexReading): void {
  const callId = text(own(item, 'call_id'))
  const said = compact(own(item, 'tools') ?? own(item, 'output'))
  push(reading, draft('tool_result', said, reading.origin, { callId, name: 'tool_search' }))
}

interface Output {
  readonly text: string
  readonly isError: boolean
}

/** [I12] An output is text, parts, an object around them, or text that is such an object as JSON. */
function resultOf(output: unknown): Output {
  if (typeof output === 'string') return ofString(output)
  if (!isObject(output)) return { text: flatText(output), isError: false }
  const inner = own(output, 'content') ?? own(output, 'output') ?? own(output, 'text')
  const isError = own(output, 'success') === false || failedCode(own(output, 'exitCode'))
  return { text: inner === undefined ? compact(output) : flatText(inner), isError }
}

const EXIT = /^(?:Process exited with code|Exit code:) (-?\d+)/m
const WRAPPED = '{"output":'

function ofString(output: string): Output {
  if (output.startsWith(WRAPPED)) {
    const value = parsed(output)
    const said = own(value, 'output')
    const code = own(own(value, 'metadata'), 'exit_code')
    if (typeof said === 'string') return { text: said, isError: failedCode(code) }
  }
  const exit = EXIT.exec(output.slice(0, 400))
  return { text: output, isError: exit !== null && exit[1] !== '0' }
}

function failedCode(code: unknown): boolean {
  return typeof code === 'number' && code !== 0
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
