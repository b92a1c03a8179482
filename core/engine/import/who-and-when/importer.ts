import type { EventKind } from '../../schema/event-kind.ts'
import { flatText } from '../shared/content-blocks.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { firstRecords } from '../shared/envelope.ts'
import {
  compact,
  hasSome,
  isList,
  isObject,
  own,
  pick,
  textAt,
  type JsonObject,
} from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import {
  readRuns,
  runResult,
  type RunsReading,
  type SessionWriter,
} from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

const LABELS = ['mistake_agent', 'mistake_step', 'mistake_reason']
/** Beside the question of a run without a labelled mistake. */
const JUDGED = ['is_correct', 'is_corrected', 'question_ID', 'system_prompt']
const TEAM = /^(?:Orchestrator(?: \(.{0,80}\))?|WebSurfer|FileSurfer|ComputerTerminal)$/

function isRun(value: unknown): boolean {
  const history = own(value, 'history')
  const labelled = hasSome(value, LABELS)
  const asked = own(value, 'question') !== undefined && own(value, 'ground_truth') !== undefined
  if (!isList(history)) return labelled && asked
  const first = history[0]
  if (typeof own(first, 'role') !== 'string' || own(first, 'content') === undefined) return false
  const judged = hasSome(value, JUDGED)
  if (labelled || asked || (judged && own(value, 'question') !== undefined)) return true
  // The head of a file may end before its labels.
  return history.slice(0, 8).some((item) => TEAM.test(textAt(item, 'role') ?? ''))
}

interface Run {
  readonly writer: SessionWriter
  readonly labels: unknown
  readonly origin: Origin
  /** Index of the next message: labels count them. */
  next: number
  marked: boolean
}

type Reading = RunsReading<Run>

function takeItem(record: RawRecord, reading: Reading): void {
  if (reading.run === null) openRun({}, record, reading)
  if (reading.run !== null) takeMessage(record, reading.run, reading.log)
}

function openRun(value: JsonObject, record: RawRecord, reading: Reading): void {
  reading.writers.finish()
  const writer = reading.writers.open(textAt(value, 'question_ID'))
  const origin: Origin = { at: null, model: null, source: record.ref }
  const run: Run = { writer, labels: value, origin, next: 0, marked: false }
  reading.run = run
  const prompts = own(value, 'system_prompt')
  for (const [name, prompt] of isObject(prompts) ? Object.entries(prompts) : []) {
    const text = flatText(prompt)
    if (text !== '') writer.push(draft('system', text, origin, { name }))
  }
  const solved = own(value, 'is_correct') ?? own(value, 'is_corrected')
  writer.closeWith(() => [
    ...(run.marked ? [] : markOf(run)),
    ...runResult(writer, record.ref, { ...pick(value, ['ground_truth']), is_correct: solved }),
  ])
}

/** [I26] The labelled mistake at its step: step, agent and reason. */
function markOf({ labels, origin }: Run): readonly [] | readonly [ReturnType<typeof draft>] {
  const facts = [own(labels, 'mistake_step'), own(labels, 'mistake_agent')].map(compact)
  const reason = compact(own(labels, 'mistake_reason'))
  const [step = '', agent = ''] = facts
  if (step === '' && agent === '' && reason === '') return []
  return [
    draft('meta', `step ${step || '?'}, ${agent || '?'}: ${reason}`, origin, { name: 'mistake' }),
  ]
}

function takeMessage({ value, ref }: RawRecord, run: Run, log: ImportLog): void {
  const role = own(value, 'role')
  if (!isObject(value) || typeof role !== 'string') {
    log.unusable({ value, ref }, 'not a message: it has no role')
    return
  }
  const text = flatText(own(value, 'content'))
  const index = run.next
  run.next += 1
  const name = textAt(value, 'name')
  if (index === 0) takeQuestion(role, name, run)
  if (text === '') log.skip(`${role} without content`)
  else {
    const { kind, shown } = kindOf(role, name, text, index)
    const isError = kind === 'tool_result' && /^exitcode: [1-9]/.test(text)
    const origin: Origin = { at: null, model: null, source: ref }
    run.writer.push(draft(kind, text, origin, { name: shown, isError }))
  }
  if (compact(own(run.labels, 'mistake_step')) !== String(index)) return
  run.marked = true
  for (const event of markOf(run)) run.writer.push(event)
}

/** [I26] If the first message is an agent's, the user's question is only in a field next to the messages. */
function takeQuestion(role: string, name: string | null, { writer, labels, origin }: Run): void {
  const question = textAt(labels, 'question')
  if (question !== null && !isPerson(role, name)) writer.push(draft('user', question, origin))
}

function isPerson(role: string, name: string | null): boolean {
  return role === 'human' || (role === 'user' && (name === null || name === 'user'))
}

interface Said {
  readonly kind: EventKind
  readonly shown: string | null
}

const NOTHING_TO_RUN = 'There is no code from the last'

/**
 * [I26] The speaker of a message. In AG2, the role names the history that kept a message; its name gives the author.
 * The Magentic-One team has its names in the role.
 */
function kindOf(role: string, name: string | null, text: string, index: number): Said {
  if (isPerson(role, name)) return { kind: 'user', shown: null }
  const speaker = role === 'assistant' || role === 'user' ? name : role
  if (speaker === 'Computer_terminal' || speaker === 'ComputerTerminal') {
    const idle = text.startsWith(NOTHING_TO_RUN)
    return { kind: idle ? 'notification' : 'tool_result', shown: speaker }
  }
  if (role === 'system') return { kind: 'system', shown: name }
  if (role === 'Orchestrator (thought)') return { kind: 'reasoning', shown: role }
  if (role === 'Orchestrator (termination condition)') return { kind: 'meta', shown: role }
  if (index === 0 && text.startsWith('You are given: (1) a task'))
    return { kind: 'injected', shown: speaker }
  return { kind: 'agent', shown: speaker }
}

/** Who&When: runs of agent teams with the labelled step that failed. */
export const whoAndWhen: Importer = {
  name: 'who-and-when',
  label: 'Who&When failure logs',
  detect: (head) => firstRecords(head.values).some(isRun),
  split: () => ({ by: 'records', lists: ['history'], header: true }),
  read: readRuns<Run>(['history'], { header: openRun, item: takeItem }),
}
