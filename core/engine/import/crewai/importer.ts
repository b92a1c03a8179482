import { takeChatMessage, speakerOf } from '../shared/chat-message.ts'
import { takeEnvelope } from '../shared/envelope.ts'
import { has, isList, listAt, own, textAt } from '../shared/guards.ts'
import { call, event, result, speak, takeSaid, timeAt, type Place } from '../shared/said.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

const hasTexts = (value: unknown, ...keys: readonly string[]): boolean =>
  keys.every((key) => textAt(value, key) !== null)

interface State {
  open: SessionWriter | null
  /** Tasks that were said: a log names each at its start and at its end. */
  told: Set<string>
}

type Reading = SessionsReading & State
type Take = (value: unknown, place: Place, reading: Reading) => void

/** [I139] Predicates and handlers for the records of a crew. The first match is used. */
const RECORDS: ReadonlyArray<readonly [(value: unknown) => boolean, Take]> = [
  [isOutput, takeOutput],
  [isLogged, takeLogged],
  [isAction, takeAction],
  [isFinish, takeFinish],
  [
    isToolResult,
    (value, place) => takeSaid(result(null, null, textAt(value, 'result') ?? ''), place),
  ],
]

function isOutput(value: unknown): boolean {
  return hasTexts(value, 'description', 'agent') && has(value, 'raw')
}

function isLogged(value: unknown): boolean {
  return hasTexts(value, 'task', 'agent', 'status') && has(value, 'task_name')
}

function isAction(value: unknown): boolean {
  return hasTexts(value, 'tool') && has(value, 'thought') && has(value, 'tool_input')
}

function isFinish(value: unknown): boolean {
  return has(value, 'thought') && has(value, 'output') && textAt(value, 'text') !== null
}

function isToolResult(value: unknown): boolean {
  return has(value, 'result') && has(value, 'result_as_answer')
}

function tell(task: string | null, place: Place, { told }: Reading): void {
  if (task === null || told.has(task)) return
  told.add(task)
  speak(task, { kind: 'user' }, place)
}

/** A task and its output. Messages to the model during the task form a session of that agent. */
function takeOutput(value: unknown, place: Place, reading: Reading): void {
  tell(textAt(value, 'description'), place, reading)
  takeSaid(event('agent', textAt(value, 'raw') ?? '', textAt(value, 'agent')), place)
  const messages = listAt(value, 'messages')
  if (messages.length === 0) return
  const { session } = place.writer
  const name = textAt(value, 'agent') ?? 'agent'
  const inner = reading.writers.open(`${session.id}/${name}`, name, session.id)
  for (const message of messages) {
    const role = textAt(message, 'role') ?? 'untyped'
    const speaker = speakerOf(message, role)
    const told =
      speaker.kind === 'user' ? { ...speaker, kind: 'subagent_prompt' as const } : speaker
    takeChatMessage(message, told, place.origin, inner)
  }
}

function takeLogged(value: unknown, place: Place, reading: Reading): void {
  tell(textAt(value, 'task'), place, reading)
  takeSaid(event('agent', textAt(value, 'output') ?? '', textAt(value, 'agent')), place)
}

function takeAction(value: unknown, place: Place): void {
  takeSaid(event('reasoning', textAt(value, 'thought') ?? ''), place)
  const name = textAt(value, 'tool')
  takeSaid(call(name, null, own(value, 'tool_input')), place)
  const outcome = textAt(value, 'result')
  if (outcome !== null) takeSaid(result(name, null, outcome), place)
}

function takeFinish(value: unknown, place: Place): void {
  takeSaid(event('reasoning', textAt(value, 'thought') ?? ''), place)
  takeSaid(event('agent', textAt(value, 'output') ?? textAt(value, 'text') ?? ''), place)
}

function isCrew(value: unknown): boolean {
  if (RECORDS.some(([fits]) => fits(value))) return true
  return (isList(value) ? value : listAt(value, 'tasks_output'))
    .slice(0, 20)
    .some((one) => RECORDS.some(([fits]) => fits(one)))
}

function take(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  if (isList(value)) {
    for (const item of value) take({ value: item, ref }, reading)
    return
  }
  takeEnvelope(record, ['tasks_output'], {
    header: (around) => {
      reading.open = reading.writers.open(textAt(around, 'id'))
      reading.told = new Set()
      // The output of the whole is that of the last task.
      for (const key of ['raw', 'token_usage']) if (has(around, key)) reading.log.skip(key)
    },
    item: (one) => takeRecord(one, reading),
  })
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const found = RECORDS.find(([fits]) => fits(value))
  if (found === undefined) {
    reading.log.unusable(record, 'neither the output of a task nor a step of an agent')
    return
  }
  const writer = (reading.open ??= reading.writers.open(null))
  const before = writer.count()
  const origin = { at: timeAt(value, 'timestamp'), model: null, source: ref }
  found[1](value, { origin, writer, log: reading.log }, reading)
  if (writer.count() === before)
    reading.log.skip(textAt(value, 'status') ?? 'record without content')
}

/** [I139] CrewAI: outputs of crews and tasks, log files of tasks, steps of agents. */
export const crewai: Importer = {
  name: 'crewai',
  label: 'CrewAI outputs, logs and steps (JSON, JSONL)',
  detect: (head) => head.values.some(isCrew),
  split: () => ({ by: 'records', lists: ['tasks_output'], header: true, arrays: true }),
  read: readSessions<State>(() => ({ open: null, told: new Set() }), take),
}
