import { takeEnvelope } from '../shared/envelope.ts'
import { asText, compact, has, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { readAnyPart } from '../shared/said-parts.ts'
import {
  call,
  event,
  result,
  speak,
  takeParts,
  takeSaid,
  timeAt,
  type Place,
} from '../shared/said.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'
import { noteUsage } from '../shared/usage.ts'

/** Beginning of the task of an agent that another agent manages. */
const MANAGED = /^\s*You're a helpful agent named '/u

interface State {
  open: SessionWriter | null
}

type Reading = SessionsReading & State

/** A step in which the agent acted. */
function isAction(value: unknown): boolean {
  const acted = ['observations', 'action_output', 'model_output', 'model_output_message']
  return typeof own(value, 'step_number') === 'number' && acted.some((key) => has(value, key))
}

function isPlan(value: unknown): boolean {
  return textAt(value, 'plan') !== null && has(value, 'model_output_message')
}

function isTask(value: unknown): boolean {
  return textAt(value, 'task') !== null && has(value, 'task_images')
}

function isStep(value: unknown): boolean {
  return isAction(value) || isPlan(value) || isTask(value)
}

function isMemory(value: unknown): boolean {
  const list = isList(value) ? value : listAt(value, 'steps')
  return isStep(value) || list.slice(0, 20).some(isStep)
}

function take(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  if (isList(value)) {
    reading.open = reading.writers.open(null)
    for (const item of value) take({ value: item, ref }, reading)
    reading.open = null
    return
  }
  takeEnvelope(record, ['steps'], {
    header: (around, { ref: source }) => openRun(around, source, reading),
    item: (one) => takeStep(one, reading),
  })
}

/** A memory with its system prompt, or the result of a run with its answer. */
function openRun(value: unknown, source: RawRecord['ref'], reading: Reading): void {
  const writer = (reading.open = reading.writers.open(textAt(value, 'id', 'run_id')))
  const place = { origin: { at: null, model: null, source }, writer, log: reading.log }
  const prompt = own(value, 'system_prompt')
  speak(asText(prompt) ?? textAt(prompt, 'system_prompt') ?? '', { kind: 'system' }, place)
  for (const key of ['state', 'token_usage', 'timing', 'output'])
    if (has(value, key)) reading.log.skip(key)
}

function takeStep(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const writer = (reading.open ??= reading.writers.open(null))
  const at = timeAt(own(value, 'timing'), 'start_time') ?? timeAt(value, 'start_time')
  const place = { origin: { at, model: null, source: ref }, writer, log: reading.log }
  const before = writer.count()
  const [task, plan, prompt] = ['task', 'plan', 'system_prompt'].map((key) => textAt(value, key))
  if (isAction(value)) takeAction(value, place)
  else if (typeof task === 'string') {
    const kind = MANAGED.test(task) ? 'subagent_prompt' : 'user'
    speak(task, { kind: 'user', fallback: { kind, rule: null, always: false } }, place)
  } else if (typeof plan === 'string') takeSaid(event('agent', plan, 'plan'), place)
  else if (typeof prompt === 'string') speak(prompt, { kind: 'system' }, place)
  else if (has(value, 'output'))
    takeSaid(event('agent', compact(own(value, 'output')), 'final_answer'), place)
  else {
    reading.log.unusable(record, 'not a step: no task, plan, action or answer')
    return
  }
  if (isBeside(value, 'model_input_messages')) reading.log.skip('model_input_messages')
  if (!noteUsage(writer, before, value) && isBeside(value, 'token_usage'))
    reading.log.skip('token_usage')
  if (writer.count() === before) reading.log.skip('step without content')
}

function isBeside(value: unknown, key: string): boolean {
  const member = own(value, key)
  return isObject(member) || isList(member)
}

/** [I139] The model's text, calls, observations, errors, and its answer. */
function takeAction(value: unknown, place: Place): void {
  const output = own(value, 'model_output') ?? own(own(value, 'model_output_message'), 'content')
  if (isList(output)) takeParts(output, readAnyPart, { kind: 'agent' }, place)
  else speak(asText(output) ?? '', { kind: 'agent' }, place)
  const calls = listAt(value, 'tool_calls')
  for (const one of calls) {
    const inner = isObject(own(one, 'function')) ? own(one, 'function') : one
    takeSaid(call(textAt(inner, 'name'), textAt(one, 'id'), own(inner, 'arguments')), place)
  }
  const last = textAt(calls.at(-1), 'id')
  const seen = textAt(value, 'observations')
  if (seen !== null) takeSaid(result(null, last, seen), place)
  const failure = own(value, 'error')
  const why = asText(failure) ?? textAt(failure, 'message') ?? ''
  if (why !== '' && last !== null && seen === null) takeSaid(result(null, last, why, true), place)
  else takeSaid(event('system', why, 'error'), place)
  if (own(value, 'is_final_answer') === true)
    takeSaid(event('agent', compact(own(value, 'action_output')), 'final_answer'), place)
}

/** [I139] smolagents: the steps of an agent's memory, alone, with the system prompt, or in the result of a run. */
export const smolagents: Importer = {
  name: 'smolagents',
  label: 'smolagents memory (JSON, JSONL)',
  detect: (head) => head.values.some(isMemory),
  split: () => ({ by: 'records', lists: ['steps'], header: true, arrays: true }),
  read: readSessions<State>(() => ({ open: null }), take),
}
