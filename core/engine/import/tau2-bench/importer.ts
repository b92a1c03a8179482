import type { Head } from '../head.ts'
import { firstRecords, takeEnvelope } from '../shared/envelope.ts'
import {
  epoch,
  idText,
  isList,
  isObject,
  own,
  pick,
  textAt,
  type JsonObject,
} from '../shared/guards.ts'
import {
  readSessions,
  runResult,
  type SessionWriter,
  type SessionsReading,
} from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'
import { takeTau2Message } from './messages.ts'
import { createSpeech, type Speech } from './speech.ts'

/** One simulation: a conversation in messages, or a call in ticks. */
function isSimulation(value: unknown): boolean {
  const ticks = own(value, 'ticks')
  if (isList(ticks) && isTick(ticks[0])) return true
  const conversation = isList(own(value, 'messages')) || isList(ticks)
  if (own(value, 'task_id') === undefined) return false
  const marks = ['termination_reason', 'reward_info', 'trial', 'seed', 'agent_cost', 'user_cost']
  const known = marks.filter((key) => own(value, key) !== undefined).length
  // The head of a file may end before the conversation begins.
  return conversation ? known >= 1 : known >= 2 && own(value, 'start_time') !== undefined
}

function isTick(value: unknown): boolean {
  return own(value, 'tick_id') !== undefined
}

/** A whole results file: how it was run and its tasks may come before the simulations. */
function isResults(value: unknown): boolean {
  const list = own(value, 'simulations')
  if (isList(list) && isSimulation(list[0])) return true
  const info = own(value, 'info')
  const keys = ['agent_info', 'user_info', 'environment_info']
  if (keys.filter((key) => own(info, key) !== undefined).length >= 2) return true
  const tasks = own(value, 'tasks')
  return isList(tasks) && own(tasks[0], 'user_scenario') !== undefined
}

interface Reading extends SessionsReading {
  writer: SessionWriter | null
  speech: Speech | null
}

const LISTS = ['messages', 'ticks']

function takeRecord(record: RawRecord, reading: Reading): void {
  const header = (value: JsonObject, around: RawRecord): void => openHeader(value, around, reading)
  takeEnvelope(record, ['simulations'], {
    header,
    item(simulation) {
      const key = LISTS.find((name) => holdsItems(own(simulation.value, name))) ?? 'messages'
      takeEnvelope(simulation, [key], { header, item: (item) => takeItem(item, reading) })
    },
  })
}

function holdsItems(list: unknown): boolean {
  return isList(list) && list.length > 0
}

/** The object around simulations, or around one conversation. */
function openHeader(value: JsonObject, record: RawRecord, reading: Reading): void {
  if (isSimulation({ messages: [], ...value }) || isTick(value)) openRun(value, record, reading)
  else {
    for (const key of ['info', 'tasks']) if (own(value, key) !== undefined) reading.log.skip(key)
  }
}

function openRun(value: JsonObject, record: RawRecord, reading: Reading): void {
  reading.writers.finish()
  const writer = reading.writers.open(textAt(value, 'id'))
  const task = idText(own(value, 'task_id'))
  const trial = idText(own(value, 'trial'))
  if (task !== null) writer.session.title = `task ${task}${trial === null ? '' : ` trial ${trial}`}`
  writer.session.startedAt = epoch(own(value, 'start_time'))
  reading.writer = writer
  const speech = createSpeech(writer, reading.log)
  reading.speech = speech
  const facts = {
    ...pick(value, ['termination_reason']),
    ...pick(own(value, 'reward_info'), ['reward']),
    ...pick(value, ['reward_info']),
  }
  writer.closeWith(() => [...speech.pending(), ...runResult(writer, record.ref, facts)])
  // A file with ticks may repeat them as messages; only one of the two is read.
  for (const key of LISTS) if (holdsItems(own(value, key))) reading.log.skip(`${key} said twice`)
}

function takeItem(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  if (isObject(value) && isSimulation(value)) {
    // It ended before the first message.
    openRun(value, record, reading)
    return
  }
  if (reading.writer === null || reading.speech === null) openRun({}, record, reading)
  const { writer, speech } = reading
  if (writer === null || speech === null) return
  if (isTick(value)) {
    speech.take(record)
    return
  }
  if (!isObject(value) || typeof own(value, 'role') !== 'string') {
    reading.log.unusable({ value, ref }, 'neither a message nor a tick')
    return
  }
  const before = writer.count()
  takeTau2Message(value, { at: null, model: null, source: ref }, writer, reading.log)
  if (writer.count() === before) reading.log.skip(`${String(own(value, 'role'))} without content`)
}

/** The list that a single simulation is made of; a results file has its simulations. */
function listsOf(head: Head): readonly string[] {
  const ticks = own(head.values[0], 'ticks')
  return ['simulations', holdsItems(ticks) ? 'ticks' : 'messages']
}

/** Files of a folder with one file a simulation. */
function companions(name: string, neighbours: readonly string[]): readonly string[] {
  if (name !== 'results.json') return []
  return neighbours.filter((file) => /^simulations\/[^/]+\.json$/.test(file)).toSorted()
}

/** tau2-bench: results, single simulations, and calls in ticks. */
export const tau2Bench: Importer = {
  name: 'tau2-bench',
  label: 'tau2-bench simulations',
  detect: (head) =>
    firstRecords(head.values).some((value) => isResults(value) || isSimulation(value)),
  split: ({ head }) => ({ by: 'records', lists: listsOf(head), header: true }),
  read: readSessions(() => ({ writer: null, speech: null }), takeRecord),
  companions,
}
