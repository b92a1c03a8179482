import type { EventKind } from '../../schema/event-kind.ts'
import { callContent, type CallContent } from '../shared/call-messages.ts'
import { textContent } from '../shared/call-parts.ts'
import { valueIn } from '../shared/call-texts.ts'
import { isList, isObject, own } from '../shared/guards.ts'

/** Keys of a request's parameters, or of the response that repeats them, that hold the system prompt. */
const SYSTEM_KEYS: readonly string[] = [
  'instructions',
  'system',
  'system_instruction',
  'systemInstruction',
  'system_prompt',
]

function hasKind({ events }: CallContent, kind: EventKind): boolean {
  return events.some((event) => event.kind === kind)
}

/**
 * [I115] Adds the system prompt if it is only recorded next to the input's messages. Sources in order: another record
 * of the same input, the parameters of the call, or the response, which repeats it. The first one found counts.
 */
export function withSystem(
  input: CallContent,
  others: readonly CallContent[],
  parameters: readonly unknown[],
): CallContent {
  if (hasKind(input, 'system')) return input
  const told = others.find((other) => hasKind(other, 'system'))
  const systems =
    told === undefined ? systemIn(parameters) : told.events.filter(({ kind }) => kind === 'system')
  return systems.length === 0 ? input : { ...input, events: [...systems, ...input.events] }
}

function systemIn(parameters: readonly unknown[]): CallContent['events'] {
  for (const given of parameters) {
    const value = typeof given === 'string' && given.includes('"') ? valueIn(given) : given
    for (const key of SYSTEM_KEYS) {
      const found = own(value, key)
      const content = own(found, 'parts') ?? found
      // `system` may hold the provider's name, which is a single word.
      const isPrompt = typeof content === 'string' ? /\s/.test(content.trim()) : isList(content)
      if (!isPrompt) continue
      const { events } = callContent([{ role: 'system', content }], 'user', () => undefined)
      if (events.length > 0) return events
    }
  }
  return []
}

/**
 * [I115] The recorded messages, or the content of the attributes if there are none. Attributes with several texts are
 * ignored, because they may be the pieces of a stream.
 */
export function orElse(said: CallContent, told: CallContent): CallContent {
  const texts = told.events.filter(({ kind }) => kind === 'agent').length
  return said.events.length > 0 || texts > 1 ? said : told
}

/** [I115] An output, with thoughts from another record of it if it has none. */
export function withThoughts(output: CallContent, other: CallContent): CallContent {
  if (hasKind(output, 'reasoning')) return output
  const thoughts = other.events.filter(({ kind }) => kind === 'reasoning')
  return thoughts.length === 0 ? output : { ...output, events: [...thoughts, ...output.events] }
}

/** [X20] The rule that names an event with definitions of tools. */
export const TOOL_DEFINITIONS = 'tool-definitions'

/** [X20] Adds the definitions of tools that a call was given, before its messages. */
export function withTools(input: CallContent, definitions: string): CallContent {
  if (definitions === '' || definitions === '[]') return input
  const tools = textContent('injected', definitions, TOOL_DEFINITIONS)
  return { ...input, events: [tools, ...input.events] }
}

/** Only the system prompts of an input: what surrounds model calls repeats all their other words. */
export function onlySystem(input: CallContent): CallContent {
  return { events: input.events.filter(({ kind }) => kind === 'system'), structured: false }
}

/** [I114] True for the message that a tool of LangChain returns, alone. */
export function isToolMessage(value: unknown): boolean {
  return (
    isObject(value) &&
    (value['type'] === 'tool' || value['role'] === 'tool') &&
    typeof value['tool_call_id'] === 'string'
  )
}
