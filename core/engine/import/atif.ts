import { flatText } from './blocks.ts'
import { draft, type Origin } from './drafts.ts'
import { compact, epoch, isList, isObject, own, text, type JsonObject } from './guards.ts'
import type { Head } from './head.ts'
import { firstRecords, takeHolder } from './holder.ts'
import type { Ledger } from './ledger.ts'
import { runResult } from './run-result.ts'
import type { Importer, RawRecord, Reader } from './source.ts'
import { createTalks, type Talk, type Talks } from './talks.ts'

const SOURCES = ['system', 'user', 'agent']

function isStep(value: unknown): boolean {
  const source = own(value, 'source')
  return (
    own(value, 'step_id') !== undefined && typeof source === 'string' && SOURCES.includes(source)
  )
}

function isTrajectory(value: unknown): boolean {
  if (text(own(value, 'schema_version'))?.startsWith('ATIF') === true) return true
  const steps = own(value, 'steps')
  return isList(steps) && isStep(steps[0])
}

function detect(head: Head): boolean {
  return firstRecords(head.values).some(isTrajectory)
}

/** A trajectory that is being read. */
interface Run {
  readonly talk: Talk
  readonly model: string | null
  readonly isSub: boolean
  /** The trajectory goes on in another file. */
  readonly continues: boolean
}

interface Reading {
  readonly ledger: Ledger
  readonly talks: Talks
  run: Run | null
  /** Sessions by their ids, and which session started a sub-agent, by the ids that its step gave. */
  readonly byId: Map<string, Run>
  readonly parents: Map<string, string>
}

/** Sub-agents within sub-agents, at most so deep. */
const DEEPEST = 16

function read(ledger: Ledger): Reader {
  const talks = createTalks()
  const reading: Reading = { ledger, talks, run: null, byId: new Map(), parents: new Map() }
  return {
    take(record) {
      takeTrajectory(record, null, reading, 0)
    },
    drafts: talks.drafts,
    tidy: talks.tidy,
  }
}

function takeTrajectory(
  record: RawRecord,
  parent: string | null,
  reading: Reading,
  depth: number,
): void {
  takeHolder(record, ['steps'], {
    header: (value, holder) => {
      if (depth === 0) reading.talks.finish()
      const run = openRun(value, holder, parent, reading)
      takeSubagents(value, holder, run, { reading, depth })
      reading.run = run
    },
    item: (item) => takeStep(item, reading),
  })
}

/** [I25] Sub-agents that the file holds itself (1.7): sessions of their own. */
function takeSubagents(
  value: JsonObject,
  { ref }: RawRecord,
  run: Run,
  { reading, depth }: { readonly reading: Reading; readonly depth: number },
): void {
  const list = own(value, 'subagent_trajectories')
  if (!isList(list)) return
  for (const item of list) {
    if (depth >= DEEPEST || !isTrajectory(item)) reading.ledger.skip('subagent_trajectory')
    else takeTrajectory({ value: item, ref }, run.talk.session.id, reading, depth + 1)
  }
}

function openRun(
  value: JsonObject,
  { ref }: RawRecord,
  given: string | null,
  reading: Reading,
): Run {
  const agent = own(value, 'agent')
  const model = text(own(agent, 'model_name'))
  const [id, own1] = [text(own(value, 'session_id')), text(own(value, 'trajectory_id'))]
  const parent = given ?? parentOf([own1, id], reading)
  const before = continued(value, id, parent, reading)
  const name = own1 ?? id ?? text(own(agent, 'name')) ?? 'subagent'
  const talk =
    before?.talk ??
    reading.talks.open(
      parent === null ? (id ?? own1) : name,
      parent === null ? 'main' : name,
      parent,
    )
  const continues = text(own(value, 'continued_trajectory_ref')) !== null
  const run: Run = { talk, model, isSub: parent !== null, continues }
  for (const key of [id, own1]) if (key !== null) reading.byId.set(key, run)
  const cwd = text(own(own(value, 'extra'), 'cwd')) ?? text(own(own(agent, 'extra'), 'cwd'))
  talk.session.cwd ??= cwd
  const origin: Origin = { at: null, model: null, source: ref }
  talk.closeWith((events) =>
    runResult(
      [
        ['notes', compact(own(value, 'notes'))],
        ['final_metrics', compact(own(value, 'final_metrics'))],
      ],
      events,
      origin,
    ),
  )
  return run
}

function parentOf(ids: ReadonlyArray<string | null>, { parents }: Reading): string | null {
  for (const id of ids) {
    const parent = id === null ? undefined : parents.get(id)
    if (parent !== undefined) return parent
  }
  return null
}

/** The trajectory that this one goes on with: the same session, said by either of them. */
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
    const place = { ...ref, text: compact(value).slice(0, 400) }
    reading.ledger.problem('unknown_shape', place, 'not a step: it has no source')
    return
  }
  const isAgents = source === 'agent'
  const origin: Origin = {
    at: epoch(own(value, 'timestamp')),
    model: isAgents ? (text(own(value, 'model_name')) ?? run.model) : null,
    source: ref,
  }
  run.talk.reopen()
  const before = run.talk.said()
  takeSaid(value, source, origin, run)
  takeCalls(value, origin, run)
  takeObservation(value, { ...origin, model: null }, run, reading)
  if (run.talk.said() === before) reading.ledger.skip(`${source} step without content`)
}

/** [I25] What a step says, by its source. Context that was copied from before is nobody's new message. */
function takeSaid(step: JsonObject, source: string, origin: Origin, { talk, isSub }: Run): void {
  const isCopied = own(step, 'is_copied_context') === true
  const thought = text(own(step, 'reasoning_content'))
  if (thought !== null && !isCopied) talk.push(draft('reasoning', thought, origin))
  const said = messageText(own(step, 'message'))
  if (said === '') return
  const compaction = own(own(own(step, 'extra'), 'context_management'), 'type')
  const copied = { name: 'copied-context' }
  if (isCopied) talk.push(draft('injected', said, { ...origin, model: null }, copied))
  else if (source === 'agent') talk.push(draft('agent', said, origin))
  else if (compaction !== undefined)
    talk.push(draft('meta', said, origin, { name: text(compaction) ?? 'compaction' }))
  else if (source === 'system') talk.push(draft('system', said, origin))
  else if (source === 'user') talk.push(draft(isSub ? 'subagent_prompt' : 'user', said, origin))
  else talk.push(draft('meta', said, origin, { name: source }))
}

/** Text and image parts; a part that is neither is written out. */
function messageText(message: unknown): string {
  return flatText(isObject(message) ? [message] : message)
}

function takeCalls(step: JsonObject, origin: Origin, { talk }: Run): void {
  const calls = own(step, 'tool_calls')
  if (!isList(calls)) return
  for (const call of calls) {
    const [name, callId] = [text(own(call, 'function_name')), text(own(call, 'tool_call_id'))]
    if (callId !== null && name !== null) talk.calls.set(callId, name)
    const args = compact(own(call, 'arguments'))
    talk.push(draft('tool_call', args, origin, { name, callId }))
  }
}

function takeObservation(step: JsonObject, origin: Origin, run: Run, reading: Reading): void {
  const results = own(own(step, 'observation'), 'results')
  if (!isList(results)) return
  const { talk } = run
  for (const result of results) {
    const callId = text(own(result, 'source_call_id'))
    const said = messageText(own(result, 'content'))
    const name = talk.calls.get(callId ?? '') ?? null
    if (said !== '') talk.push(draft('tool_result', said, origin, { name, callId }))
    takeRefs(own(result, 'subagent_trajectory_ref'), origin, run, reading)
  }
}

/** Sub-agents that a result names: their trajectories are in this file or in one beside it. */
function takeRefs(refs: unknown, origin: Origin, { talk }: Run, reading: Reading): void {
  for (const ref of isList(refs) ? refs : isObject(refs) ? [refs] : []) {
    const ids = [text(own(ref, 'trajectory_id')), text(own(ref, 'session_id'))]
    for (const id of ids)
      if (id !== null && id !== talk.session.id) reading.parents.set(id, talk.session.id)
    const shown = text(own(ref, 'trajectory_path')) ?? ids[0] ?? ids[1]
    const parts = { name: 'subagent', callId: ids[0] ?? ids[1] }
    if (shown !== null && shown !== undefined) talk.push(draft('meta', shown, origin, parts))
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
    const [first, second] = [rank(a), rank(b)]
    if (first !== second) return first - second
    return a < b ? -1 : 1
  })
}

/** ATIF trajectories (Harbor, Terminal-Bench), 1.0 to 1.7. */
export const atif: Importer = {
  name: 'atif',
  label: 'ATIF trajectories',
  detect,
  split: () => ({ by: 'records', lists: ['steps'], header: true }),
  read,
  companions,
}
