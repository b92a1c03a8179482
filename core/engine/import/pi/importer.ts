import { flatText, piecesOf } from '../shared/content-blocks.ts'
import {
  draft,
  sessionDraft,
  type EventDraft,
  type Origin,
  type SessionDraft,
} from '../shared/drafts.ts'
import { asText, entryOf, epoch, isList, isObject, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { tokensAt, type Recorded } from '../shared/model-calls.ts'
import { createTree, type Tree } from '../shared/record-tree.ts'
import { callEvent, resultEvent } from '../shared/tool-calls.ts'
import { userTextEvents } from '../shared/user-text.ts'
import type { Importer, RawRecord, Reader } from '../source.ts'

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
  if (!isObject(value) || textAt(value, 'id') === null) return false
  if (type === 'message') return ROLES.has(textAt(own(value, 'message'), 'role') ?? '')
  return typeof type === 'string' && MARKS.has(type) && Object.hasOwn(value, 'parentId')
}

/** The first version has no version number, but a `cwd`. */
function isHeader(value: unknown): boolean {
  const named = typeof own(value, 'version') === 'number' || textAt(value, 'cwd') !== null
  return named && own(value, 'schemaVersion') === undefined && isNode(value)
}

/** A message of the first version, which had no tree and so no ids. */
function isOldMessage(value: unknown): boolean {
  if (own(value, 'type') !== 'message' || epoch(own(value, 'timestamp')) === null) return false
  const message = own(value, 'message')
  const spoken = ROLES.has(textAt(message, 'role') ?? '')
  return spoken && own(message, 'content') !== undefined && own(value, 'id') === undefined
}

function isNode(value: unknown): boolean {
  return textAt(value, 'id') !== null && epoch(own(value, 'timestamp')) !== null
}

interface Reading {
  readonly log: ImportLog
  readonly calls: Map<string, string>
  session: SessionDraft | null
  tree: Tree | null
}

function read(log: ImportLog): Reader {
  const reading: Reading = { log, calls: new Map(), session: null, tree: null }
  return {
    take: (record) => takeRecord(record, reading),
    drafts: () => [
      ...(reading.session === null ? [] : [reading.session]),
      ...(reading.tree?.branches() ?? []),
    ],
    tidy: () => reading.tree?.tidy(),
  }
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const type = textAt(value, 'type')
  const message = own(value, 'message')
  const at = epoch(own(value, 'timestamp')) ?? epoch(own(message, 'timestamp'))
  if (type === null) {
    reading.log.unusable({ value, ref }, 'a record without a type')
    return
  }
  if (type === 'session') {
    takeHeader(value, at, reading)
    return
  }
  const model = textAt(message, 'model')
  const origin: Origin = { at, model, source: ref }
  const take = entryOf(ENTRIES, type)
  const events = take?.(value, origin, reading) ?? []
  if (take === undefined && !SETTINGS.test(type)) reading.log.unknown(skipName(type, value))
  else if (events.length === 0) reading.log.skip(skipName(type, value))
  const session = sessionOf(reading)
  session.startedAt ??= at
  reading.tree ??= createTree(session)
  // The user may edit the first message, which then has no parent. For other records, null has no meaning.
  const first = own(value, 'parentId') === null && own(message, 'role') === 'user'
  const parentId = first ? null : (textAt(value, 'parentId') ?? undefined)
  reading.tree.add(textAt(value, 'id'), parentId, events)
}

/** [I108] Records that say nothing: settings, labels, and what extensions keep for themselves. */
const SETTINGS = /^(?:custom|label|session_init|mcp_tool_selection|ttsr_injection|\w+_change)$/

function skipName(type: string, value: unknown): string {
  if (type === 'message')
    return `${textAt(own(value, 'message'), 'role') ?? 'message'} without content`
  const custom = textAt(value, 'customType')
  return custom === null ? type : `${type}/${custom}`
}

function sessionOf(reading: Reading): SessionDraft {
  reading.session ??= sessionDraft('session-1')
  return reading.session
}

/** The first header belongs to the session; later ones are copies. */
function takeHeader(value: unknown, at: number | null, reading: Reading): void {
  reading.session ??= sessionDraft(textAt(value, 'id') ?? 'session-1')
  reading.session.startedAt ??= at
  reading.session.cwd ??= textAt(value, 'cwd')
  reading.session.title ??= textAt(value, 'title')
  reading.log.skip('session')
}

type Drafts = readonly EventDraft[]
type Take = (value: unknown, origin: Origin, reading: Reading) => Drafts

/** [I16] Records by type; all others are counted. */
const ENTRIES: Readonly<Record<string, Take>> = {
  message: messageEvents,
  custom_message: (value, origin) => {
    const name = textAt(value, 'customType') ?? 'custom'
    return textEvents('injected', flatText(own(value, 'content')), origin, name)
  },
  compaction: (value, origin, reading) => {
    if (own(value, 'shortSummary') !== undefined) reading.log.skip('compaction/shortSummary')
    const summary = textAt(value, 'summary', 'shortSummary') ?? ''
    return textEvents('summary', summary, origin, 'compaction')
  },
  branch_summary: (value, origin) =>
    textEvents('summary', textAt(value, 'summary') ?? '', origin, 'branch-summary'),
  session_info: (value, _origin, reading) => {
    sessionOf(reading).title = textAt(value, 'name') ?? sessionOf(reading).title
    return []
  },
}

function textEvents(
  kind: EventDraft['kind'],
  words: string,
  origin: Origin,
  name: string | null = null,
): EventDraft[] {
  return words.trim() === '' ? [] : [draft(kind, words, origin, { name })]
}

function messageEvents(value: unknown, origin: Origin, reading: Reading): Drafts {
  const message = own(value, 'message')
  if (own(value, 'evictedContent') !== undefined || own(message, 'evictedContent') !== undefined)
    reading.log.skip('evictedContent')
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
      const name = textAt(message, 'customType', 'role') ?? 'message'
      return textEvents('injected', flatText(own(message, 'content')), origin, name)
    }
  }
}

/** A message that the agent's side attributes to itself was not typed. */
function userEvents(message: unknown, origin: Origin, reading: Reading): Drafts {
  const byAgent = own(message, 'attribution') === 'agent'
  const fallback = {
    kind: byAgent ? ('injected' as const) : ('user' as const),
    rule: byAgent ? 'attribution' : null,
    always: false,
  }
  return userTextEvents(textIn(own(message, 'content'), reading), origin, fallback)
}

function textIn(content: unknown, reading: Reading): string {
  const lines = piecesOf(content).map((piece) => {
    if (piece.kind === 'text' || piece.kind === 'stub') return piece.text
    reading.log.skip(`block/${piece.kind === 'unknown' ? piece.type : piece.kind}`)
    return ''
  })
  return lines.filter((line) => line !== '').join('\n')
}

function assistantEvents(message: unknown, origin: Origin, reading: Reading): EventDraft[] {
  const events = piecesOf(own(message, 'content')).flatMap((piece): EventDraft[] => {
    if (piece.kind === 'text' || piece.kind === 'stub')
      return textEvents('agent', piece.text, origin)
    if (piece.kind === 'reasoning') return textEvents('reasoning', piece.text, origin)
    if (piece.kind === 'call') return [callEvent(piece, origin, reading.calls)]
    reading.log.skip(`block/${piece.kind === 'unknown' ? piece.type : piece.kind}`)
    return []
  })
  const [first] = events
  const usage = usageOf(own(message, 'usage'))
  if (first !== undefined && usage !== null) first.call = { id: null, ...usage }
  const why = textAt(message, 'errorMessage')
  const stop = own(message, 'stopReason')
  if (stop === 'aborted') events.push(draft('interruption', why ?? 'aborted', origin))
  else if (stop === 'error' || why !== null)
    events.push(draft('system', why ?? 'error', origin, { name: 'error', isError: true }))
  return events
}

/** [X2] Tokens from the cache are not a part of the input. */
function usageOf(usage: unknown): Recorded | null {
  const input = tokensAt(usage, 'input')
  if (input === null) return null
  const cacheRead = tokensAt(usage, 'cacheRead')
  const cacheWrite = tokensAt(usage, 'cacheWrite')
  const output = tokensAt(usage, 'output') ?? 0
  const counts = { input, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0, output }
  return { ...counts, reasoning: null, window: null }
}

function resultEvents(message: unknown, origin: Origin, reading: Reading): EventDraft[] {
  const result = {
    text: flatText(own(message, 'content')),
    id: textAt(message, 'toolCallId'),
    name: textAt(message, 'toolName'),
    isError: own(message, 'isError') === true,
  }
  return [resultEvent(result, origin, reading.calls)]
}

/** A command that the user ran with `!`, and its output. */
function bashEvents(message: unknown, origin: Origin): EventDraft[] {
  const code = own(message, 'exitCode')
  const isError = typeof code === 'number' && code !== 0
  const output = own(message, 'output')
  const words = isList(output) ? flatText(output) : (asText(output) ?? '')
  const command = textAt(message, 'command') ?? ''
  return [
    ...textEvents('command', command, origin, 'bash'),
    ...(words === '' ? [] : [draft('command', words, origin, { name: 'bash-output', isError })]),
  ]
}

/** pi and its family (OpenClaw, …): session trees as JSONL. */
export const pi: Importer = {
  name: 'pi',
  label: 'pi session (JSONL)',
  detect: (head) => head.objects.some(isPi),
  split: () => ({ by: 'records' }),
  read,
}
