import {
  isChatRole,
  pushCall,
  resultId,
  speakerOf,
  takeChatMessage,
  type ChatTarget,
} from '../shared/chat-message.ts'
import { flatText } from '../shared/content-blocks.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { epoch, isList, isObject, own, textAt, type JsonObject } from '../shared/guards.ts'
import { isResponseItem, takeResponseItem } from '../shared/responses-items.ts'
import {
  readRuns,
  runResult,
  type RunsReading,
  type SessionWriter,
} from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'
import { actionsOf, loopTextOf, returncodeOf, saysMini } from './texts.ts'
import { noteUsage } from '../shared/usage.ts'

function isRun(value: unknown): boolean {
  if (textAt(value, 'trajectory_format')?.startsWith('mini-swe-agent') === true) return true
  const info = own(value, 'info')
  if (own(info, 'mini_version') !== undefined) return true
  const messages = own(value, 'messages')
  if (isList(messages) && holdsLoop(messages)) return true
  // A long submission may be all that the head of a file shows.
  if (isObject(value) && Object.keys(value).length === 1 && textAt(info, 'exit_status') !== null)
    return true
  const config = own(info, 'config')
  const types = ['agent_type', 'model_type', 'environment_type']
  return types.some((key) => textAt(config, key)?.includes('minisweagent') === true)
}

/** The legacy form is a bare array of messages: it is recognised by their texts. */
function holdsLoop(messages: readonly unknown[]): boolean {
  if (own(messages[0], 'role') !== 'system' && own(messages[0], 'role') !== 'user') return false
  return messages.slice(0, 6).some(saysMini)
}

interface Run {
  readonly writer: SessionWriter
  readonly model: string | null
  asked: boolean
  /** The last reply had an action, so the next text under the user role is its result. */
  acted: boolean
  exited: boolean
  /** The last message repeats the submission. */
  submitted: boolean
}

type Reading = RunsReading<Run>

function takeItem(record: RawRecord, reading: Reading): void {
  reading.run ??= startRun(reading.writers.open(null), null)
  takeMessage(record, reading.run, reading)
}

function startRun(writer: SessionWriter, model: string | null): Run {
  return { writer, model, asked: false, acted: false, exited: false, submitted: false }
}

function openRun(value: JsonObject, record: RawRecord, reading: Reading): void {
  reading.writers.finish()
  const info = own(value, 'info')
  const config = own(info, 'config')
  const instance = textAt(value, 'instance_id')
  const writer = reading.writers.open(instance)
  writer.session.title = instance
  writer.session.cwd = textAt(own(config, 'environment'), 'cwd')
  const run = startRun(writer, textAt(own(config, 'model'), 'model_name'))
  reading.run = run
  writer.closeWith(() =>
    runResult(writer, record.ref, {
      submission: run.submitted ? null : own(info, 'submission'),
      exit_status: run.exited ? null : own(info, 'exit_status'),
      model_stats: own(info, 'model_stats'),
    }),
  )
}

function takeMessage(record: RawRecord, run: Run, reading: Reading): void {
  const { value, ref } = record
  const role = own(value, 'role')
  const isReply = isList(own(value, 'output')) && own(value, 'object') === 'response'
  if (!isObject(value) || (typeof role !== 'string' && !isReply && !isResponseItem(value))) {
    reading.log.unusable({ value, ref }, 'not a message: it has no role')
    return
  }
  const { writer } = run
  writer.reopen()
  const before = writer.count()
  const origin = originOf(value, ref, run)
  if (isReply) takeReply(value, origin, writer, run)
  else if (typeof role !== 'string') takeResponseItem(value, origin, writer)
  else takeRole(value, role, origin, { target: writer, run })
  noteUsage(writer, before, value)
  takeExit(value, origin, run)
  if (typeof role === 'string' && writer.count() === before)
    reading.log.skip(`${role} without content`)
}

function originOf(message: JsonObject, source: RawRecord['ref'], run: Run): Origin {
  const extra = own(message, 'extra')
  const reply = own(extra, 'response')
  const isAgents = own(message, 'role') === 'assistant' || own(message, 'object') === 'response'
  const model = textAt(reply, 'model') ?? textAt(message, 'model') ?? run.model
  const at = epoch(own(extra, 'timestamp') ?? own(reply, 'created') ?? own(message, 'created_at'))
  return { at, model: isAgents ? model : null, source }
}

interface Place {
  readonly target: ChatTarget
  readonly run: Run
}

function takeRole(message: JsonObject, role: string, origin: Origin, { target, run }: Place): void {
  if (role === 'assistant') takeAssistant(message, origin, target, run)
  else if (role === 'user') takeUser(message, origin, run)
  else if (role === 'tool') takeResult(message, origin, target)
  else if (role === 'exit') {
    const text = flatText(own(message, 'content'))
    run.submitted = text !== ''
    if (text !== '') run.writer.push(draft('meta', text, origin, { name: 'exit' }))
  } else if (isChatRole(role)) takeChatMessage(message, speakerOf(message, role), origin, target)
  else takeChatMessage(message, { kind: 'meta', name: role }, origin, target)
}

/** A whole reply of the Responses API as a message. */
function takeReply(message: JsonObject, origin: Origin, target: ChatTarget, run: Run): void {
  const output = own(message, 'output')
  if (isList(output)) for (const item of output) takeResponseItem(item, origin, target)
  run.acted = true
}

function takeAssistant(message: JsonObject, origin: Origin, target: ChatTarget, run: Run): void {
  const calls = own(message, 'tool_calls')
  const reply = own(own(own(message, 'extra'), 'response'), 'choices')
  const inner = isList(reply) ? own(reply[0], 'message') : null
  const own1 = textAt(message, 'reasoning_content', 'reasoning')
  const thought = own1 ?? textAt(inner, 'reasoning_content', 'reasoning')
  if (isList(calls) && calls.length > 0) {
    const speaker = { kind: 'agent', name: null } as const
    takeChatMessage({ ...message, reasoning: thought }, speaker, origin, target)
    run.acted = true
    return
  }
  if (thought !== null) target.push(draft('reasoning', thought, origin))
  const { text, actions } = actionsOf(message)
  if (text !== '') target.push(draft('agent', text, origin))
  for (const { command, id } of actions)
    pushCall({ name: 'bash', id, text: command }, origin, target)
  run.acted = actions.length > 0
}

/** [I21] The first text under the user role is the task. The loop writes all others, except the user's own. */
function takeUser(message: JsonObject, origin: Origin, run: Run): void {
  const text = flatText(own(message, 'content'))
  if (text === '') return
  if (!run.asked) {
    run.asked = true
    run.writer.push(draft('user', text, origin))
    return
  }
  const extra = own(message, 'extra')
  const code = returncodeOf(text, extra)
  const known = code === null ? loopTextOf(text, extra) : null
  if (known !== null) {
    run.writer.push(draft(known.kind, text, origin, { name: known.rule, isError: known.isError }))
  } else if (code !== null || run.acted) {
    const isError = code !== null && code !== 0
    run.writer.push(draft('tool_result', text, origin, { name: 'bash', isError }))
  } else run.writer.push(draft('notification', text, origin, { name: 'format-error' }))
}

function takeResult(message: JsonObject, origin: Origin, target: ChatTarget): void {
  const text = flatText(own(message, 'content'))
  const callId = resultId(message)
  const name = target.calls.get(callId ?? '') ?? textAt(message, 'name')
  const code = returncodeOf(text, own(message, 'extra'))
  const isError = code !== null && code !== 0
  target.push(draft('tool_result', text, origin, { callId, name, isError }))
}

/** v2 says on its last message how the run ended. */
function takeExit(message: JsonObject, origin: Origin, run: Run): void {
  const status = textAt(own(message, 'extra'), 'exit_status')
  if (status === null) return
  run.exited = true
  run.writer.push(draft('meta', status, origin, { name: 'exit_status' }))
}

/** mini-swe-agent runs: v1, v2 and the legacy bare array of messages. */
export const miniSweAgent: Importer = {
  name: 'mini-swe-agent',
  label: 'mini-swe-agent trajectories',
  detect: (head) =>
    head.values.some((value) => {
      if (!isList(value)) return isRun(value)
      return holdsLoop(value) || isRun(value[0])
    }),
  split: () => ({ by: 'records', lists: ['messages'], header: true }),
  read: readRuns<Run>(['messages'], { header: openRun, item: takeItem }),
}
