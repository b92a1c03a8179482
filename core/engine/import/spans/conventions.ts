import { ownOf } from '../../schema/own.ts'
import type { Speaker } from '../shared/call-message.ts'
import { NO_CONTENT, callContent, type CallContent } from '../shared/call-messages.ts'
import { jsonIn, textContent, type EventContent } from '../shared/call-parts.ts'
import {
  asText,
  compact,
  entryOf,
  isList,
  isObject,
  own,
  type JsonObject,
} from '../shared/guards.ts'
import {
  firstOf,
  firstTextOf,
  itemsUnder,
  openInferenceMessage,
  traceloopMessage,
  type Attributes,
} from './attributes.ts'
import { withSystem, withTools } from './beside-messages.ts'
import type { SpanRecord } from './record.ts'
import { toolTold } from './tool.ts'
import { spanUsage } from './usage.ts'

/** The facts about a span in its attributes and events, in any of the conventions. */
export interface Told extends Pick<
  SpanRecord,
  'role' | 'agent' | 'group' | 'model' | 'input' | 'output' | 'notes' | 'usage'
> {
  readonly facts: JsonObject
}

/** An event of a span. */
export interface SpanEvent {
  readonly name: string
  readonly attributes: Attributes
}

type Role = SpanRecord['role']

/** [I33] Attributes that give the role of a span, and their values, in the order in which they are checked. */
const ROLE_KEYS: ReadonlyArray<readonly [string, Readonly<Record<string, Role>>]> = [
  ['openinference.span.kind', { LLM: 'model', AGENT: 'agent', TOOL: 'tool' }],
  [
    'gen_ai.operation.name',
    {
      chat: 'model',
      call_llm: 'model',
      completion: 'model',
      generate_content: 'model',
      text_completion: 'model',
      message: 'model',
      responses: 'model',
      execute_tool: 'tool',
      invoke_agent: 'agent',
    },
  ],
  ['traceloop.span.kind', { agent: 'agent', tool: 'tool' }],
  ['langfuse.observation.type', { generation: 'model', agent: 'agent', tool: 'tool' }],
  ['llm.request.type', { chat: 'model', completion: 'model' }],
  ['langsmith.span.kind', { llm: 'model', tool: 'tool' }],
]

/** If none of these exists, the presence of other attributes gives the role. */
const ROLE_SIGNS: ReadonlyArray<readonly [RegExp, Role]> = [
  [/^ai\.toolCall\./, 'tool'],
  [/^gen_ai\.tool\.(name|call\.)/, 'tool'],
  [
    /^(llm\.(input|output)_messages|gen_ai\.(prompt|completion)|ai\.prompt|gen_ai\.request\.model|llm\.model_name)/,
    'model',
  ],
  [/^(gen_ai\.agent\.name|agent_name)$/, 'agent'],
]

function roleOf(attributes: Attributes): Role {
  for (const [key, roles] of ROLE_KEYS) {
    const kind = asText(attributes.get(key))
    if (kind !== null) return entryOf(roles, kind) ?? 'other'
  }
  const keys = [...attributes.keys()]
  return ROLE_SIGNS.find(([sign]) => keys.some((key) => sign.test(key)))?.[1] ?? 'other'
}

const GROUPS = [
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'langsmith.trace.session_id',
  'traceloop.association.properties.session_id',
  'traceloop.association.properties.conversation_id',
  'traceloop.association.properties.thread_id',
  'ai.telemetry.metadata.sessionId',
  'ai.telemetry.metadata.threadId',
]
const GROUP = /(^|[._])(session|conversation)[._]id$/

/** [I31] The conversation that attributes name; `thread.id` is a thread of the operating system. */
export function groupOf(attributes: Attributes): string | null {
  const known = firstTextOf(attributes, GROUPS)
  if (known !== null) return known
  for (const [key, value] of attributes) {
    if (GROUP.test(key) && asText(value) !== null) return asText(value)
  }
  return null
}

const MODELS = [
  'gen_ai.response.model',
  'gen_ai.request.model',
  'llm.model_name',
  'llm.response.model',
  'llm.request.model',
  'ai.response.model',
  'ai.model.id',
]
const AGENTS = ['gen_ai.agent.name', 'agent.name', 'agent_name']

/** [I115] Attributes that hold a request's parameters, or a response that repeats them. */
const PARAMETERS = ['llm.invocation_parameters', 'output.value']

type Skip = (type: string) => void

/** [I33] Reads a span in all conventions together. The first place with messages wins. */
export function tellSpan(
  name: string,
  attributes: Attributes,
  events: readonly SpanEvent[],
  skip: Skip,
): Told {
  const role = roleOf(attributes)
  const isAgent = role === 'agent'
  const entity = isAgent ? asText(attributes.get('traceloop.entity.name')) : null
  const common = {
    role,
    agent: firstTextOf(attributes, AGENTS) ?? entity,
    group: groupOf(attributes),
    model: firstTextOf(attributes, MODELS),
    notes: notesOf(events),
    facts: factsOf(attributes),
    usage: spanUsage(attributes),
  }
  if (role === 'tool') return { ...common, ...toolTold(name, attributes) }
  const input = told('user', [...inputPlaces(attributes), eventInput(events)], skip)
  const beside = role === 'model' ? PARAMETERS.map((key) => attributes.get(key)) : []
  return {
    ...common,
    input: withTools(withSystem(input, [], beside), role === 'model' ? toolsIn(attributes) : ''),
    output: told('agent', [...outputPlaces(attributes), eventOutput(events)], skip),
  }
}

/** [X20] Attributes with the definitions of the tools that a call was given. */
const TOOLS = ['gen_ai.tool.definitions', 'gen_ai.request.tools', 'ai.prompt.tools']

/** [X20] The definitions of tools as they are recorded, or an empty text. */
function toolsIn(attributes: Attributes): string {
  const whole = firstOf(attributes, TOOLS)
  if (whole !== undefined && whole !== null) return compact(whole)
  const items =
    itemsUnder(attributes, 'llm.tools.') ?? itemsUnder(attributes, 'llm.request.functions.')
  return items === null || items.length === 0 ? '' : compact(items)
}

/** The first value with messages; else the first value with any text. */
function told(speaker: Speaker, places: readonly unknown[], skip: Skip): CallContent {
  let plain = NO_CONTENT
  for (const place of places) {
    if (place === undefined || place === null) continue
    const list = callContent(place, speaker, skip)
    if (list.structured && list.events.length > 0) return list
    if (plain.events.length === 0) plain = list
  }
  return plain
}

function behindSystem(system: unknown, messages: unknown): unknown {
  const list = typeof messages === 'string' ? jsonIn(messages) : messages
  const parts = typeof system === 'string' ? (jsonIn(system) ?? system) : system
  if (parts === undefined || parts === null) return list ?? messages
  const first = { role: 'system', content: parts }
  return isList(list) ? [first, ...list] : [first]
}

/** [I33] Places in which conventions write the input of a call, the most informative first. */
function inputPlaces(attributes: Attributes): readonly unknown[] {
  const get = (key: string): unknown => attributes.get(key)
  return [
    behindSystem(get('gen_ai.system_instructions'), get('gen_ai.input.messages')),
    itemsUnder(attributes, 'llm.input_messages.')?.map(openInferenceMessage),
    itemsUnder(attributes, 'gen_ai.prompt.')?.map((item) => traceloopMessage(item, 'user')),
    get('ai.prompt.messages'),
    get('ai.prompt'),
    get('pydantic_ai.all_messages'),
    get('gen_ai.prompt'),
    get('langfuse.observation.input'),
    get('traceloop.entity.input'),
    get('input.value'),
    get('mlflow.spanInputs'),
  ]
}

function outputPlaces(attributes: Attributes): readonly unknown[] {
  const get = (key: string): unknown => attributes.get(key)
  return [
    get('gen_ai.output.messages'),
    itemsUnder(attributes, 'llm.output_messages.')?.map(openInferenceMessage),
    itemsUnder(attributes, 'gen_ai.completion.')?.map((item) =>
      traceloopMessage(item, 'assistant'),
    ),
    vercelAnswer(attributes),
    get('gen_ai.output'),
    get('gen_ai.completion'),
    get('langfuse.observation.output'),
    get('traceloop.entity.output'),
    get('output.value'),
    get('final_result'),
    get('mlflow.spanOutputs'),
  ]
}

/** Vercel AI SDK: text, thoughts and calls of an answer are separate attributes. */
function vercelAnswer(attributes: Attributes): unknown {
  const content = firstOf(attributes, [
    'ai.response.text',
    'ai.result.text',
    'ai.response.object',
    'ai.result.object',
  ])
  const reasoning = attributes.get('ai.response.reasoning')
  const calls = firstOf(attributes, ['ai.response.toolCalls', 'ai.result.toolCalls'])
  if (content === undefined && calls === undefined && reasoning === undefined) return null
  const list = typeof calls === 'string' ? jsonIn(calls) : calls
  const toolCalls = isList(list) ? list.map(vercelCall) : []
  return { role: 'assistant', content, reasoning, tool_calls: toolCalls }
}

function vercelCall(call: unknown): unknown {
  const { id, name, args } = {
    id: own(call, 'toolCallId'),
    name: own(call, 'toolName'),
    args: own(call, 'input') ?? own(call, 'args'),
  }
  return { id, name, arguments: args }
}

const DETAILS = 'gen_ai.client.inference.operation.details'
const SPOKEN: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
}

/** [I33] Messages as events of the span: one event with all of them, or one each. */
function eventInput(events: readonly SpanEvent[]): unknown {
  for (const { name, attributes } of events) {
    if (name === DETAILS)
      return behindSystem(
        attributes.get('gen_ai.system_instructions'),
        attributes.get('gen_ai.input.messages'),
      )
    if (name === 'gen_ai.content.prompt') return attributes.get('gen_ai.prompt')
  }
  const messages = events
    .filter(({ name }) => Object.hasOwn(SPOKEN, name))
    .map(({ name, attributes }) => eventMessage(attributes, ownOf(SPOKEN, name) ?? 'user'))
  return messages.length === 0 ? null : messages
}

function eventOutput(events: readonly SpanEvent[]): unknown {
  for (const { name, attributes } of events) {
    if (name === DETAILS) return attributes.get('gen_ai.output.messages')
    if (name === 'gen_ai.content.completion') return attributes.get('gen_ai.completion')
  }
  const choices = events
    .filter(({ name }) => name === 'gen_ai.choice')
    .map(({ attributes }) => eventMessage(attributes, 'assistant'))
  return choices.length === 0 ? null : choices
}

function eventMessage(attributes: Attributes, role: string): unknown {
  const body =
    attributes.get('gen_ai.event.content') ??
    attributes.get('message') ??
    attributes.get('event.body')
  const parsed = typeof body === 'string' ? jsonIn(body) : body
  const inner = own(parsed, 'message') ?? parsed
  const fields = isObject(inner) ? inner : Object.fromEntries(attributes)
  const calls = fields['tool_calls']
  return {
    role: asText(fields['role']) ?? role,
    content: fields['content'],
    tool_calls: typeof calls === 'string' ? jsonIn(calls) : calls,
    tool_call_id: fields['tool_call_id'] ?? (role === 'tool' ? fields['id'] : undefined),
    name: fields['name'],
  }
}

/** Judgements of a call are events too. */
function notesOf(events: readonly SpanEvent[]): readonly EventContent[] {
  return events
    .filter(({ name }) => name === 'gen_ai.evaluation.result')
    .map(({ attributes }) => {
      const name = asText(attributes.get('gen_ai.evaluation.name')) ?? 'evaluation'
      const keys = [
        'gen_ai.evaluation.score.label',
        'gen_ai.evaluation.score.value',
        'gen_ai.evaluation.explanation',
      ]
      const facts = keys.map((key) => compact(attributes.get(key))).filter((fact) => fact !== '')
      return textContent('meta', facts.join(' · '), name)
    })
}

const MAX_FACTS = 40

function factsOf(attributes: Attributes): JsonObject {
  const facts: Array<[string, unknown]> = []
  for (const [key, value] of attributes) {
    if (facts.length >= MAX_FACTS) break
    facts.push([
      key,
      typeof value === 'string'
        ? value.slice(0, 200)
        : typeof value === 'object'
          ? compact(value).slice(0, 200)
          : value,
    ])
  }
  return Object.fromEntries(facts)
}
