import type { EventKind } from '../../schema/event-kind.ts'
import { parseJson } from '../json/value.ts'
import { draft, sessionDraft, type Origin, type SessionDraft } from '../shared/drafts.ts'
import { asText, entryOf, epoch, isList, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { typedAs, userTextEvents } from '../shared/user-text.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'
import { align, keyOf, logItem, type LogItem, type Pair } from './align.ts'
import { unitsOf, type Unit } from './history.ts'
import { callOf, splitModelText, thoughtsOf, type Said } from './text.ts'

/** An agent of a chat: a number, and its history as a JSON document inside a string. */
function isAgent(value: unknown): boolean {
  if (typeof own(value, 'number') !== 'number') return false
  return isObject(own(value, 'data')) || typeof own(value, 'history') === 'string'
}

function isChat(value: unknown): boolean {
  const agents = own(value, 'agents')
  if (isList(agents) && isAgent(agents[0])) return true
  return own(value, 'streaming_agent') !== undefined && isList(own(own(value, 'log'), 'logs'))
}

function read(log: ImportLog): Reader {
  const sessions: SessionDraft[] = []
  return {
    take(record) {
      const { value } = record
      for (const chat of isList(value) ? value : [value]) takeChat(chat, record, log, sessions)
    },
    drafts: () => sessions,
  }
}

function takeChat(chat: unknown, record: RawRecord, log: ImportLog, all: SessionDraft[]): void {
  const agents = own(chat, 'agents')
  const logs = own(own(chat, 'log'), 'logs')
  if (!isList(agents) && !isList(logs)) {
    log.unusable({ value: chat, ref: record.ref }, 'a chat has neither agents nor a log')
    return
  }
  const histories = new Map<number, unknown>()
  for (const [at, agent] of (isList(agents) ? agents : []).entries()) {
    const number = own(agent, 'number')
    const history = historyOf(agent, record, log)
    histories.set(typeof number === 'number' ? number : at, history)
  }
  const items = new Map<number, LogItem[]>()
  for (const value of isList(logs) ? logs : []) {
    const item = logItem(value)
    const list = items.get(item.agent)
    if (list === undefined) items.set(item.agent, [item])
    else list.push(item)
  }
  const numbers = [...new Set([0, ...histories.keys(), ...items.keys()])].sort((a, b) => a - b)
  const id = textAt(chat, 'id') ?? `chat-${all.length + 1}`
  for (const number of numbers) {
    const session = sessionFor(chat, id, number)
    const units = unitsOf(histories.get(number) ?? {}, log.skip)
    fill(session, align(units, items.get(number) ?? []), record, log)
    all.push(session)
  }
}

/** [I18] The chain of subordinates: each is a session, started by the one before. */
function sessionFor(chat: unknown, id: string, number: number): SessionDraft {
  const before = number <= 1 ? id : `${id}/agent-${number - 1}`
  const session =
    number === 0
      ? sessionDraft(id)
      : sessionDraft(`${id}/agent-${number}`, `agent-${number}`, before)
  if (number !== 0) return session
  session.title = asText(own(chat, 'name')?.toString().trim())
  session.startedAt = epoch(own(chat, 'created_at'))
  return session
}

function historyOf(agent: unknown, record: RawRecord, log: ImportLog): unknown {
  if (own(own(agent, 'data'), 'ctx_window') !== undefined) log.skip('ctx_window')
  const history = own(agent, 'history')
  if (typeof history !== 'string') return history ?? {}
  const parsed = parseJson(history)
  if (parsed !== undefined) return parsed
  const place = { ...record.ref, text: history.slice(0, 400) }
  log.problem('bad_json', place, 'the history of an agent is not valid JSON')
  return {}
}

/** State shared by the events of one agent. */
interface Writing {
  readonly session: SessionDraft
  readonly log: ImportLog
  readonly record: RawRecord
  /** The last call that has no result yet. */
  call: { readonly id: string; readonly name: string } | null
  calls: number
  /** Key of the agent's last message; a `response` line of the log repeats it. */
  last: string
}

function fill(
  session: SessionDraft,
  pairs: readonly Pair[],
  record: RawRecord,
  log: ImportLog,
): void {
  const writing: Writing = { session, log, record, call: null, calls: 0, last: '' }
  for (const { unit, item } of pairs) {
    const origin: Origin = { at: item?.at ?? null, model: null, source: record.ref }
    if (unit === null) writeItem(item, origin, writing)
    else {
      if (item !== null) log.skip(`log/${item.type} (copy)`)
      writeUnit(unit, item, origin, writing)
    }
  }
}

function writeUnit(unit: Unit, item: LogItem | null, origin: Origin, writing: Writing): void {
  const { events } = writing.session
  if (unit.class === 'agent') {
    writeReasoning(item, origin, writing)
    writeParts(splitModelText(unit.text), origin, writing)
  } else if (unit.class === 'user') writeTyped(unit.text, origin, writing)
  else if (unit.class === 'tool') writeResult(unit.text, unit.name, origin, writing)
  else if (unit.class === 'warning')
    events.push(draft('notification', unit.text, origin, { name: 'warning' }))
  for (const { name, text: words } of unit.beside) {
    const kind = name.endsWith('summary') ? 'summary' : 'injected'
    events.push(draft(kind, words, origin, { name }))
  }
}

/** The reasoning of the model itself is only in the log. */
function writeReasoning(item: LogItem | null, origin: Origin, writing: Writing): void {
  const words = textAt(item?.fields, 'reasoning')?.trim() ?? ''
  if (words === '') return
  writing.session.events.push(draft('reasoning', words, origin, { name: 'model' }))
}

function writeParts(text: readonly Said[], origin: Origin, writing: Writing): void {
  const { events } = writing.session
  for (const { kind, text: words, name } of text) {
    if (kind === 'tool_call') {
      writing.calls += 1
      writing.call = { id: `call-${writing.calls}`, name }
      events.push(draft(kind, words, origin, { name, callId: writing.call.id }))
    } else {
      if (kind === 'agent') writing.last = keyOf('agent', words)
      events.push(draft(kind, words, origin, { name }))
    }
  }
}

function writeTyped(words: string, origin: Origin, writing: Writing): void {
  const { thread, events } = writing.session
  const fallback = typedAs(thread === 'main' ? 'user' : 'subagent_prompt')
  events.push(...userTextEvents(words, origin, fallback))
}

function writeResult(words: string, name: string | null, origin: Origin, writing: Writing): void {
  const { call } = writing
  writing.call = null
  const parts = { name: name ?? call?.name ?? null, callId: call?.id ?? null }
  writing.session.events.push(draft('tool_result', words, origin, parts))
}

/** [I18] A line that only the log has: its message was compacted away, or it never was one. */
function writeItem(item: LogItem, origin: Origin, writing: Writing): void {
  const { log, session } = writing
  const { type, text } = item
  const empty = text.trim() === ''
  if (item.class === 'agent') writeLogged(item, origin, writing)
  else if (item.class === 'response') writeResponse(text, origin, writing)
  else if (empty) log.skip(`log/${type}`)
  else if (item.class === 'user') writeTyped(text, origin, writing)
  else if (item.class === 'tool') {
    const name = textAt(item.fields, '_tool_name') ?? writing.call?.name ?? type
    writeResult(text, name, origin, writing)
  } else {
    const kind = entryOf(NOTES, type)
    const isError = type === 'error'
    if (kind === undefined && COUNTED.has(type)) log.skip(`log/${type}`)
    else if (kind === undefined) log.unknown(`log/${type}`)
    else session.events.push(draft(kind, text, origin, { name: type, isError }))
  }
}

/** [I108] Lines about the program's own activity. */
const COUNTED = new Set(['util', 'info', 'hint', 'progress', 'adapter', 'input'])

/** Lines for the user that do not belong to the conversation. */
const NOTES: Readonly<Record<string, EventKind>> = {
  warning: 'notification',
  error: 'system',
  info: 'meta',
  hint: 'meta',
}

/** A `response` line of the log may repeat the text of the message. */
function writeResponse(text: string, origin: Origin, writing: Writing): void {
  if (text.trim() === '' || writing.last === keyOf('agent', text))
    writing.log.skip('log/response (copy)')
  else writeParts([{ kind: 'agent', text, name: 'response' }], origin, writing)
}

/** A message of the model that is only in the log; broken ones may have fields and no text. */
function writeLogged(item: LogItem, origin: Origin, writing: Writing): void {
  const { fields } = item
  const before = writing.session.events.length
  writeReasoning(item, origin, writing)
  const tool = textAt(fields, 'tool_name')
  const shown =
    tool === null ? [] : [...thoughtsOf(fields), ...callOf(tool, own(fields, 'tool_args'))]
  const text = item.text.trim() === '' ? shown : splitModelText(item.text)
  writeParts(text, origin, writing)
  if (writing.session.events.length === before) writing.log.skip('log/agent without text')
}

/** Agent Zero chats: `chat.json`. */
export const agentZero: Importer = {
  name: 'agent-zero',
  label: 'Agent Zero chat (JSON)',
  detect: (head) => head.values.some((value) => isChat(isList(value) ? value[0] : value)),
  split: () => ({ by: 'document' }),
  read,
}
