import { draft, type Origin } from './drafts.ts'
import { compact, isList, isObject, own, text, type JsonObject } from './guards.ts'
import type { Head } from './head.ts'
import { firstRecords, takeHolder } from './holder.ts'
import type { Ledger } from './ledger.ts'
import { takeEntry } from './openhands-entries.ts'
import { isSdkEvent, takeSdkEvent } from './openhands-sdk.ts'
import { takeV0Event } from './openhands-v0.ts'
import type { Run } from './openhands-run.ts'
import { runResult } from './run-result.ts'
import type { Importer, RawRecord, Reader } from './source.ts'
import { createTalks, type Talk, type Talks } from './talks.ts'

/** Fields that only events of OpenHands have beside `action` or `observation`. */
const V0_FIELDS = [
  'images_urls',
  'image_urls',
  'wait_for_response',
  'keep_prompt',
  'action_risk',
  'is_confirmed',
  'command_id',
  'cause',
  'llm_metrics',
  'tool_call_metadata',
]
const SOURCES = ['user', 'agent', 'environment', 'system']

/** An event of V0: an action or an observation, never both. */
function isV0Event(value: unknown): boolean {
  const [action, observation] = [own(value, 'action'), own(value, 'observation')]
  if ((typeof action === 'string') === (typeof observation === 'string')) return false
  if (own(value, 'thought') !== undefined && own(value, 'state') !== undefined) return false
  if (isObject(own(value, 'args')) || isObject(own(value, 'extras'))) return true
  if (V0_FIELDS.some((key) => own(value, key) !== undefined)) return true
  const source = own(value, 'source')
  if (typeof source === 'string' && SOURCES.includes(source)) return true
  // The oldest runs have bare actions: what they do, and why.
  return ['code', 'command', 'outputs'].some((key) => own(value, key) !== undefined)
}

/** An entry of the trajectory visualizer's own form. */
function isEntry(value: unknown): boolean {
  return text(own(value, 'actorType')) !== null && typeof own(value, 'type') === 'string'
}

/** The message of a first event, a system prompt, may be longer than the head of a file. */
function isCutEvent(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length !== 3) return false
  const source = text(own(value, 'source'))
  if (typeof own(value, 'id') !== 'number' || text(own(value, 'timestamp')) === null) return false
  return source !== null && SOURCES.includes(source)
}

function isEvent(value: unknown): boolean {
  return isV0Event(value) || isSdkEvent(value) || isEntry(value) || isCutEvent(value)
}

/** A benchmark's output line of which the head shows no history. */
function isOutput(value: unknown): boolean {
  if (text(own(value, 'instance_id')) === null) return false
  const agent = text(own(own(value, 'metadata'), 'agent_class'))
  return agent !== null || isObject(own(value, 'test_result'))
}

/** `base_state.json` of a V1 conversation: the conversation without its events. */
function isBaseState(value: unknown): boolean {
  if (!isObject(own(value, 'agent'))) return false
  return ['execution_status', 'agent_status', 'confirmation_policy'].some(
    (key) => own(value, key) !== undefined,
  )
}

const LISTS = ['history', 'entries', 'events', 'trajectory', 'items']

function isRun(value: unknown): boolean {
  if (isEvent(value) || isBaseState(value) || isOutput(value)) return true
  if (isList(value)) return isEvent(value[0])
  return LISTS.some((key) => {
    const list = own(value, key)
    if (!isList(list)) return false
    return isEvent(list[0]) || (isList(list[0]) && isEvent(list[0][0]))
  })
}

function detect(head: Head): boolean {
  return firstRecords(head.values).some(isRun)
}

interface Reading {
  readonly ledger: Ledger
  readonly talks: Talks
  run: Run | null
}

function read(ledger: Ledger): Reader {
  const talks = createTalks()
  const reading: Reading = { ledger, talks, run: null }
  return {
    take(record) {
      if (isBaseState(record.value)) openBase(record.value, reading)
      else takeRecord(record, reading)
    },
    drafts: talks.drafts,
    tidy: talks.tidy,
  }
}

function takeRecord(record: RawRecord, reading: Reading): void {
  takeHolder(record, LISTS, {
    header: (value, holder) => openRun(value, holder, reading),
    item: (item) => {
      const { value, ref } = item
      const run = (reading.run ??= startRun(reading.talks.open(null), null, reading))
      // The oldest runs pair an action with its observation.
      if (!isList(value)) takeEvent(item, run)
      else for (const event of value) takeEvent({ value: event, ref }, run)
    },
  })
}

function startRun(main: Talk, model: string | null, { talks, ledger }: Reading): Run {
  return { main, stack: [main], talks, ledger, model, causes: new Map() }
}

function openBase(value: unknown, reading: Reading): void {
  reading.talks.finish()
  const talk = reading.talks.open(text(own(value, 'id')))
  talk.session.cwd = text(own(own(value, 'workspace'), 'working_dir'))
  const model = text(own(own(own(value, 'agent'), 'llm'), 'model'))
  reading.run = startRun(talk, model, reading)
  reading.ledger.skip('base_state')
}

/** [I22] The object around a history: a benchmark's output line, or an exported conversation. */
function openRun(value: JsonObject, record: RawRecord, reading: Reading): void {
  reading.talks.finish()
  const issue = own(value, 'issue')
  const id = text(own(value, 'instance_id')) ?? text(own(value, 'conversation_id'))
  const talk = reading.talks.open(id ?? text(own(value, 'id')) ?? issueId(issue))
  talk.session.title = id ?? text(own(issue, 'title'))
  const config = own(own(value, 'metadata'), 'llm_config')
  reading.run = startRun(talk, text(own(config, 'model')), reading)
  const origin: Origin = { at: null, model: null, source: record.ref }
  talk.closeWith((events) => {
    const error = compact(own(value, 'error'))
    const failed = error === '' ? [] : [draft('system', error, origin, { isError: true })]
    const patch = own(own(value, 'test_result'), 'git_patch') ?? own(value, 'git_patch')
    const facts = runResult(
      [
        ['git_patch', compact(patch)],
        ['success', compact(own(value, 'success'))],
        ['result_explanation', compact(own(value, 'result_explanation'))],
        ['accumulated_cost', compact(own(own(value, 'metrics'), 'accumulated_cost'))],
      ],
      events,
      origin,
    )
    return [...failed, ...facts]
  })
}

function issueId(issue: unknown): string | null {
  const parts = [own(issue, 'owner'), own(issue, 'repo'), own(issue, 'number')].map(compact)
  return parts.includes('') ? null : `${parts[0]}/${parts[1]}#${parts[2]}`
}

function takeEvent(record: RawRecord, run: Run): void {
  const { value, ref } = record
  if (isSdkEvent(value)) takeSdkEvent(value, ref, run)
  else if (isEntry(value)) takeEntry(value, ref, run)
  else if (isObject(value) && (own(value, 'action') ?? own(value, 'observation')) !== undefined)
    takeV0Event(value, ref, run)
  else {
    const place = { ...ref, text: compact(value).slice(0, 400) }
    run.ledger.problem('unknown_shape', place, 'not an event: no action, observation or kind')
  }
}

const EVENT_FILE = /^(?:event-)?\d+(?:-[\w-]+)?\.json$/

/** A conversation kept as one file an event: the others are read with it, in their order. */
function companions(name: string, neighbours: readonly string[]): readonly string[] {
  const inFolder = EVENT_FILE.test(name) ? '' : 'events/'
  if (inFolder !== '' && name !== 'base_state.json') return []
  const files = neighbours.filter(
    (file) => file.startsWith(inFolder) && EVENT_FILE.test(file.slice(inFolder.length)),
  )
  const number = (file: string): number => Number(/\d+/.exec(file)?.[0] ?? 0)
  return files.toSorted((a, b) => number(a) - number(b))
}

/** OpenHands: V0 event lists and benchmark output, V1 (SDK) events, the visualizer's form. */
export const openhands: Importer = {
  name: 'openhands',
  label: 'OpenHands events',
  detect,
  split: () => ({ by: 'records', lists: LISTS, header: true, arrays: true }),
  read,
  companions,
}
