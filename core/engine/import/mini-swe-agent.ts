import { flatText } from './blocks.ts'
import {
  isChatRole,
  pushCall,
  resultId,
  speakerOf,
  takeChatMessage,
  type ChatTarget,
} from './chat-message.ts'
import { draft, type Origin } from './drafts.ts'
import { compact, epoch, isList, isObject, own, text, type JsonObject } from './guards.ts'
import type { Head } from './head.ts'
import { actionsOf, loopTextOf, returncodeOf, saysMini } from './mini-swe-texts.ts'
import { isResponseItem, takeResponseItem } from './responses-items.ts'
import { runResult } from './run-result.ts'
import type { Importer, RawRecord } from './source.ts'
import { readTalks, type TalkReading } from './talk-reader.ts'
import type { Talk } from './talks.ts'

function isRun(value: unknown): boolean {
  if (text(own(value, 'trajectory_format'))?.startsWith('mini-swe-agent') === true) return true
  const info = own(value, 'info')
  if (own(info, 'mini_version') !== undefined) return true
  const messages = own(value, 'messages')
  if (isList(messages) && holdsLoop(messages)) return true
  // A long submission may be all that the head of a file shows.
  if (isObject(value) && Object.keys(value).length === 1 && text(own(info, 'exit_status')) !== null)
    return true
  const config = own(info, 'config')
  return ['agent_type', 'model_type', 'environment_type'].some(
    (key) => text(own(config, key))?.includes('minisweagent') === true,
  )
}

/** The legacy form is a bare array of messages: their texts must say whose they are. */
function holdsLoop(messages: readonly unknown[]): boolean {
  if (own(messages[0], 'role') !== 'system' && own(messages[0], 'role') !== 'user') return false
  return messages.slice(0, 6).some(saysMini)
}

function detect(head: Head): boolean {
  return head.values.some((value) => {
    if (!isList(value)) return isRun(value)
    return holdsLoop(value) || isRun(value[0])
  })
}

interface Run {
  readonly talk: Talk
  readonly model: string | null
  asked: boolean
  /** The last reply had an action: what comes next under the user's role is its result. */
  acted: boolean
  exited: boolean
  /** The last message repeats what was submitted. */
  submitted: boolean
}

type Reading = TalkReading<Run>

const read = readTalks<Run>(['messages'], { header: openRun, item: takeItem })

function takeItem(record: RawRecord, reading: Reading): void {
  reading.run ??= startRun(reading.talks.open(null), null)
  takeMessage(record, reading.run, reading)
}

function startRun(talk: Talk, model: string | null): Run {
  return { talk, model, asked: false, acted: false, exited: false, submitted: false }
}

function openRun(value: JsonObject, record: RawRecord, reading: Reading): void {
  reading.talks.finish()
  const info = own(value, 'info')
  const config = own(info, 'config')
  const instance = text(own(value, 'instance_id'))
  const talk = reading.talks.open(instance)
  talk.session.title = instance
  talk.session.cwd = text(own(own(config, 'environment'), 'cwd'))
  const run = startRun(talk, text(own(own(config, 'model'), 'model_name')))
  reading.run = run
  const origin: Origin = { at: null, model: null, source: record.ref }
  talk.closeWith((events) =>
    runResult(
      [
        ['submission', run.submitted ? '' : compact(own(info, 'submission'))],
        ['exit_status', run.exited ? '' : compact(own(info, 'exit_status'))],
        ['model_stats', compact(own(info, 'model_stats'))],
      ],
      events,
      origin,
    ),
  )
}

function takeMessage(record: RawRecord, run: Run, reading: Reading): void {
  const { value, ref } = record
  const role = own(value, 'role')
  const isReply = isList(own(value, 'output')) && own(value, 'object') === 'response'
  if (!isObject(value) || (typeof role !== 'string' && !isReply && !isResponseItem(value))) {
    const place = { ...ref, text: compact(value).slice(0, 400) }
    reading.ledger.problem('unknown_shape', place, 'not a message: it has no role')
    return
  }
  const { talk } = run
  talk.reopen()
  const before = talk.said()
  const target: ChatTarget = { push: talk.push, calls: talk.calls, skip: reading.ledger.skip }
  const origin = originOf(value, ref, run)
  if (isReply) takeReply(value, origin, target, run)
  else if (typeof role !== 'string') takeResponseItem(value, origin, target)
  else takeRole(value, role, origin, { target, run })
  takeExit(value, origin, run)
  if (typeof role === 'string' && talk.said() === before)
    reading.ledger.skip(`${role} without content`)
}

function originOf(message: JsonObject, source: RawRecord['ref'], run: Run): Origin {
  const extra = own(message, 'extra')
  const reply = own(extra, 'response')
  const isAgents = own(message, 'role') === 'assistant' || own(message, 'object') === 'response'
  const model = text(own(reply, 'model')) ?? text(own(message, 'model')) ?? run.model
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
    const said = flatText(own(message, 'content'))
    run.submitted = said !== ''
    if (said !== '') run.talk.push(draft('meta', said, origin, { name: 'exit' }))
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
  const own1 = text(own(message, 'reasoning_content')) ?? text(own(message, 'reasoning'))
  const thought = own1 ?? text(own(inner, 'reasoning_content')) ?? text(own(inner, 'reasoning'))
  if (isList(calls) && calls.length > 0) {
    takeChatMessage(
      { ...message, reasoning: thought },
      { kind: 'agent', name: null },
      origin,
      target,
    )
    run.acted = true
    return
  }
  if (thought !== null) target.push(draft('reasoning', thought, origin))
  const { said, actions } = actionsOf(message)
  if (said !== '') target.push(draft('agent', said, origin))
  for (const { command, id } of actions)
    pushCall({ name: 'bash', id, text: command }, origin, target)
  run.acted = actions.length > 0
}

/** [I21] The first text under the user's role is the task; the loop writes all others but a person's. */
function takeUser(message: JsonObject, origin: Origin, run: Run): void {
  const said = flatText(own(message, 'content'))
  if (said === '') return
  if (!run.asked) {
    run.asked = true
    run.talk.push(draft('user', said, origin))
    return
  }
  const extra = own(message, 'extra')
  const code = returncodeOf(said, extra)
  const known = code === null ? loopTextOf(said, extra) : null
  if (known !== null) {
    run.talk.push(draft(known.kind, said, origin, { name: known.rule, isError: known.isError }))
  } else if (code !== null || run.acted) {
    const isError = code !== null && code !== 0
    run.talk.push(draft('tool_result', said, origin, { name: 'bash', isError }))
  } else run.talk.push(draft('notification', said, origin, { name: 'format-error' }))
}

function takeResult(message: JsonObject, origin: Origin, target: ChatTarget): void {
  const said = flatText(own(message, 'content'))
  const callId = resultId(message)
  const name = target.calls.get(callId ?? '') ?? text(own(message, 'name'))
  const code = returncodeOf(said, own(message, 'extra'))
  const isError = code !== null && code !== 0
  target.push(draft('tool_result', said, origin, { callId, name, isError }))
}

/** v2 says on its last message how the run ended. */
function takeExit(message: JsonObject, origin: Origin, run: Run): void {
  const status = text(own(own(message, 'extra'), 'exit_status'))
  if (status === null) return
  run.exited = true
  run.talk.push(draft('meta', status, origin, { name: 'exit_status' }))
}

/** mini-swe-agent runs: v1, v2 and the legacy bare array of messages. */
export const miniSweAgent: Importer = {
  name: 'mini-swe-agent',
  label: 'mini-swe-agent trajectories',
  detect,
  split: () => ({ by: 'records', lists: ['messages'], header: true }),
  read,
}
