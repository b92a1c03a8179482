import { speakerOf, takeChatMessage } from '../shared/chat-message.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { compact, epoch, isList, own, textAt } from '../shared/guards.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'
import { formOf, isAnthropic, isResponse, turnsOf, type Form } from './forms.ts'
import { noteUsage } from '../shared/usage.ts'

/** State of a file: answers without a request gather in one session, requests make one each. */
interface State {
  loose: SessionWriter | null
  /** Sessions of a batch, by `custom_id`: a request and its result are two records. */
  readonly batch: Map<string, SessionWriter>
}

type Reading = SessionsReading & State

function take(record: RawRecord, reading: Reading): void {
  const { value } = record
  const form = formOf(value)
  if (form !== null) takeForm(form, record, reading)
  else if (textAt(value, 'role') !== null) takeMessage(value, record, looseOf(reading))
  else reading.log.unusable(record, 'neither a request, an answer nor a result of a batch')
}

function takeForm(form: Form, record: RawRecord, reading: Reading): void {
  if (form.kind === 'response') takeMessage(form.message, record, looseOf(reading))
  else if (form.kind === 'error') takeError(form.error, record, looseOf(reading))
  else if (form.kind === 'batch') takeBatch(form, record, reading)
  else {
    reading.loose = null
    const { request, response } = form
    const id = textAt(record.value, 'id', 'request_id') ?? textAt(response, 'id')
    const writer = reading.writers.open(id)
    takeRequest(request, record, writer)
    if (response !== undefined) takeAnswer(response, record, writer)
  }
}

/** [I8] Messages outside any list form one session. */
function looseOf(reading: Reading): SessionWriter {
  reading.loose ??= reading.writers.open(null)
  return reading.loose
}

/** Parameters that are not part of the conversation. */
const BESIDE = ['tools', 'mcp_servers']

function takeRequest(request: unknown, record: RawRecord, writer: SessionWriter): void {
  for (const message of turnsOf(request)) takeMessage(message, record, writer)
  for (const key of BESIDE) if (own(request, key) !== undefined) writer.skip(key)
}

function takeAnswer(answer: unknown, record: RawRecord, writer: SessionWriter): void {
  if (isResponse(answer)) takeMessage(answer, record, writer)
  else takeError(own(answer, 'error'), record, writer)
}

/** [I106] The result of one request of a batch: its answer, or the error. */
function takeBatch(
  { id, request, result }: Form & { readonly kind: 'batch' },
  record: RawRecord,
  reading: Reading,
): void {
  const known = reading.batch.get(id)
  const writer = known ?? reading.writers.open(id)
  if (known === undefined) reading.batch.set(id, writer)
  if (request !== undefined) takeRequest(request, record, writer)
  if (result === undefined) return
  const outcome = textAt(result, 'type') ?? ''
  const message = own(result, 'message')
  if (outcome === 'succeeded' && isList(own(message, 'content')))
    takeMessage(message, record, writer)
  else if (outcome === 'succeeded')
    reading.log.unusable(record, 'a result that succeeded, without a message')
  else takeError(own(result, 'error') ?? outcome, record, writer, outcome)
}

/** Errors are nested: `{type: "error", error: {type, message}}`. */
function takeError(
  error: unknown,
  record: RawRecord,
  writer: SessionWriter,
  outcome?: string,
): void {
  const inner = own(error, 'error') ?? error
  const type = textAt(inner, 'type')
  const message = textAt(inner, 'message')
  const text = message ?? compact(inner)
  const name = [outcome, type].filter((part) => part !== undefined && part !== null).join(' ')
  writer.push(draft('system', text, originOf(record.value, record), { name, isError: true }))
}

function takeMessage(message: unknown, record: RawRecord, writer: SessionWriter): void {
  const role = textAt(message, 'role') ?? 'assistant'
  const before = writer.count()
  takeChatMessage(message, speakerOf(message, role), originOf(message, record), writer)
  noteUsage(writer, before, message)
  if (writer.count() === before) writer.skip(`${role} without content`)
}

/** The interface gives no times; logs that keep its records may. */
function originOf(message: unknown, { value, ref }: RawRecord): Origin {
  const time = [message, value].flatMap((from) => [
    own(from, 'created_at'),
    own(from, 'timestamp'),
    own(from, 'time'),
  ])
  const at = time.map(epoch).find((one) => one !== null) ?? null
  return { at, model: textAt(message, 'model'), source: ref }
}

/** Requests, answers and batch results of Anthropic's Messages API: an object, a list or lines of them. */
export const anthropicMessages: Importer = {
  name: 'anthropic-messages',
  label: 'Anthropic messages (JSON, JSONL)',
  detect: (head) =>
    head.values.some((value) => (isList(value) ? value.some(isAnthropic) : isAnthropic(value))),
  split: () => ({ by: 'records' }),
  read: readSessions<State>(() => ({ loose: null, batch: new Map() }), take),
}
