import { keptIn } from '../../maps.ts'
import type { SourceRef } from '../../schema/event.ts'
import { parseJson } from '../json/value.ts'
import { resultId, takeChatMessage } from '../shared/chat-message.ts'
import { flatText, piecesOf } from '../shared/content-blocks.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { firstRecords } from '../shared/envelope.ts'
import {
  entryOf,
  hasSome,
  isList,
  isObject,
  listAt,
  own,
  pick,
  textAt,
  type JsonObject,
} from '../shared/guards.ts'
import {
  readRuns,
  runResult,
  type RunsReading,
  type SessionWriter,
} from '../shared/session-writer.ts'
import { resultEvent } from '../shared/tool-calls.ts'
import type { Importer, RawRecord } from '../source.ts'

/** An item of `trajectory`: a step with its action and the outcome. */
function isStep(value: unknown): boolean {
  if (typeof own(value, 'action') !== 'string') return false
  return hasSome(value, ['observation', 'response', 'thought', 'state'])
}

/** An item of `history`: a chat message with the agent that it belongs to. */
function isHistory(value: unknown): boolean {
  if (typeof own(value, 'role') !== 'string') return false
  return hasSome(value, ['agent', 'message_type', 'is_demo'])
}

/** [I175] Returns true for a message of a published table of runs: its role and text, with fields about training. */
function isTableMessage(value: unknown): boolean {
  if (typeof own(value, 'role') !== 'string' || !hasSome(value, ['text', 'system_prompt']))
    return false
  return hasSome(value, ['mask', 'cutoff_date', 'system_prompt'])
}

function isRun(value: unknown): boolean {
  const steps = own(value, 'trajectory')
  const history = own(value, 'history')
  if (isList(steps) && (isStep(steps[0]) || isTableMessage(steps[0]))) return true
  // The first action may be longer than the head of a file.
  if (isList(steps) && isObject(steps[0]) && textAt(value, 'environment') !== null) return true
  if (isList(history) && isHistory(history[0])) return true
  const attempts = own(value, 'attempts')
  if (isList(attempts) && isObject(attempts[0]))
    return ['trajectory', 'history'].some((key) => isList(own(attempts[0], key)))
  const stats = own(own(value, 'info'), 'model_stats')
  return isList(steps) && steps.length === 0 && isObject(stats)
}

interface Run {
  /** Sessions by the name of the agent; the first is the main one. */
  readonly agents: Map<string, SessionWriter>
  readonly main: SessionWriter
  readonly model: string | null
  /** Sessions whose task was seen: later texts under the user's role are observations. */
  readonly asked: Set<SessionWriter>
  /** Replies of the model so far. */
  replies: number
}

type Reading = RunsReading<Run>

function takeItem(record: RawRecord, reading: Reading): void {
  const { value } = record
  if (isObject(value) && isList(own(value, 'trajectory'))) {
    const run = openRun(value, record, reading)
    takeSteps(value, record, run, reading)
  } else if (isObject(value) && isList(own(value, 'attempts'))) {
    openRun(value, record, reading)
  } else {
    reading.run ??= startRun(reading.writers.open(null), null)
    takeMessage(record, reading.run, reading)
  }
}

function startRun(main: SessionWriter, model: string | null): Run {
  return { agents: new Map(), main, model, asked: new Set(), replies: 0 }
}

/** The object around a history: its session, and the attempts that were not taken. */
function openRun(value: JsonObject, record: RawRecord, reading: Reading): Run {
  const { writers, log } = reading
  writers.finish()
  const replay = replayOf(value)
  const main = writers.open(textAt(value, 'instance_id') ?? replay.id)
  main.session.cwd = cwdOf(value)
  main.session.title = replay.id
  const run = startRun(main, replay.model)
  reading.run = run
  takeAttempts(value, record, run, reading)
  const origin: Origin = { at: null, model: null, source: record.ref }
  main.closeWith(() => [
    ...lastObservation(value, main.session.events, origin),
    ...lostSteps(value, run.replies, origin),
    ...closingEvents(value, main, record.ref),
  ])
  if (isObject(own(value, 'replay_config')) || textAt(value, 'replay_config') !== null)
    log.skip('replay_config')
  return run
}

/**
 * [I20] Several attempts at one task. The file repeats the accepted attempt as the run itself. If none is accepted yet,
 * the last one is live.
 */
function takeAttempts(value: JsonObject, record: RawRecord, run: Run, reading: Reading): void {
  const attempts = own(value, 'attempts')
  if (!isList(attempts)) return
  const best = own(own(value, 'info'), 'best_attempt_idx')
  const isTaken = isList(own(value, 'trajectory')) || typeof best === 'number'
  const live = isTaken ? best : attempts.length - 1
  for (const [at, attempt] of attempts.entries()) {
    if (at === live && isTaken) {
      reading.log.skip('attempt that was taken')
      continue
    }
    const branch = `branch-${at + 1}`
    const writer = at === live ? run.main : reading.writers.open(null, branch, run.main.session.id)
    const part = startRun(writer, run.model)
    const history = listAt(attempt, 'history')
    for (const item of history) takeMessage({ value: item, ref: record.ref }, part, reading)
    if (!isList(own(attempt, 'history'))) takeSteps(attempt, record, part, reading)
    const origin: Origin = { at: null, model: null, source: record.ref }
    for (const event of lastObservation(attempt, writer.session.events, origin)) writer.push(event)
    for (const event of closingEvents(attempt, writer, record.ref)) writer.push(event)
  }
}

/** If a file has no history, the conversation is read from its steps. */
function takeSteps(value: unknown, record: RawRecord, run: Run, reading: Reading): void {
  const steps = own(value, 'trajectory')
  if (!isList(steps)) return
  const { log } = reading
  const { main, model } = run
  if (isTableMessage(steps[0])) {
    for (const step of steps) takeTableMessage(step, record, run, reading)
    return
  }
  const origin: Origin = { at: null, model, source: record.ref }
  const query = steps.map((step) => own(step, 'query')).find(isList)
  for (const item of query ?? []) takeMessage({ value: item, ref: record.ref }, run, reading)
  for (const step of steps) {
    if (!isObject(step)) {
      log.skip('step of no shape')
      continue
    }
    run.replies += 1
    pushAction(step, textAt(step, 'response') ?? '', origin, main)
    const seen = own(step, 'observation')
    if (typeof seen === 'string') main.push(draft('tool_result', seen, origin))
  }
}

const TABLE_ROLES: Readonly<Record<string, string>> = { ai: 'assistant', human: 'user' }

/** [I175] The first text under the user's role is the task, as in a history. */
function takeTableMessage(step: unknown, record: RawRecord, run: Run, reading: Reading): void {
  const role = textAt(step, 'role') ?? 'unknown'
  const content = textAt(step, 'text', 'system_prompt') ?? ''
  const value = { role: entryOf(TABLE_ROLES, role) ?? role, content }
  takeMessage({ value, ref: record.ref }, run, reading)
}

function takeMessage(record: RawRecord, run: Run, reading: Reading): void {
  const { value, ref } = record
  const role = own(value, 'role')
  if (!isObject(value) || typeof role !== 'string') {
    reading.log.unusable({ value, ref }, 'not a message of a history: it has no role')
    return
  }
  const writer = writerOf(value, run, reading)
  if (role === 'assistant' && own(value, 'is_demo') !== true) run.replies += 1
  writer.reopen()
  const before = writer.count()
  const origin: Origin = { at: null, model: role === 'assistant' ? run.model : null, source: ref }
  if (own(value, 'is_demo') === true) takeDemo(value, writer, origin)
  else if (role === 'assistant') takeAssistant(value, writer, origin)
  else if (role === 'user') takeUser(value, writer, origin, run)
  else if (role === 'tool') takeResult(value, writer, origin)
  else {
    const kind = role === 'system' ? 'system' : 'meta'
    takeChatMessage(value, { kind, name: null }, origin, writer)
  }
  if (writer.count() === before) reading.log.skip(`${role} without content`)
}

/** A worked example before the task; it did not happen in this run. */
function takeDemo(message: JsonObject, writer: SessionWriter, origin: Origin): void {
  const text = flatText(own(message, 'content'))
  const shown = text === '' ? textAt(message, 'action') : text
  if (shown !== null) writer.push(draft('injected', shown, origin, { name: 'demonstration' }))
}

/** Subroutines have separate agent names in the same history. Each becomes a session. */
function writerOf(message: JsonObject, { agents, main }: Run, reading: Reading): SessionWriter {
  const agent = textAt(message, 'agent')
  if (agent === null) return main
  const { id } = main.session
  const open = (): SessionWriter => reading.writers.open(`${id}/${agent}`, agent, id)
  return keptIn(agents, agent, agents.size === 0 ? () => main : open)
}

/** [I20] The first text under the user role is the task; the others are tool output. */
function takeUser(message: JsonObject, writer: SessionWriter, origin: Origin, run: Run): void {
  const text = flatText(own(message, 'content'))
  if (text === '') return
  if (!run.asked.has(writer)) {
    run.asked.add(writer)
    writer.push(draft(writer === run.main ? 'user' : 'subagent_prompt', text, origin))
  } else {
    const last = writer.session.events.findLast((event) => event.kind !== 'tool_result')
    const name = last?.kind === 'tool_call' ? last.name : null
    writer.push(draft('tool_result', text, origin, { name }))
  }
}

function takeResult(message: JsonObject, writer: SessionWriter, origin: Origin): void {
  const result = { text: flatText(own(message, 'content')), id: resultId(message) }
  writer.push(resultEvent(result, origin, writer.calls))
}

function takeAssistant(message: JsonObject, writer: SessionWriter, origin: Origin): void {
  for (const piece of piecesOf(own(message, 'thinking_blocks'))) {
    if (piece.kind === 'reasoning' && piece.text !== '')
      writer.push(draft('reasoning', piece.text, origin))
  }
  const calls = own(message, 'tool_calls')
  if (isList(calls) && calls.length > 0)
    takeChatMessage(message, { kind: 'agent', name: null }, origin, writer)
  else pushAction(message, flatText(own(message, 'content')), origin, writer)
}

/**
 * [I20] The agent's text is `thought`, and its act is `action`. If the model's reply was not split into both, the whole
 * reply is shown.
 */
function pushAction(step: JsonObject, whole: string, origin: Origin, writer: SessionWriter): void {
  const action = textAt(step, 'action')?.trim() ?? ''
  const thought = own(step, 'thought')
  const text = action !== '' && typeof thought === 'string' ? thought : whole
  if (text.trim() !== '') writer.push(draft('agent', text, origin))
  if (action === '') return
  const name = /^\S{1,80}/.exec(action)?.[0] ?? null
  writer.push(draft('tool_call', action, origin, { name }))
}

/** JSON in a string, as 0.x writes its state and some runs their configuration; else the value itself. */
function unpacked(value: unknown): unknown {
  return typeof value === 'string' ? (parseJson(value) ?? null) : value
}

/** Start parameters of a run: the name of its task and the model. */
function replayOf(run: unknown): {
  readonly id: string | null
  readonly model: string | null
} {
  const config = unpacked(own(run, 'replay_config'))
  const id = textAt(own(config, 'problem_statement'), 'id')
  const model = textAt(own(own(config, 'agent'), 'model'), 'name') ?? textAt(run, 'model_name')
  return { id, model }
}

/** The working directory of the first step that has one. */
function cwdOf(run: unknown): string | null {
  for (const step of listAt(run, 'trajectory').slice(0, 5)) {
    const cwd = textAt(unpacked(own(step, 'state')), 'working_dir')
    if (cwd !== null && cwd !== 'n/a') return cwd
  }
  return null
}

/** [I20] The result of the last action is not in the history, only in the last step. */
function lastObservation(
  run: unknown,
  events: readonly EventDraft[],
  origin: Origin,
): readonly EventDraft[] {
  const text = textAt(listAt(run, 'trajectory').at(-1), 'observation')
  const last = events.at(-1)
  if (text === null || (last?.kind !== 'tool_call' && last?.kind !== 'agent')) return []
  const { name, callId } = last
  const parts = last.kind === 'tool_call' ? { name, callId } : {}
  return [draft('tool_result', text, origin, parts)]
}

/** [I20] A history may hold fewer replies than there were steps; an event reports that. */
function lostSteps(run: unknown, replies: number, origin: Origin): readonly EventDraft[] {
  const steps = listAt(run, 'trajectory')
  if (steps.length <= replies || isTableMessage(steps[0])) return []
  const text = `${steps.length} steps, ${replies} of them in the history`
  return [draft('meta', text, origin, { name: 'steps' })]
}

/** Events for the end of a run. */
function closingEvents(
  run: unknown,
  writer: SessionWriter,
  source: SourceRef,
): readonly EventDraft[] {
  const names = ['exit_status', 'submission', 'model_stats']
  const facts = pick(own(run, 'info') ?? run, [...names, 'generated_patch'])
  return runResult(writer, source, facts)
}

/** SWE-agent runs: `.traj` files of 0.x and 1.x, with all attempts of a retrying agent. */
export const sweAgent: Importer = {
  name: 'swe-agent',
  label: 'SWE-agent trajectories (.traj)',
  detect: (head) => firstRecords(head.values).some(isRun),
  split: () => ({ by: 'records', lists: ['history'], header: true }),
  read: readRuns<Run>(['history'], { header: openRun, item: takeItem }),
}
