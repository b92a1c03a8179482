import { entryOf, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { call, event, takeParts, takeSaid, timeAt, type Place } from '../shared/said.ts'
import { readSessions } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'
import { noteLastAnswer, usageOf } from '../shared/usage.ts'
import { fallbackOf, readPart } from './parts.ts'
import {
  agentOf,
  isRepeated,
  placeOf,
  takeCall,
  takeInput,
  takeOutcome,
  takePrompt,
  wait,
  withoutModel,
  type Agent,
  type Reading,
  type State,
} from './sessions.ts'
import { isContext, isWire, takeContext, takeWire } from './wire.ts'

type Take = (value: unknown, place: Place, agent: Agent) => void

/** [I133] Records of Kimi Code by type. All others are bookkeeping and counted. */
const RECORDS: Readonly<Record<string, Take>> = {
  'config.update': settings,
  'profile.bind': settings,
  'llm.request': (value, _place, agent) => {
    agent.model = textAt(value, 'model', 'modelAlias') ?? agent.model
  },
  'turn.prompt': prompt,
  'turn.steer': prompt,
  'turn.cancel': (_value, place) =>
    takeSaid(event('interruption', 'turn.cancel'), withoutModel(place)),
  'context.append_message': (value, place, agent) =>
    takeMessage(own(value, 'message'), place, agent),
  'context.append_loop_event': (value, place) => {
    const inner = own(value, 'event')
    const type = textAt(inner, 'type') ?? 'untyped'
    const take = entryOf(LOOP, type)
    if (take === undefined) place.log.skip(`event/${type}`)
    else take(inner, place)
  },
  'context.apply_compaction': (value, place) =>
    takeSaid(
      event('summary', textAt(value, 'summary', 'contextSummary') ?? '', 'compaction'),
      place,
    ),
}

/** Records inside a turn. */
const LOOP: Readonly<Record<string, (value: unknown, place: Place) => void>> = {
  'content.part': (value, place) =>
    takeParts([own(value, 'part')], readPart, { kind: 'agent' }, place),
  'tool.call': (value, place) => {
    const id = textAt(value, 'toolCallId', 'uuid')
    takeSaid(call(textAt(value, 'name'), id, own(value, 'args')), place)
  },
  // [X19] Written behind the answer of each step.
  'step.end': (value, place) => {
    const usage = usageOf(own(value, 'usage'))
    const call = usage && { id: textAt(value, 'uuid'), ...usage }
    if (!noteLastAnswer(place.writer, call)) place.log.skip('event/step.end')
  },
  'tool.result': (value, place) =>
    takeOutcome(textAt(value, 'toolCallId', 'parentUuid'), own(value, 'result'), place),
}

function settings(value: unknown, place: Place, agent: Agent): void {
  agent.model = textAt(value, 'modelAlias') ?? agent.model
  const { session } = agent.writer
  session.cwd ??= textAt(value, 'cwd') ?? textAt(own(value, 'environmentDisclosure'), 'cwd')
  takePrompt(textAt(value, 'systemPrompt'), agent, place)
}

/** Records typed input at the time of typing. The context repeats it, sometimes only turns later. */
function prompt(value: unknown, place: Place, agent: Agent): void {
  const input = own(value, 'input')
  wait(input, agent)
  takeInput(input, fallbackOf(own(value, 'origin'), false), place)
}

function takeMessage(message: unknown, place: Place, agent: Agent): void {
  const role = textAt(message, 'role') ?? 'untyped'
  const content = own(message, 'content')
  if (role === 'user') {
    if (isRepeated(content, agent)) place.log.skip('copy of a prompt')
    else takeInput(content, fallbackOf(own(message, 'origin'), false), place)
  } else if (role === 'tool') {
    const isError = own(message, 'isError') === true
    takeOutcome(textAt(message, 'toolCallId'), { output: content, isError }, place)
  } else {
    const kind = role === 'assistant' ? 'agent' : role === 'system' ? 'system' : 'meta'
    takeParts(
      listAt(message, 'content'),
      readPart,
      { kind, name: kind === 'meta' ? role : null },
      place,
    )
    for (const one of listAt(message, 'toolCalls')) takeCall(one, place)
  }
}

/** A record of Kimi Code: a type with a point in it, and a time in milliseconds. */
function isCode(value: unknown): boolean {
  const type = textAt(value, 'type') ?? ''
  return entryOf(RECORDS, type) !== undefined && timeAt(value, 'time') !== null
}

/** The first line of both kinds of wire. */
function isHeader(value: unknown): boolean {
  return own(value, 'type') === 'metadata' && textAt(value, 'protocol_version') !== null
}

function take(record: RawRecord, reading: Reading): void {
  const { value } = record
  const { log } = reading
  const type = textAt(value, 'type')
  if (isWire(value)) takeWire(record, timeAt(value, 'timestamp'), reading)
  else if (isHeader(value)) {
    agentOf(null, reading).writer.session.startedAt ??= timeAt(value, 'created_at')
    log.skip('metadata')
  } else if (type !== null) takeRecord(value, type, record, reading)
  else if (isObject(value) && textAt(value, 'role') !== null) takeContext(record, reading)
  else log.unusable(record, 'a record without a type or a role')
}

function takeRecord(value: unknown, type: string, record: RawRecord, reading: Reading): void {
  const agent = agentOf(textAt(value, 'agentId'), reading)
  const known = entryOf(RECORDS, type)
  const before = agent.writer.count()
  known?.(value, placeOf(agent, timeAt(value, 'time'), record, reading.log), agent)
  const isSaid = agent.writer.count() > before || type.startsWith('context.append')
  if (!isSaid) reading.log.skip(type)
}

/** [I133] Kimi Code and Kimi CLI: `wire.jsonl` of both, and `context.jsonl`. */
export const kimi: Importer = {
  name: 'kimi',
  label: 'Kimi CLI session (JSONL)',
  detect: (head) =>
    head.objects.some(
      (value) => isHeader(value) || isCode(value) || isWire(value) || isContext(value),
    ),
  split: () => ({ by: 'records' }),
  read: readSessions<State>(() => ({ agents: new Map() }), take),
}
