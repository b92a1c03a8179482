import { apiEvents, type ClineContext } from './cline-messages.ts'
import { isResultHeader } from './cline-tools.ts'
import { isUiRecord, uiEvents } from './cline-ui.ts'
import { draft, sessionDraft, type Origin, type SessionDraft } from './drafts.ts'
import { compact, epoch, isList, isObject, own, text } from './guards.ts'
import type { Head } from './head.ts'
import type { Ledger } from './ledger.ts'
import type { Importer, RawRecord, Reader } from './source.ts'

const MARKS = ['<task>', '<environment_details>', '<feedback>', '<user_message>']

/** A text that only Cline and Roo write under the user's role. */
function isMarked(block: unknown): boolean {
  const said = typeof block === 'string' ? block : own(block, 'text')
  if (typeof said !== 'string') return false
  const start = said.slice(0, 4096).trimStart()
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
  if (!isList(own(value, 'messages')) || text(own(value, 'sessionId')) === null) return false
  return typeof own(value, 'version') === 'number' && own(value, 'agent') !== undefined
}

function isCline(value: unknown): boolean {
  if (isList(value))
    return value.slice(0, 20).some((item) => isApiMessage(item) || isUiRecord(item))
  if (isApiMessage(value) || isUiRecord(value) || isStore(value)) return true
  const messages = own(value, 'messages')
  return isList(messages) && messages.slice(0, 20).some(isApiMessage)
}

function detect(head: Head): boolean {
  return head.values.some(isCline)
}

interface Reading {
  readonly ledger: Ledger
  context: ClineContext
  /** What the model was sent. */
  session: SessionDraft | null
  /** What the person saw; a session of its own when both are there. */
  ui: SessionDraft | null
  /** The range of messages that the model no longer sees. */
  deleted: string
}

function read(ledger: Ledger): Reader {
  const reading: Reading = {
    ledger,
    context: { calls: new Map(), skip: ledger.skip, spoken: 'user' },
    session: null,
    ui: null,
    deleted: '',
  }
  return {
    take(record) {
      takeRecord(record, reading)
    },
    drafts: () => [reading.session, reading.ui].filter((session) => session !== null),
  }
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const model = modelOf(value)
  const origin: Origin = { at: epoch(own(value, 'ts')), model, source: ref }
  if (record.header === true) takeHeader(value, reading)
  else if (isUiRecord(value)) takeUi(value, origin, reading)
  else {
    const events = apiEvents(value, origin, reading.context)
    if (events === null) {
      const place = { ...ref, text: compact(value).slice(0, 400) }
      reading.ledger.problem('unknown_shape', place, 'neither a message nor a record of a task')
      return
    }
    reading.session ??= sessionDraft('session-1')
    reading.session.startedAt ??= origin.at
    if (events.length === 0) reading.ledger.skip(`${String(own(value, 'role'))} without content`)
    for (const event of events) reading.session.events.push(event)
  }
}

function modelOf(value: unknown): string | null {
  const info = own(value, 'modelInfo')
  return text(own(info, 'modelId')) ?? text(own(info, 'id'))
}

/** The SDK's store around the messages. Agents other than the lead are sub-agents. */
function takeHeader(value: unknown, reading: Reading): void {
  const id = text(own(value, 'sessionId')) ?? 'session-1'
  const agent = text(own(value, 'agent')) ?? 'lead'
  const parent = text(own(value, 'parentSessionId'))
  const main = agent === 'lead' && parent === null
  reading.session ??= main ? sessionDraft(id) : sessionDraft(id, agent, parent)
  if (!main) reading.context = { ...reading.context, spoken: 'subagent_prompt' }
  reading.session.title ??= text(own(value, 'title'))
  reading.session.cwd ??= text(own(value, 'cwd'))
  if (own(value, 'system_prompt') !== undefined) reading.ledger.skip('system_prompt')
  reading.ledger.skip('header')
}

function takeUi(value: unknown, origin: Origin, reading: Reading): void {
  if (reading.ui === null) {
    const { session } = reading
    // Beside the messages it is another view of the same task, not the task twice.
    reading.ui =
      session === null
        ? sessionDraft('session-1')
        : sessionDraft(`${session.id}/ui`, 'ui', session.id)
    reading.ui.startedAt = origin.at
  }
  const { ui, ledger } = reading
  const range = own(value, 'conversationHistoryDeletedRange')
  const deleted = isList(range) ? compact(range) : reading.deleted
  if (deleted !== reading.deleted) {
    reading.deleted = deleted
    ui.events.push(draft('meta', deleted, origin, { name: 'context-truncated' }))
  }
  for (const event of uiEvents(value, ui.events.length === 0, origin, ledger.skip))
    ui.events.push(event)
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
  detect,
  split: () => ({ by: 'records', lists: ['messages'], header: true }),
  read,
  companions,
}
