import { flatText, piecesOf } from './blocks.ts'
import { partsOfUserText } from './claude-text.ts'
import { draft, sessionDraft, type EventDraft, type Origin, type SessionDraft } from './drafts.ts'
import { compact, epoch, isList, isObject, own, text } from './guards.ts'
import type { Head } from './head.ts'
import type { Ledger } from './ledger.ts'
import type { Importer, RawRecord, Reader } from './source.ts'
import { createTree, type Tree } from './tree-paths.ts'

const ROLES = new Set(['user', 'assistant', 'toolResult', 'bashExecution', 'custom'])
/** Records beside messages that only this family has. */
const MARKS = new Set([
  'model_change',
  'thinking_level_change',
  'compaction',
  'branch_summary',
  'custom_message',
  'session_info',
])

/** A header names a version; a record of the tree its parent (null for the first). */
function isPi(value: unknown): boolean {
  const type = own(value, 'type')
  if (type === 'session') return isHeader(value)
  if (isOldMessage(value)) return true
  if (!isObject(value) || text(own(value, 'id')) === null) return false
  if (type === 'message') return ROLES.has(text(own(own(value, 'message'), 'role')) ?? '')
  return typeof type === 'string' && MARKS.has(type) && Object.hasOwn(value, 'parentId')
}

/** The first version wrote none, but where the session ran. */
function isHeader(value: unknown): boolean {
  const named = typeof own(value, 'version') === 'number' || text(own(value, 'cwd')) !== null
  return named && own(value, 'schemaVersion') === undefined && isNode(value)
}

/** A message of the first version, which had no tree and so no ids. */
function isOldMessage(value: unknown): boolean {
  if (own(value, 'type') !== 'message' || epoch(own(value, 'timestamp')) === null) return false
  const message = own(value, 'message')
  const spoken = ROLES.has(text(own(message, 'role')) ?? '')
  return spoken && own(message, 'content') !== undefined && own(value, 'id') === undefined
}

function isNode(value: unknown): boolean {
  return text(own(value, 'id')) !== null && epoch(own(value, 'timestamp')) !== null
}

function detect(head: Head): boolean {
  return head.objects.some(isPi)
}

interface Reading {
  readonly ledger: Ledger
  readonly calls: Map<string, string>
  session: SessionDraft | null
  tree: Tree | null
  model: string | null
}

function read(ledger: Ledger): Reader {
  const reading: Reading = { ledger, calls: new Map(), session: null, tree: null, model: null }
  return {
    take(record) {
      takeRecord(record, reading)
    },
    drafts: () => [
      ...(reading.session === null ? [] : [reading.session]),
      ...(reading.tree?.branches() ?? []),
    ],
    tidy() {
      reading.tree?.tidy()
    },
  }
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const type = text(own(value, 'type'))
  const message = own(value, 'message')
  const at = epoch(own(value, 'timestamp')) ?? epoch(own(message, 'timestamp'))
  if (type === null) {
    const place = { ...ref, text: compact(value).slice(0, 400) }
    reading.ledger.problem('unknown_shape', place, 'a record without a type')
    return
  }
  if (type === 'session') {
    takeHeader(value, at, reading)
    return
  }
  const model = text(own(message, 'model'))
  const origin: Origin = { at, model, source: ref }
  const take = Object.hasOwn(ENTRIES, type) ? ENTRIES[type] : undefined
  const events = take?.(value, origin, reading) ?? []
  if (events.length === 0) reading.ledger.skip(skipName(type, value))
  const session = sessionOf(reading)
  session.startedAt ??= at
  reading.tree ??= createTree(session)
  // A person may edit the first message: another beginning. Of other records null says nothing.
  const first = own(value, 'parentId') === null && own(message, 'role') === 'user'
  const parentId = first ? null : (text(own(value, 'parentId')) ?? undefined)
  reading.tree.add(text(own(value, 'id')), parentId, events)
}

function skipName(type: string, value: unknown): string {
  if (type === 'message')
    return `${text(own(own(value, 'message'), 'role')) ?? 'message'} without content`
  const custom = text(own(value, 'customType'))
  return custom === null ? type : `${type}/${custom}`
}

function sessionOf(reading: Reading): SessionDraft {
  reading.session ??= sessionDraft('session-1')
  return reading.session
}

/** The first header is the session's; a parent session is what it was branched or spawned from. */
function takeHeader(value: unknown, at: number | null, reading: Reading): void {
  reading.session ??= sessionDraft(text(own(value, 'id')) ?? 'session-1')
  reading.session.startedAt ??= at
  reading.session.cwd ??= text(own(value, 'cwd'))
  reading.session.title ??= text(own(value, 'title'))
  reading.ledger.skip('session')
}

type Take = (value: unknown, origin: Origin, reading: Reading) => EventDraft[]

/** [I16] Records by type; all others are counted. */
const ENTRIES: Readonly<Record<string, Take>> = {
  message: messageEvents,
  custom_message: (value, origin) => {
    const name = text(own(value, 'customType')) ?? 'custom'
    return said('injected', flatText(own(value, 'content')), origin, name)
  },
  compaction: (value, origin, reading) => {
    if (own(value, 'shortSummary') !== undefined) reading.ledger.skip('compaction/shortSummary')
    const summary = text(own(value, 'summary')) ?? text(own(value, 'shortSummary')) ?? ''
    return said('summary', summary, origin, 'compaction')
  },
  branch_summary: (value, origin) =>
    said('summary', text(own(value, 'summary')) ?? '', origin, 'branch-summary'),
  session_info: (value, _origin, reading) => {
    sessionOf(reading).title = text(own(value, 'name')) ?? sessionOf(reading).title
    return []
  },
}

function said(
  kind: EventDraft['kind'],
  words: string,
  origin: Origin,
  name: string | null = null,
): EventDraft[] {
  return words.trim() === '' ? [] : [draft(kind, words, origin, { name })]
}

function messageEvents(value: unknown, origin: Origin, reading: Reading): EventDraft[] {
  const message = own(value, 'message')
  if (own(value, 'evictedContent') !== undefined || own(message, 'evictedContent') !== undefined)
    reading.ledger.skip('evictedContent')
  switch (own(message, 'role')) {
    case 'user':
      return userEvents(message, origin, reading)
    case 'assistant':
      return assistantEvents(message, origin, reading)
    case 'toolResult':
      return resultEvents(message, origin, reading)
    case 'bashExecution':
      return bashEvents(message, origin)
    default: {
      const name = text(own(message, 'customType')) ?? text(own(message, 'role')) ?? 'message'
      return said('injected', flatText(own(message, 'content')), origin, name)
    }
  }
}

/** A message that the agent's side attributes to itself was not typed. */
function userEvents(message: unknown, origin: Origin, reading: Reading): EventDraft[] {
  const byAgent = own(message, 'attribution') === 'agent'
  const fallback = {
    kind: byAgent ? ('injected' as const) : ('user' as const),
    rule: byAgent ? 'attribution' : null,
    always: false,
  }
  const words = saidIn(own(message, 'content'), reading)
  return partsOfUserText(words, fallback).map((part) =>
    draft(part.kind, part.text, origin, { name: part.rule }),
  )
}

function saidIn(content: unknown, reading: Reading): string {
  const lines = piecesOf(content).map((piece) => {
    if (piece.kind === 'text' || piece.kind === 'stub') return piece.text
    reading.ledger.skip(`block/${piece.kind === 'unknown' ? piece.type : piece.kind}`)
    return ''
  })
  return lines.filter((line) => line !== '').join('\n')
}

function assistantEvents(message: unknown, origin: Origin, reading: Reading): EventDraft[] {
  const events = piecesOf(own(message, 'content')).flatMap((piece): EventDraft[] => {
    if (piece.kind === 'text' || piece.kind === 'stub') return said('agent', piece.text, origin)
    if (piece.kind === 'reasoning') return said('reasoning', piece.text, origin)
    if (piece.kind === 'call') {
      const { id: callId, name } = piece
      if (callId !== null && name !== null) reading.calls.set(callId, name)
      return [draft('tool_call', piece.text, origin, { name, callId })]
    }
    reading.ledger.skip(`block/${piece.kind === 'unknown' ? piece.type : piece.kind}`)
    return []
  })
  const why = text(own(message, 'errorMessage'))
  const stop = own(message, 'stopReason')
  if (stop === 'aborted') events.push(draft('interruption', why ?? 'aborted', origin))
  else if (stop === 'error' || why !== null)
    events.push(draft('system', why ?? 'error', origin, { name: 'error', isError: true }))
  return events
}

function resultEvents(message: unknown, origin: Origin, reading: Reading): EventDraft[] {
  const callId = text(own(message, 'toolCallId'))
  const name = text(own(message, 'toolName')) ?? reading.calls.get(callId ?? '') ?? null
  const isError = own(message, 'isError') === true
  const words = flatText(own(message, 'content'))
  return [draft('tool_result', words, origin, { callId, name, isError })]
}

/** A command that the person ran with `!`, and its output. */
function bashEvents(message: unknown, origin: Origin): EventDraft[] {
  const code = own(message, 'exitCode')
  const isError = typeof code === 'number' && code !== 0
  const output = own(message, 'output')
  const words = isList(output) ? flatText(output) : (text(output) ?? '')
  const command = text(own(message, 'command')) ?? ''
  return [
    ...said('command', command, origin, 'bash'),
    ...(words === '' ? [] : [draft('command', words, origin, { name: 'bash-output', isError })]),
  ]
}

/** pi and its family (OpenClaw, …): session trees as JSONL. */
export const pi: Importer = {
  name: 'pi',
  label: 'pi session (JSONL)',
  detect,
  split: () => ({ by: 'records' }),
  read,
}
