import { parseJson } from '../json/value.ts'
import { flatText } from '../shared/content-blocks.ts'
import { draft } from '../shared/drafts.ts'
import { compact, entryOf, isList, isObject, own, textAt } from '../shared/guards.ts'
import { callEvent, resultEvent } from '../shared/tool-calls.ts'
import { takeMessage, takeThought, textOfContent } from './messages.ts'
import { push, type CodexReading } from './reading.ts'

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
    const text = textAt(item, 'revised_prompt') ?? ''
    takeCall(item, text, reading, 'image_generation')
  },
  function_call_output: takeOutput,
  custom_tool_call_output: takeOutput,
  local_shell_call_output: takeOutput,
  tool_search_call_output: takeTools,
  tool_search_output: takeTools,
  tool_result: takeOutput,
  function_result: takeOutput,
  agent_message: (item, reading) => {
    const from = textAt(item, 'author') ?? '?'
    const to = textAt(item, 'recipient') ?? '?'
    const text = textOfContent(own(item, 'content'), reading)
    push(reading, draft('notification', text, reading.origin, { name: `${from} → ${to}` }))
  },
}

export function isItemType(type: unknown): boolean {
  return typeof type === 'string' && Object.hasOwn(ITEMS, type)
}

/** [I108] Items without content for the user. */
const BOOKKEEPING = new Set(['ghost_snapshot', 'compaction', 'compaction_summary', 'other'])

/** Takes an item; one of a type that is not known is counted as that. */
export function takeItem(item: unknown, reading: CodexReading): void {
  const type = textAt(item, 'type') ?? 'untyped'
  const take = entryOf(ITEMS, type)
  if (take === undefined && BOOKKEEPING.has(type)) reading.log.skip(`response_item/${type}`)
  else if (take === undefined) reading.log.unknown(type)
  else take(item, reading)
}

function takeReasoning(item: unknown, reading: CodexReading): void {
  const lists = [own(item, 'summary'), own(item, 'content')].filter(isList)
  const text = lists.flatMap((list) => list.map((part) => textAt(part, 'text') ?? ''))
  const thoughts = text.filter((part) => part !== '')
  if (thoughts.length === 0) reading.log.skip('response_item/reasoning without text')
  for (const thought of thoughts) takeThought('item', thought, reading)
}

function argumentsOf(item: unknown): string {
  return compact(own(item, 'arguments') ?? own(own(item, 'function'), 'arguments'))
}

function takeCall(item: unknown, text: string, reading: CodexReading, given?: string): void {
  const name = textAt(item, 'name') ?? textAt(own(item, 'function'), 'name') ?? given ?? null
  const call = { text, name, id: textAt(item, 'call_id') }
  push(reading, callEvent(call, reading.origin, reading.calls))
}

function takeOutput(item: unknown, reading: CodexReading): void {
  const id = textAt(item, 'call_id')
  const name = textAt(item, 'name')
  const output = resultOf(own(item, 'output') ?? own(item, 'result'))
  const isError = output.isError || reading.failed.has(id ?? '')
  const result = { text: output.text, id, name, isError }
  push(reading, resultEvent(result, reading.origin, reading.calls))
}

/** Tools that a search found. */
function takeTools(item: unknown, reading: CodexReading): void {
  const callId = textAt(item, 'call_id')
  const text = compact(own(item, 'tools') ?? own(item, 'output'))
  push(reading, draft('tool_result', text, reading.origin, { callId, name: 'tool_search' }))
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
    const value = parseJson(output)
    const text = own(value, 'output')
    const code = own(own(value, 'metadata'), 'exit_code')
    if (typeof text === 'string') return { text, isError: failedCode(code) }
  }
  const exit = EXIT.exec(output.slice(0, 400))
  return { text: output, isError: exit !== null && exit[1] !== '0' }
}

function failedCode(code: unknown): boolean {
  return typeof code === 'number' && code !== 0
}
