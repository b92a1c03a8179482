import { flatText } from '../shared/content-blocks.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { firstRecords, takeEnvelope } from '../shared/envelope.ts'
import {
  asText,
  compact,
  epoch,
  isList,
  isObject,
  listAt,
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
import { callEvent, resultEvent } from '../shared/tool-calls.ts'
import type { Importer, RawRecord } from '../source.ts'
import { noteUsage } from '../shared/usage.ts'

const SOURCES = ['system', 'user', 'agent']

function isStep(value: unknown): boolean {
  const source = own(value, 'source')
  return (
    own(value, 'step_id') !== undefined && typeof source === 'string' && SOURCES.includes(source)
  )
}

function isTrajectory(value: unknown): boolean {
  if (textAt(value, 'schema_version')?.startsWith('ATIF') === true) return true
  const steps = own(value, 'steps')
  return isList(steps) && isStep(steps[0])
}

/** A trajectory that is being read. */
interface Run {
  readonly writer: SessionWriter
  readonly model: string | null
  readonly isSub: boolean
  /** The trajectory continues in another file. */
  readonly continues: boolean
}

interface Reading extends SessionsReading {
  run: Run | null
  /** Sessions by their ids, and which session started a sub-agent, by the ids that its step gave. */
  readonly byId: Map<string, Run>
  readonly parents: Map<string, string>
}

/** Sub-agents within sub-agents, at most so deep. */
const DEEPEST = 16

const read = readSessions<Omit<Reading, keyof SessionsReading>>(
  () => ({ run: null, byId: new Map(), parents: new Map() }),
  (record, reading) => takeTrajectory(record, null, reading, 0),
)

function takeTrajectory(
  record: RawRecord,
  parent: string | null,
  reading: Reading,
  depth: number,
): void {
  takeEnvelope(record, ['steps'], {
    header: (value, record) => {
      if (depth === 0) reading.writers.finish()
      const run = openRun(value, record, parent, reading)
      takeSubagents(value, record, run, { reading, depth })
      reading.run = run
    },
    item: (item) => takeStep(item, reading),
  })
}

/** [I25] Sub-agents embedded in the file (1.7) become separate sessions. */
function takeSubagents(
  value: JsonObject,
  { ref }: RawRecord,
  run: Run,
  { reading, depth }: { readonly reading: Reading; readonly depth: number },
): void {
  const list = own(value, 'subagent_trajectories')
  if (!isList(list)) return
  for (const item of list) {
    if (depth >= DEEPEST || !isTrajectory(item)) reading.log.skip('subagent_trajectory')
    else takeTrajectory({ value: item, ref }, run.writer.session.id, reading, depth + 1)
  }
}

function openRun(
  value: JsonObject,
  { ref }: RawRecord,
  given: string | null,
  reading: Reading,
): Run {
  const agent = own(value, 'agent')
  const model = textAt(agent, 'model_name')
  const id = textAt(value, 'session_id')
  const own1 = textAt(value, 'trajectory_id')
  const parent = given ?? parentOf([own1, id], reading)
  const before = continued(value, id, parent, reading)
  const name = own1 ?? id ?? textAt(agent, 'name') ?? 'subagent'
  const writer =
    before?.writer ??
    reading.writers.open(
      parent === null ? (id ?? own1) : name,
      parent === null ? 'main' : name,
      parent,
    )
  const continues = textAt(value, 'continued_trajectory_ref') !== null
  const run: Run = { writer, model, isSub: parent !== null, continues }
  for (const key of [id, own1]) if (key !== null) reading.byId.set(key, run)
  const cwd = textAt(own(value, 'extra'), 'cwd') ?? textAt(own(agent, 'extra'), 'cwd')
  writer.session.cwd ??= cwd
  writer.closeWith(() => runResult(writer, ref, pick(value, ['notes', 'final_metrics'])))
  return run
}

function parentOf(ids: ReadonlyArray<string | null>, { parents }: Reading): string | null {
  for (const id of ids) {
    const parent = id === null ? undefined : parents.get(id)
    if (parent !== undefined) return parent
  }
  return null
}

/** The trajectory that this one continues, if one of the two names the other. */
function continued(
  value: JsonObject,
  id: string | null,
  parent: string | null,
  { byId }: Reading,
): Run | null {
  const before = id === null || parent !== null ? undefined : byId.get(id)
  if (before === undefined || before.isSub) return null
  const index = own(own(own(value, 'agent'), 'extra'), 'continuation_index')
  return before.continues || index !== undefined ? before : null
}

function takeStep(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const run = (reading.run ??= openRun({}, record, null, reading))
  const source = own(value, 'source')
  if (!isObject(value) || typeof source !== 'string') {
    reading.log.unusable({ value, ref }, 'not a step: it has no source')
    return
  }
  const isAgents = source === 'agent'
  const origin: Origin = {
    at: epoch(own(value, 'timestamp')),
    model: isAgents ? (textAt(value, 'model_name') ?? run.model) : null,
    source: ref,
  }
  run.writer.reopen()
  const before = run.writer.count()
  takeText(value, source, origin, run)
  takeCalls(value, origin, run)
  if (isAgents && own(value, 'is_copied_context') !== true) noteUsage(run.writer, before, value)
  takeObservation(value, { ...origin, model: null }, run, reading)
  if (run.writer.count() === before) reading.log.skip(`${source} step without content`)
}

/** [I25] The text of a step, by its source. Context that was copied from an earlier trajectory is not a new message. */
function takeText(step: JsonObject, source: string, origin: Origin, { writer, isSub }: Run): void {
  const isCopied = own(step, 'is_copied_context') === true
  const thought = textAt(step, 'reasoning_content')
  if (thought !== null && !isCopied) writer.push(draft('reasoning', thought, origin))
  const text = messageText(own(step, 'message'))
  if (text === '') return
  const compaction = own(own(own(step, 'extra'), 'context_management'), 'type')
  const copied = { name: 'copied-context' }
  if (isCopied) writer.push(draft('injected', text, { ...origin, model: null }, copied))
  else if (source === 'agent') writer.push(draft('agent', text, origin))
  else if (compaction !== undefined)
    writer.push(draft('meta', text, origin, { name: asText(compaction) ?? 'compaction' }))
  else if (source === 'system') writer.push(draft('system', text, origin))
  else if (source === 'user') writer.push(draft(isSub ? 'subagent_prompt' : 'user', text, origin))
  else writer.push(draft('meta', text, origin, { name: source }))
}

/** Text and image parts; a part that is neither is written out. */
function messageText(message: unknown): string {
  return flatText(isObject(message) ? [message] : message)
}

function takeCalls(step: JsonObject, origin: Origin, { writer }: Run): void {
  for (const call of listAt(step, 'tool_calls')) {
    const name = textAt(call, 'function_name')
    const id = textAt(call, 'tool_call_id')
    const text = compact(own(call, 'arguments'))
    writer.push(callEvent({ text, name, id }, origin, writer.calls))
  }
}

function takeObservation(step: JsonObject, origin: Origin, run: Run, reading: Reading): void {
  const { writer } = run
  for (const result of listAt(own(step, 'observation'), 'results')) {
    const text = messageText(own(result, 'content'))
    const id = textAt(result, 'source_call_id')
    if (text !== '') writer.push(resultEvent({ text, id }, origin, writer.calls))
    takeRefs(own(result, 'subagent_trajectory_ref'), origin, run, reading)
  }
}

/** Sub-agents that a result names: their trajectories are in this file or in one beside it. */
function takeRefs(refs: unknown, origin: Origin, { writer }: Run, reading: Reading): void {
  for (const ref of isList(refs) ? refs : isObject(refs) ? [refs] : []) {
    const ids = [textAt(ref, 'trajectory_id'), textAt(ref, 'session_id')]
    for (const id of ids)
      if (id !== null && id !== writer.session.id) reading.parents.set(id, writer.session.id)
    const shown = textAt(ref, 'trajectory_path') ?? ids[0] ?? ids[1]
    const parts = { name: 'subagent', callId: ids[0] ?? ids[1] }
    if (shown !== null && shown !== undefined) writer.push(draft('meta', shown, origin, parts))
  }
}

/** [I25] Files beside a trajectory: those that go on with it, then those of its sub-agents. */
function companions(name: string, neighbours: readonly string[]): readonly string[] {
  const stem = name.replace(/\.json$/, '')
  const beside = neighbours.filter(
    (file) => file !== name && file.startsWith(`${stem}.`) && file.endsWith('.json'),
  )
  const rank = (file: string): number => {
    const match = /\.cont-(\d+)\.json$/.exec(file)
    return match?.[1] === undefined ? Infinity : Number(match[1])
  }
  return beside.toSorted((a, b) => {
    const first = rank(a)
    const second = rank(b)
    if (first !== second) return first - second
    return a < b ? -1 : 1
  })
}

/** ATIF trajectories (Harbor, Terminal-Bench), 1.0 to 1.7. */
export const atif: Importer = {
  name: 'atif',
  label: 'ATIF trajectories',
  detect: (head) => firstRecords(head.values).some(isTrajectory),
  split: () => ({ by: 'records', lists: ['steps'], header: true }),
  read,
  companions,
}
