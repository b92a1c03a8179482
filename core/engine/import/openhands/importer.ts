import { firstRecords, takeEnvelope } from '../shared/envelope.ts'
import {
  compact,
  hasSome,
  isList,
  isObject,
  own,
  pick,
  textAt,
  entryOf,
  epoch,
  type JsonObject,
} from '../shared/guards.ts'
import {
  crashed,
  readSessions,
  runResult,
  type RunsReading,
  type SessionWriter,
} from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'
import type { Run } from './run.ts'
import { isSdkEvent, takeSdkEvent } from './sdk.ts'
import { takeV0Event } from './v0.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import { draft, type Origin } from '../shared/drafts.ts'

/** Kinds of an agent's entries, by type. A user's entry is a message or a command. */
const KINDS: Readonly<Record<string, EventKind>> = {
  message: 'agent',
  thought: 'reasoning',
  search: 'tool_call',
  command: 'tool_call',
  edit: 'tool_call',
  error: 'system',
}

/** [I22] An entry of the trajectory visualizer: `{type, content, actorType, command?}`. */
function takeEntry(value: unknown, source: RawRecord['ref'], run: Run): void {
  const type = textAt(value, 'type') ?? 'untyped'
  const content = textAt(value, 'content')
  const command = textAt(value, 'command')
  const text = command ?? content
  if (text === null) {
    run.log.skip(`entry/${type} without content`)
    return
  }
  const origin: Origin = { at: epoch(own(value, 'timestamp')), model: null, source }
  const actor = textAt(value, 'actorType') ?? ''
  const kind = command === null ? kindOf(type, actor) : kindOf('command', actor)
  if (kind === 'tool_call' && command !== null && content !== null)
    run.main.push(draft('agent', content, origin))
  const named = kind === 'meta' || kind === 'system' || kind === 'tool_call'
  run.main.push(draft(kind, text, origin, { name: named ? type : null }))
}

function kindOf(type: string, actor: string): EventKind {
  const kind = entryOf(KINDS, type) ?? 'meta'
  if (actor === 'User') return kind === 'tool_call' ? 'command' : 'user'
  return actor === 'System' || actor === 'Environment' ? 'system' : kind
}

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
  const action = own(value, 'action')
  const observation = own(value, 'observation')
  if ((typeof action === 'string') === (typeof observation === 'string')) return false
  if (own(value, 'thought') !== undefined && own(value, 'state') !== undefined) return false
  if (isObject(own(value, 'args')) || isObject(own(value, 'extras'))) return true
  if (hasSome(value, V0_FIELDS)) return true
  const source = own(value, 'source')
  if (typeof source === 'string' && SOURCES.includes(source)) return true
  // The oldest runs have bare actions with only a command and a reason.
  return hasSome(value, ['code', 'command', 'outputs'])
}

/** An entry of the trajectory visualizer's own form. */
function isEntry(value: unknown): boolean {
  return textAt(value, 'actorType') !== null && typeof own(value, 'type') === 'string'
}

/** The message of a first event, a system prompt, may be longer than the head of a file. */
function isCutEvent(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length !== 3) return false
  const source = textAt(value, 'source')
  if (typeof own(value, 'id') !== 'number' || textAt(value, 'timestamp') === null) return false
  return source !== null && SOURCES.includes(source)
}

function isEvent(value: unknown): boolean {
  return isV0Event(value) || isSdkEvent(value) || isEntry(value) || isCutEvent(value)
}

/** A benchmark's output line of which the head shows no history. */
function isOutput(value: unknown): boolean {
  // [I178] A row with chat messages has no events.
  if (textAt(value, 'instance_id') === null || own(value, 'messages') !== undefined) return false
  const agent = textAt(own(value, 'metadata'), 'agent_class')
  return agent !== null || isObject(own(value, 'test_result'))
}

/** `base_state.json` of a V1 conversation: the conversation without its events. */
function isBaseState(value: unknown): boolean {
  if (!isObject(own(value, 'agent'))) return false
  return hasSome(value, ['execution_status', 'agent_status', 'confirmation_policy'])
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

type Reading = RunsReading<Run>

function takeRecord(record: RawRecord, reading: Reading): void {
  if (isBaseState(record.value)) {
    openBase(record.value, reading)
    return
  }
  takeEnvelope(record, LISTS, {
    header: (value, around) => openRun(value, around, reading),
    item: (item) => {
      const { value, ref } = item
      const run = (reading.run ??= startRun(reading.writers.open(null), null, reading))
      // The oldest runs pair an action with its observation.
      if (!isList(value)) takeEvent(item, run)
      else for (const event of value) takeEvent({ value: event, ref }, run)
    },
  })
}

function startRun(main: SessionWriter, model: string | null, { writers, log }: Reading): Run {
  return { main, stack: [main], writers, log, model, causes: new Map() }
}

function openBase(value: unknown, reading: Reading): void {
  reading.writers.finish()
  const writer = reading.writers.open(textAt(value, 'id'))
  writer.session.cwd = textAt(own(value, 'workspace'), 'working_dir')
  const model = textAt(own(own(value, 'agent'), 'llm'), 'model')
  reading.run = startRun(writer, model, reading)
  reading.log.skip('base_state')
}

/** [I22] The object around a history: a benchmark's output line, or an exported conversation. */
function openRun(value: JsonObject, record: RawRecord, reading: Reading): void {
  reading.writers.finish()
  const issue = own(value, 'issue')
  const id = textAt(value, 'instance_id', 'conversation_id')
  const writer = reading.writers.open(id ?? textAt(value, 'id') ?? issueId(issue))
  writer.session.title = id ?? textAt(issue, 'title')
  const config = own(own(value, 'metadata'), 'llm_config')
  reading.run = startRun(writer, textAt(config, 'model'), reading)
  writer.closeWith(() => {
    const patch = own(own(value, 'test_result'), 'git_patch') ?? own(value, 'git_patch')
    const facts = {
      git_patch: patch,
      ...pick(value, ['success', 'result_explanation']),
      ...pick(own(value, 'metrics'), ['accumulated_cost']),
    }
    return [...crashed(own(value, 'error'), record.ref), ...runResult(writer, record.ref, facts)]
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
    run.log.unusable({ value, ref }, 'not an event: no action, observation or kind')
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
  detect: (head) => firstRecords(head.values).some(isRun),
  split: () => ({ by: 'records', lists: LISTS, header: true, arrays: true }),
  read: readSessions<{ run: Run | null }>(() => ({ run: null }), takeRecord),
  companions,
}
