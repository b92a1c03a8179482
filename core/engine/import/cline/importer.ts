import { sessionDraft, type Origin, type SessionDraft } from '../shared/drafts.ts'
import { epoch, isList, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { apiEvents, type ClineContext } from './messages.ts'
import { isResultHeader } from './tools.ts'
import { createInterface, type Interface } from './interface.ts'
import { isUiRecord } from './ui.ts'
import { attachUsage, usageBeside } from '../shared/usage.ts'

const MARKS = ['<task>', '<environment_details>', '<feedback>', '<user_message>']

/** A text that only Cline and Roo write under the user's role. */
function isMarked(block: unknown): boolean {
  const text = typeof block === 'string' ? block : own(block, 'text')
  if (typeof text !== 'string') return false
  const start = text.slice(0, 4096).trimStart()
  return MARKS.some((mark) => start.startsWith(mark)) || isResultHeader(start)
}

/** A message of the API's history: Anthropic content, and a time or model of the harness's own. */
function isApiMessage(value: unknown): boolean {
  const role = own(value, 'role')
  if (role !== 'user' && role !== 'assistant') return false
  const content = own(value, 'content')
  if (!isList(content)) return typeof content === 'string' && isMarked(content)
  const stamped = typeof own(value, 'ts') === 'number' || isObject(own(value, 'modelInfo'))
  return stamped || content.some(isMarked)
}

/** The SDK's store. */
function isStore(value: unknown): boolean {
  if (!isList(own(value, 'messages')) || textAt(value, 'sessionId') === null) return false
  return typeof own(value, 'version') === 'number' && own(value, 'agent') !== undefined
}

function isCline(value: unknown): boolean {
  if (isList(value))
    return value.slice(0, 20).some((item) => isApiMessage(item) || isUiRecord(item))
  if (isApiMessage(value) || isUiRecord(value) || isStore(value)) return true
  const messages = own(value, 'messages')
  return isList(messages) && messages.slice(0, 20).some(isApiMessage)
}

interface Reading {
  readonly log: ImportLog
  context: ClineContext
  /** The messages sent to the model. */
  session: SessionDraft | null
  /** The messages shown to the user; a separate session if both exist. */
  readonly ui: Interface
}

function read(log: ImportLog): Reader {
  const reading: Reading = {
    log,
    context: { calls: new Map(), skip: log.skip, spoken: 'user' },
    session: null,
    ui: createInterface(log),
  }
  return {
    take: (record) => takeRecord(record, reading),
    drafts: () =>
      [reading.session, reading.ui.session(reading.session)].filter((each) => each !== null),
    tidy: () => reading.ui.tidy(reading.session),
  }
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const model = modelOf(value)
  const origin: Origin = { at: epoch(own(value, 'ts')), model, source: ref }
  if (record.header === true) takeHeader(value, reading)
  else if (isUiRecord(value)) reading.ui.take(value, origin)
  else {
    const events = apiEvents(value, origin, reading.context)
    if (events === null) {
      reading.log.unusable({ value, ref }, 'neither a message nor a record of a task')
      return
    }
    attachUsage(events, usageBeside(value))
    reading.session ??= sessionDraft('session-1')
    reading.session.startedAt ??= origin.at
    if (events.length === 0) reading.log.skip(`${String(own(value, 'role'))} without content`)
    for (const event of events) {
      reading.session.events.push(event)
      if (event.kind === reading.context.spoken) reading.ui.typed(event)
    }
  }
}

function modelOf(value: unknown): string | null {
  const info = own(value, 'modelInfo')
  return textAt(info, 'modelId', 'id')
}

/** The SDK's store around the messages. Agents other than the lead are sub-agents. */
function takeHeader(value: unknown, reading: Reading): void {
  const id = textAt(value, 'sessionId') ?? 'session-1'
  const agent = textAt(value, 'agent') ?? 'lead'
  const parent = textAt(value, 'parentSessionId')
  const main = agent === 'lead' && parent === null
  reading.session ??= main ? sessionDraft(id) : sessionDraft(id, agent, parent)
  if (!main) reading.context = { ...reading.context, spoken: 'subagent_prompt' }
  reading.session.title ??= textAt(value, 'title')
  reading.session.cwd ??= textAt(value, 'cwd')
  if (own(value, 'system_prompt') !== undefined) reading.log.skip('system_prompt')
  reading.log.skip('header')
}

/** The two halves of a task folder, the model's first. Old names too. */
const HALVES = ['api_conversation_history.json', 'ui_messages.json', 'claude_messages.json']

function companions(name: string, neighbours: readonly string[]): readonly string[] {
  return HALVES.includes(name)
    ? HALVES.filter((half) => half !== name && neighbours.includes(half))
    : []
}

/** Cline and Roo: a task's messages, its interface records, and the SDK's `messages.json`. */
export const cline: Importer = {
  name: 'cline',
  label: 'Cline or Roo task (JSON)',
  detect: (head) => head.values.some(isCline),
  split: () => ({ by: 'records', lists: ['messages'], header: true }),
  read,
  companions,
}
