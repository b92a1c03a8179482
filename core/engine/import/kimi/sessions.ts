import type { RawRecord } from '../source.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { asText, own, textAt } from '../shared/guards.ts'
import { call, result, speak, takeParts, takeSaid, type Place } from '../shared/said.ts'
import type { SessionWriter, SessionsReading } from '../shared/session-writer.ts'
import type { Fallback } from '../shared/user-text.ts'
import { noteIn, outputText, partsIn, readPart } from './parts.ts'

/** One agent: the main one, or a sub-agent. */
export interface Agent {
  readonly writer: SessionWriter
  model: string | null
  /** The system prompt that was said last. */
  prompt: string | null
  /** Prompts that the context has not repeated yet. */
  readonly waiting: string[]
}

export interface State {
  readonly agents: Map<string, Agent>
}

export type Reading = SessionsReading & State

const MAIN = 'main'
const MAX_WAITING = 100

/** [I133] The session of an agent. Sub-agents belong to the main agent. */
export function agentOf(
  id: string | null,
  reading: Reading,
  startedBy: string | null = null,
): Agent {
  const name = id ?? MAIN
  const known = reading.agents.get(name)
  if (known !== undefined) return known
  const parent = name === MAIN ? null : agentOf(null, reading).writer.session.id
  const writer = reading.writers.open(name === MAIN ? null : name, name, parent)
  if (startedBy !== null) writer.session.startedBy = startedBy
  const agent = { writer, model: null, prompt: null, waiting: [] }
  reading.agents.set(name, agent)
  return agent
}

export function placeOf(
  agent: Agent,
  at: number | null,
  { ref }: RawRecord,
  log: ImportLog,
): Place {
  return { origin: { at, model: agent.model, source: ref }, writer: agent.writer, log }
}

/** A place without a model, for text that no model wrote. */
export function withoutModel(place: Place): Place {
  return { ...place, origin: { ...place.origin, model: null } }
}

/** The system prompt, if it differs from the previous one. */
export function takePrompt(text: string | null, agent: Agent, place: Place): void {
  if (text === null || text === agent.prompt) return
  agent.prompt = text
  speak(text, { kind: 'system' }, withoutModel(place))
}

/** A text under the user role. Copies of a prompt in the context are dropped. */
export function takeInput(content: unknown, fallback: Fallback, place: Place): void {
  const note = noteIn(content)
  if (note === null)
    takeParts(partsIn(content), readPart, { kind: 'user', fallback }, withoutModel(place))
  else takeSaid(note, withoutModel(place))
}

export function wait(content: unknown, { waiting }: Agent): void {
  waiting.push(outputText(content))
  if (waiting.length > MAX_WAITING) waiting.shift()
}

/** Whether a prompt was said already when it was given. */
export function isRepeated(content: unknown, { waiting }: Agent): boolean {
  const at = waiting.indexOf(outputText(content))
  if (at >= 0) waiting.splice(at, 1)
  return at >= 0
}

/** Calls as chat completions have them: `{id, function: {name, arguments}}`. */
export function takeCall(value: unknown, place: Place): void {
  const inner = own(value, 'function') ?? value
  const args = own(inner, 'arguments') ?? own(inner, 'args')
  takeSaid(call(textAt(inner, 'name'), textAt(value, 'id', 'toolCallId'), args), place)
}

/** A result; without output, the tool's message about it. */
export function takeOutcome(id: string | null, outcome: unknown, place: Place): void {
  const isError = ['is_error', 'isError'].some((key) => own(outcome, key) === true)
  const text = outputText(own(outcome, 'output')) || (asText(own(outcome, 'message')) ?? '')
  takeSaid(result(null, id, text, isError), place)
}
