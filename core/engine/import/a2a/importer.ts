import { trimmedPrint } from '../shared/copies.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { compact, entryOf, epoch, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { stub, takeParts, event, words, type Place, type Said, type Voice } from '../shared/said.ts'
import { readSessions, type SessionsReading, type SessionWriter } from '../shared/session-writer.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import type { Importer, RawRecord } from '../source.ts'

/** Roles of both versions of the protocol. */
const ROLES: Readonly<Record<string, EventKind>> = {
  user: 'user',
  agent: 'agent',
  ROLE_USER: 'user',
  ROLE_AGENT: 'agent',
}

function isMessage(value: unknown): boolean {
  const id = textAt(value, 'messageId', 'message_id')
  return (
    id !== null &&
    isList(own(value, 'parts')) &&
    entryOf(ROLES, textAt(value, 'role') ?? '') !== undefined
  )
}

function isTask(value: unknown): boolean {
  if (textAt(value, 'id') === null || textAt(own(value, 'status'), 'state') === null) return false
  if (own(value, 'kind') === 'task') return true
  return textAt(value, 'contextId', 'context_id') !== null
}

function isUpdate(value: unknown): boolean {
  const kind = own(value, 'kind')
  return (
    (kind === 'status-update' || kind === 'artifact-update') && textAt(value, 'taskId') !== null
  )
}

/** The object of the protocol in an answer or a request of JSON-RPC. */
function bodyOf(value: unknown): unknown {
  if (own(value, 'jsonrpc') === undefined) return value
  const result = own(value, 'result')
  const body = isObject(result) ? result : own(value, 'params')
  return own(body, 'task') ?? own(body, 'message') ?? body
}

function isA2a(value: unknown): boolean {
  const body = bodyOf(value)
  return isTask(body) || isUpdate(body) || isMessage(body)
}

interface Run {
  readonly writer: SessionWriter
  /** Ids of messages: a status and the history may hold the same one. */
  readonly seen: Set<string>
}

interface State {
  /** By the id of the context, or of the task. */
  readonly runs: Map<string, Run>
}

type Reading = SessionsReading & State

/** [I184] Tasks of one context are one session. */
function runOf(body: unknown, reading: Reading): Run {
  const id =
    textAt(body, 'contextId', 'context_id', 'taskId', 'task_id') ?? textAt(body, 'id') ?? ''
  const known = reading.runs.get(id)
  if (known !== undefined) return known
  const run = { writer: reading.writers.open(id === '' ? null : id), seen: new Set<string>() }
  reading.runs.set(id, run)
  return run
}

function take(record: RawRecord, reading: Reading): void {
  const body = bodyOf(record.value)
  if (!isA2a(record.value)) {
    reading.log.unusable(record, 'neither a task, an update nor a message')
    return
  }
  const run = runOf(body, reading)
  const origin: Origin = { at: null, model: null, source: record.ref }
  const place: Place = { origin, writer: run.writer, log: reading.log }
  if (isMessage(body)) {
    takeMessage(body, run, place)
    return
  }
  for (const message of listAt(body, 'history')) takeMessage(message, run, place)
  const artifacts = [...listAt(body, 'artifacts'), own(body, 'artifact')]
  for (const artifact of artifacts) if (isObject(artifact)) takeArtifact(artifact, run, place)
  takeStatus(own(body, 'status'), run, place)
}

function takeMessage(message: unknown, { seen }: Run, place: Place): void {
  const id = textAt(message, 'messageId', 'message_id') ?? ''
  if (id !== '' && seen.has(id)) {
    place.writer.skip('message (copy)')
    return
  }
  seen.add(id)
  const role = textAt(message, 'role') ?? 'unknown'
  const kind = entryOf(ROLES, role)
  if (kind === 'agent') seen.add(saidKey(message))
  const voice: Voice = kind === undefined ? { kind: 'meta', name: role.slice(0, 80) } : { kind }
  const at = epoch(own(own(message, 'metadata'), 'timestamp') ?? own(message, 'timestamp'))
  takeParts(listAt(message, 'parts'), readPart, voice, {
    ...place,
    origin: { ...place.origin, at },
  })
}

/** [I184] Output of a task counts as the agent's, unless the history already contains it. */
function takeArtifact(artifact: unknown, { seen }: Run, place: Place): void {
  const key = saidKey(artifact)
  if (seen.has(key)) return
  seen.add(key)
  takeParts(listAt(artifact, 'parts'), readPart, { kind: 'agent' }, place)
}

/** Key made from the texts of a value, to recognize repetitions. */
function saidKey(value: unknown): string {
  const texts = listAt(value, 'parts').map((part) => textAt(part, 'text') ?? compact(part))
  return `said ${trimmedPrint(texts.join('\n'))}`
}

/** States that end a task badly. */
const BAD = /^(?:TASK_STATE_)?(?:failed|canceled|cancelled|rejected)$/i

function takeStatus(status: unknown, run: Run, place: Place): void {
  const at = epoch(own(status, 'timestamp'))
  const message = own(status, 'message')
  const timed = { ...place, origin: { ...place.origin, at } }
  if (isMessage(message)) takeMessage(message, run, timed)
  const state = textAt(status, 'state')
  if (state === null) return
  if (BAD.test(state))
    place.writer.push(draft('system', state, timed.origin, { name: 'state', isError: true }))
  else place.writer.skip(`state ${state}`)
}

function readPart(part: unknown): readonly Said[] | string {
  const text = own(part, 'text')
  if (typeof text === 'string') return [words(text)]
  const data = own(part, 'data')
  if (data !== undefined && typeof data !== 'string') return [words(compact(data))]
  const file =
    own(part, 'file') ??
    (own(part, 'url') === undefined && own(part, 'raw') === undefined ? undefined : part)
  if (file === undefined) return textAt(part, 'kind', 'type') ?? 'untyped'
  const name = textAt(file, 'name', 'filename', 'uri', 'url')
  const type = textAt(file, 'mimeType', 'mediaType', 'media_type')
  return [event('injected', stub('file', type, name), 'attachment')]
}

/** Agent2Agent: tasks, their updates and messages, alone, in lists, on lines or in JSON-RPC. */
export const a2a: Importer = {
  name: 'a2a',
  label: 'Agent2Agent (A2A) tasks',
  detect: (head) => head.values.some((value) => isA2a(isList(value) ? value[0] : value)),
  split: () => ({ by: 'records' }),
  read: readSessions<State>(() => ({ runs: new Map() }), take),
}
