import { NO_CONTENT, callContent, type CallContent } from '../shared/call-messages.ts'
import { argsText, jsonIn, type EventContent } from '../shared/call-parts.ts'
import { flatText } from '../shared/content-blocks.ts'
import { compact, isList, isObject, own } from '../shared/guards.ts'
import { pythonLiteral } from '../shared/python-literal.ts'
import { firstOf, firstTextOf, type Attributes } from './attributes.ts'

interface ToolTold {
  readonly input: CallContent
  readonly output: CallContent
}

/** [I33] A tool's run in terms of a call and its result. */
export function toolTold(spanName: string, attributes: Attributes): ToolTold {
  const name =
    firstTextOf(attributes, [
      'gen_ai.tool.name',
      'tool.name',
      'ai.toolCall.name',
      'traceloop.entity.name',
    ]) ?? spanName.replace(/^(execute_tool|running tool:?) /, '')
  const callId = firstTextOf(attributes, ['gen_ai.tool.call.id', 'tool_call.id', 'ai.toolCall.id'])
  const args = firstOf(attributes, TOOL_ARGS)
  const result = firstOf(attributes, TOOL_RESULT)
  return toolContent({ name, callId, args, result })
}

const TOOL_ARGS = [
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.args',
  'ai.toolCall.args',
  'tool_arguments',
  'tool.parameters',
  'traceloop.entity.input',
  'langfuse.observation.input',
  'input.value',
]
const TOOL_RESULT = [
  'gen_ai.tool.call.result',
  'gen_ai.output',
  'ai.toolCall.result',
  'tool_response',
  'traceloop.entity.output',
  'langfuse.observation.output',
  'output.value',
]

const MCP_KEYS = ['content', 'isError', 'is_error']

export interface ToolRun {
  readonly name: string
  readonly callId: string | null
  readonly args: unknown
  /** Undefined if there is no result. */
  readonly result: unknown
}

/** A tool's run as the contents of two events: the call and its result. */
export function toolContent({ name, callId, args, result }: ToolRun): {
  input: CallContent
  output: CallContent
} {
  const call: EventContent = {
    kind: 'tool_call',
    text: argsText(typeof args === 'string' ? (pythonLiteral(args) ?? args) : args),
    name,
    callId,
    isError: false,
  }
  const input = { events: [call], structured: true }
  if (result === undefined || result === null) return { input, output: NO_CONTENT }
  // LangChain's tools return a message.
  const inner = callContent(result, 'agent', () => undefined).events.find(
    ({ kind }) => kind === 'tool_result',
  )
  const plain: EventContent = {
    kind: 'tool_result',
    text: plainText(result),
    name,
    callId,
    isError: false,
  }
  const answer = inner === undefined ? plain : { ...inner, name, callId: callId ?? inner.callId }
  const known = callId ?? inner?.callId ?? null
  return {
    input: { events: [{ ...call, callId: known }], structured: true },
    output: { events: [answer], structured: true },
  }
}

/** A text, the content of an MCP tool result (`{content: [{type: 'text', …}]}`), or compact JSON. */
function plainText(value: unknown): string {
  const parts = own(value, 'content')
  if (isObject(value) && Object.keys(value).every((key) => MCP_KEYS.includes(key)) && isList(parts))
    return flatText(parts)
  const inner = typeof value === 'string' && value.startsWith('"') ? jsonIn(value) : undefined
  return typeof inner === 'string' ? inner : compact(value)
}
