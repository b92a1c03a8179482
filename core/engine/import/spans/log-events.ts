import { callContent } from '../shared/call-messages.ts'
import { textContent, type EventContent } from '../shared/call-parts.ts'
import { asText, compact, entryOf } from '../shared/guards.ts'
import { partsOfUserText, typedAs } from '../shared/user-text.ts'
import { firstOf, firstTextOf, type Attributes } from './attributes.ts'
import { toolContent } from './tool.ts'

type Skip = (type: string) => void
/** Reads an event of an agent's log; returns nothing for bookkeeping. */
type Teller = (attributes: Attributes, skip: Skip) => readonly EventContent[]

/** Programs write this for words that they were not told to send. */
const WITHHELD = /^[<[]?redacted[>\]]?$/i

function sentText(attributes: Attributes, keys: readonly string[]): string | null {
  const text = firstTextOf(attributes, keys)
  return text === null || WITHHELD.test(text.trim()) ? null : text
}

/** [I150] Text that the user typed. If the text was not exported, its facts remain, because the user spoke here. */
function prompted(attributes: Attributes): readonly EventContent[] {
  const text = sentText(attributes, ['prompt', 'user_prompt'])
  if (text === null) return [factsOf(attributes, 'user_prompt')]
  if (firstTextOf(attributes, ['command_name']) !== null && text.startsWith('/'))
    return [textContent('command', text, null)]
  return partsOfUserText(text, typedAs('user')).map((part) =>
    textContent(part.kind, part.text, part.rule),
  )
}

function answered(attributes: Attributes): readonly EventContent[] {
  const text = sentText(attributes, ['response', 'response_text'])
  return text === null ? [] : [textContent('agent', text, null)]
}

/** Gemini CLI and its family: the response as the provider gave it. */
function providerAnswer(attributes: Attributes, skip: Skip): readonly EventContent[] {
  const text = sentText(attributes, ['response_text'])
  return text === null ? [] : callContent(text, 'agent', skip).events
}

const ARGS = ['tool_input', 'arguments', 'function_args', 'tool_parameters']
const RESULT = ['output', 'tool_output', 'tool_response', 'result']
const ERROR = ['error', 'error.message', 'error_message', 'error_type']
const FAILED: readonly unknown[] = [false, 'false', 'error', 'failed', 'failure']

/** A run of a tool: the call, and its result or the known facts about it. */
function toolRun(attributes: Attributes): readonly EventContent[] {
  const name = firstTextOf(attributes, ['tool_name', 'function_name', 'gen_ai.tool.name'])
  const callId = firstTextOf(attributes, ['tool_use_id', 'call_id', 'tool_call_id'])
  const isError = FAILED.includes(attributes.get('success') ?? attributes.get('status'))
  const text = firstOf(attributes, RESULT) ?? (isError ? firstOf(attributes, ERROR) : undefined)
  const args = firstOf(attributes, ARGS)
  const run = toolContent({ name: name ?? 'tool', callId, args, result: text ?? null })
  const known = factsOf(attributes, name)
  const results =
    text === undefined ? [{ ...known, kind: 'tool_result' as const, callId }] : run.output.events
  return [...run.input.events, ...results.map((one) => ({ ...one, isError }))]
}

const REFUSES = /reject|den(?:y|ied)|abort|cancel/i

/** The decision of the user, a rule or a hook about a call that was refused. */
function decided(attributes: Attributes): readonly EventContent[] {
  const decision = firstTextOf(attributes, ['decision'])
  if (decision === null || !REFUSES.test(decision)) return []
  const words = [decision, ...['tool_name', 'function_name', 'source'].map(textAt(attributes))]
  const text = words.filter((word) => word !== null).join(' ')
  return [textContent('notification', text, 'tool_decision')]
}

const textAt =
  (attributes: Attributes) =>
  (key: string): string | null =>
    asText(attributes.get(key))

function failed(attributes: Attributes): readonly EventContent[] {
  const text = firstTextOf(attributes, ERROR)
  if (text === null) return [{ ...factsOf(attributes, 'error'), kind: 'system', isError: true }]
  return [textContent('system', text, 'error', true)]
}

/** [I150] Events of coding agents by their name, that of the program left out. All others are bookkeeping. */
const TELLERS: Readonly<Record<string, Teller>> = {
  user_prompt: prompted,
  assistant_response: answered,
  api_response: providerAnswer,
  tool_result: toolRun,
  tool_call: toolRun,
  tool_decision: decided,
  api_error: failed,
  api_refusal: failed,
  api_retries_exhausted: failed,
  internal_error: failed,
}

/** [I150] The contents of an event, in order; nothing for bookkeeping. */
export function eventsOfLog(
  event: string,
  attributes: Attributes,
  skip: Skip,
): readonly EventContent[] {
  return entryOf(TELLERS, event)?.(attributes, skip) ?? []
}

const MODELS = ['model', 'gen_ai.response.model', 'gen_ai.request.model', 'model_name']

export function modelOfLog(attributes: Attributes): string | null {
  return firstTextOf(attributes, MODELS)
}

/** Attributes that say who and where, not what. */
const AROUND = /^(?:user|organization|session|conversation|terminal|app|host|os|service)[._]|email/i
const MAX_FACTS = 20
const LONGEST = 200

/** [I150] The known facts of an event without text, as an event. */
export function factsOf(attributes: Attributes, name: string | null): EventContent {
  const facts: Array<[string, unknown]> = []
  for (const [key, value] of attributes) {
    if (facts.length >= MAX_FACTS) break
    if (AROUND.test(key)) continue
    const text = compact(value)
    facts.push([key, text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : value])
  }
  return textContent('meta', compact(Object.fromEntries(facts)), name)
}
