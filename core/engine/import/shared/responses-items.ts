import { pushCall, speakerOf, takeChatMessage, type ChatTarget } from './chat-message.ts'
import { flatText, kilobytes } from './content-blocks.ts'
import { draft, type Origin } from './drafts.ts'
import { compact, entryOf, isList, isObject, own, textAt } from './guards.ts'
import { resultEvent } from './tool-calls.ts'

type Handler = (item: unknown, origin: Origin, target: ChatTarget) => void

/** [I8] Items of the OpenAI Responses API, by type. Calls of hosted tools hold their result themselves. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  message: (item, origin, target) => {
    const role = textAt(item, 'role') ?? 'assistant'
    takeChatMessage(item, speakerOf(item, role), origin, target)
  },
  reasoning: (item, origin, target) => {
    const text = [...texts(own(item, 'summary')), ...texts(own(item, 'content'))].join('\n')
    if (text === '') target.skip('reasoning without text')
    else target.push(draft('reasoning', text, origin))
  },
  function_call: callItem,
  custom_tool_call: callItem,
  mcp_call: hostedCall,
  web_search_call: hostedCall,
  file_search_call: hostedCall,
  code_interpreter_call: hostedCall,
  computer_call: hostedCall,
  local_shell_call: hostedCall,
  shell_call: hostedCall,
  apply_patch_call: hostedCall,
  image_generation_call: (item, origin, target) => {
    const image = own(item, 'result')
    const shown = typeof image === 'string' ? `[image${kilobytes(image)}]` : image
    hostedCall({ ...(isObject(item) ? item : {}), output: shown }, origin, target)
  },
  tool_search_call: hostedCall,
  mcp_list_tools: raw,
  mcp_approval_request: raw,
  mcp_approval_response: raw,
  compaction: raw,
  error: (item, origin, target) => {
    const text = textAt(item, 'message') ?? compact(item)
    const parts = { name: textAt(item, 'code'), isError: true }
    target.push(draft('system', text, { ...origin, model: null }, parts))
  },
  function_call_output: outputItem,
  shell_call_output: outputItem,
  apply_patch_call_output: outputItem,
  custom_tool_call_output: outputItem,
  computer_call_output: outputItem,
  local_shell_call_output: outputItem,
}

/** True for an item of a Responses `input` or `output` list. */
export function isResponseItem(value: unknown): boolean {
  const type = own(value, 'type')
  return typeof type === 'string' && Object.hasOwn(HANDLERS, type)
}

/** Events of one item. [I107] An item of an unknown type is shown according to its name, else unchanged. */
export function takeResponseItem(item: unknown, origin: Origin, target: ChatTarget): void {
  const type = textAt(item, 'type') ?? 'untyped'
  const handler = entryOf(HANDLERS, type) ?? byEnding(type)
  handler(item, origin, target)
}

function byEnding(type: string): Handler {
  if (type.endsWith('_call')) return hostedCall
  return type.endsWith('_output') ? outputItem : raw
}

/** An item that is neither said nor a call: its JSON, under the name of its type. */
function raw(item: unknown, origin: Origin, target: ChatTarget): void {
  const name = textAt(item, 'type')
  target.push(draft('meta', compact(item), { ...origin, model: null }, { name }))
}

function texts(parts: unknown): readonly string[] {
  if (!isList(parts)) return []
  return parts.flatMap((part) => textAt(part, 'text') ?? [])
}

function callItem(item: unknown, origin: Origin, target: ChatTarget): void {
  const args = compact(own(item, 'arguments') ?? own(item, 'input'))
  const id = textAt(item, 'call_id', 'id')
  pushCall({ text: args, name: textAt(item, 'name'), id }, origin, target)
}

function outputItem(item: unknown, origin: Origin, target: ChatTarget): void {
  const result = { text: flatText(own(item, 'output')), id: textAt(item, 'call_id') }
  target.push(resultEvent(result, { ...origin, model: null }, target.calls))
}

const ARGUMENTS = ['arguments', 'action', 'queries', 'code', 'operation', 'revised_prompt', 'input']

/** A tool that the provider ran itself: the call, and its result if it has one. */
function hostedCall(item: unknown, origin: Origin, target: ChatTarget): void {
  const type = textAt(item, 'type') ?? 'call'
  const name = textAt(item, 'name') ?? type.replace(/_call$/, '')
  const id = textAt(item, 'call_id', 'id')
  const args = ARGUMENTS.map((key) => own(item, key)).find((given) => given !== undefined)
  pushCall({ text: compact(args), name, id }, origin, target)
  const result = own(item, 'output') ?? own(item, 'results') ?? own(item, 'outputs')
  const error = own(item, 'error')
  const isError = error !== undefined && error !== null
  const text = isError ? compact(error) : flatText(result)
  const parts = { callId: id, name, isError }
  if (text !== '') target.push(draft('tool_result', text, { ...origin, model: null }, parts))
}
