import type { EventDraft, Origin } from './drafts.ts'
import { compact, epoch, isList, isObject, own, text, type JsonObject } from './guards.ts'
import type { Head } from './head.ts'
import { firstRecords, takeHolder } from './holder.ts'
import type { Ledger } from './ledger.ts'
import { runResult } from './run-result.ts'
import type { Importer, RawRecord, Reader } from './source.ts'
import { createTalks, type Talk, type Talks } from './talks.ts'
import { takeTau2Message } from './tau2-messages.ts'
import { createSpeech, type Speech } from './tau2-speech.ts'

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

function detect(head: Head): boolean {
  return firstRecords(head.values).some((value) => isResults(value) || isSimulation(value))
}

interface Reading {
  readonly ledger: Ledger
  readonly talks: Talks
  talk: Talk | null
  speech: Speech | null
}

const LISTS = ['messages', 'ticks']

function read(ledger: Ledger): Reader {
  const talks = createTalks()
  const reading: Reading = { ledger, talks, talk: null, speech: null }
  const takeOne = (record: RawRecord): void => {
    const key = LISTS.find((name) => holdsItems(own(record.value, name))) ?? 'messages'
    takeHolder(record, [key], {
      header: (value, holder) => openHeader(value, holder, reading),
      item: (item) => takeItem(item, reading),
    })
  }
  return {
    take(record) {
      takeHolder(record, ['simulations'], {
        header: (value, holder) => openHeader(value, holder, reading),
        item: takeOne,
      })
    },
    drafts: talks.drafts,
    tidy: talks.tidy,
  }
}

function holdsItems(list: unknown): boolean {
  return isList(list) && list.length > 0
}

/** The object around simulations, or around one conversation. */
function openHeader(value: JsonObject, record: RawRecord, reading: Reading): void {
  if (isSimulation({ messages: [], ...value }) || isTick(value)) openRun(value, record, reading)
  else {
    for (const key of ['info', 'tasks']) if (own(value, key) !== undefined) reading.ledger.skip(key)
  }
}

function label(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : text(value)
}

function openRun(value: JsonObject, record: RawRecord, reading: Reading): void {
  reading.talks.finish()
  const talk = reading.talks.open(text(own(value, 'id')))
  const [task, trial] = [label(own(value, 'task_id')), label(own(value, 'trial'))]
  if (task !== null) talk.session.title = `task ${task}${trial === null ? '' : ` trial ${trial}`}`
  talk.session.startedAt = epoch(own(value, 'start_time'))
  reading.talk = talk
  const speech = createSpeech(talk, reading.ledger)
  reading.speech = speech
  const origin: Origin = { at: null, model: null, source: record.ref }
  talk.closeWith((events) => [...speech.pending(), ...closing(value, events, origin)])
  // Ticks are the call itself; messages beside them say the same again, and the other way round.
  for (const key of LISTS) if (holdsItems(own(value, key))) reading.ledger.skip(`${key} said twice`)
}

function closing(
  value: JsonObject,
  events: readonly EventDraft[],
  origin: Origin,
): readonly EventDraft[] {
  const reward = own(value, 'reward_info')
  return runResult(
    [
      ['termination_reason', compact(own(value, 'termination_reason'))],
      ['reward', compact(own(reward, 'reward'))],
      ['reward_info', compact(reward)],
    ],
    events,
    origin,
  )
}

function takeItem(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  if (isObject(value) && isSimulation(value)) {
    // It ended before the first message.
    openRun(value, record, reading)
    return
  }
  if (reading.talk === null || reading.speech === null) openRun({}, record, reading)
  const { talk, speech } = reading
  if (talk === null || speech === null) return
  if (isTick(value)) {
    speech.take(record)
    return
  }
  if (!isObject(value) || typeof own(value, 'role') !== 'string') {
    const place = { ...ref, text: compact(value).slice(0, 400) }
    reading.ledger.problem('unknown_shape', place, 'neither a message nor a tick')
    return
  }
  const before = talk.said()
  takeTau2Message(value, { at: null, model: null, source: ref }, talk, reading.ledger)
  if (talk.said() === before) reading.ledger.skip(`${String(own(value, 'role'))} without content`)
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
  detect,
  split: ({ head }) => ({ by: 'records', lists: listsOf(head), header: true }),
  read,
  companions,
}
