import type { Head } from '../head.ts'
import { isChatRole, speakerOf, takeChatMessage } from '../shared/chat-message.ts'
import type { Origin } from '../shared/drafts.ts'
import { epoch, isList, isObject, own, pick, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { isResponseItem, takeResponseItem } from '../shared/responses-items.ts'
import {
  readSessions,
  runResult,
  type SessionWriter,
  type SessionsReading,
} from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'
import { conversationOf, holdsMessages, isMessage, systemOf, type Conversation } from './forms.ts'
import { noteLastAnswer, noteUsage, usageBeside } from '../shared/usage.ts'

/** State of a file: bare messages gather in one session, lists make one each. */
interface Reading extends SessionsReading {
  /** The session of messages outside of any list, and the model of the object around them. */
  loose: SessionWriter | null
  looseModel: string | null
  /** Sessions of a batch, by `custom_id`: a request and its response are two records. */
  readonly batch: Map<string, SessionWriter>
}

const read = readSessions<Omit<Reading, keyof SessionsReading>>(
  () => ({ loose: null, looseModel: null, batch: new Map() }),
  (record, reading) => {
    if (record.header === true) takeHeader(record, reading)
    else takeRecord(record, reading)
  },
)

/** One object over the whole file: its messages are located one by one. */
function ownsList(head: Head): boolean {
  const value = head.values[0]
  const messages = own(value, 'messages')
  return head.layout === 'document' && isObject(value) && isList(messages) && isMessage(messages[0])
}

function takeHeader(record: RawRecord, reading: Reading): void {
  const { value } = record
  reading.loose = reading.writers.open(textAt(value, 'id', 'session_id'))
  reading.loose.session.title = textAt(value, 'title')
  reading.looseModel = textAt(value, 'model', 'modelId')
  const around = { model: null, created: null }
  for (const item of systemOf(value, []))
    takeItem({ value: item, ref: record.ref }, reading.loose, around, reading)
  countBeside(value, reading.log)
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const conversation = conversationOf(value)
  if (conversation !== null) {
    takeConversation(conversation, record, reading)
    return
  }
  if (reading.loose === null) {
    reading.loose = reading.writers.open(null)
    reading.looseModel = null
  }
  takeItem({ value, ref }, reading.loose, { model: reading.looseModel, created: null }, reading)
}

function takeConversation(conversation: Conversation, record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const { items, rejected } = conversation
  reading.loose = null
  const writer = writerOf(conversation, reading)
  writer.session.title ??= textAt(value, 'title')
  for (const item of items) takeItem({ value: item, ref }, writer, conversation, reading)
  if (ANSWERS.some((key) => own(value, key) !== undefined))
    noteLastAnswer(writer, usageBeside(value))
  if (rejected.length > 0) {
    const branch = reading.writers.open(null, 'branch-1', writer.session.id)
    for (const item of rejected) takeItem({ value: item, ref }, branch, conversation, reading)
  }
  if (items.length === 0) reading.log.skip('session without messages')
  if (conversation.scored) takeScores(value, writer, ref)
  countBeside(value, reading.log)
}

/** [X19] Members of a record that is one call: the numbers beside them are those of its answer. */
const ANSWERS = ['choices', 'output', 'outputs', 'response']

/** [I177] Fields in which a trainer records facts about a rollout. */
const SCORES = ['reward', 'metrics', 'answer', 'task', 'stop_condition', 'error']

function takeScores(value: unknown, writer: SessionWriter, ref: RawRecord['ref']): void {
  for (const event of runResult(writer, ref, pick(value, SCORES))) writer.push(event)
}

function writerOf({ id, joins }: Conversation, reading: Reading): SessionWriter {
  const known = joins && id !== null ? reading.batch.get(id) : undefined
  if (known !== undefined) return known
  const writer = reading.writers.open(id)
  if (joins && id !== null) reading.batch.set(id, writer)
  return writer
}

/** Fields of training data beside the messages. They are counted, because they are no part of the conversation. */
const BESIDE = [
  'tools',
  'toolConfig',
  'functions',
  'label',
  'kto_tag',
  'images',
  'videos',
  'audios',
]

function countBeside(value: unknown, log: ImportLog): void {
  for (const key of BESIDE) if (own(value, key) !== undefined) log.skip(key)
}

type Around = Pick<Conversation, 'model' | 'created'>

function takeItem(
  record: RawRecord,
  writer: SessionWriter,
  around: Around,
  reading: Reading,
): void {
  const { value, ref } = record
  const role = textAt(value, 'role')
  if (role === null && textAt(value, 'type') === null) {
    reading.log.unusable({ value, ref }, 'not a message: it has no role')
    return
  }
  const origin = originOf(value, role, around, ref)
  const before = writer.count()
  if (role === null || (!isChatRole(role) && isResponseItem(value)))
    takeResponseItem(value, origin, writer)
  else takeChatMessage(value, speakerOf(value, role), origin, writer)
  noteUsage(writer, before, value)
  if (role !== null && writer.count() === before) reading.log.skip(`${role} without content`)
}

/** Time and model of the message; an answer without them has those of the whole conversation. */
function originOf(
  value: unknown,
  role: string | null,
  around: Around,
  source: RawRecord['ref'],
): Origin {
  const time = own(value, 'timestamp') ?? own(value, 'created_at') ?? own(value, 'create_time')
  const isAnswer = role === null || role === 'assistant'
  return {
    at: epoch(time ?? (isAnswer ? around.created : null)),
    model: textAt(value, 'model', 'model_id') ?? (isAnswer ? around.model : null),
    source,
  }
}

/** Chat completion messages: an array, an object or lines of them, training and batch files. */
export const openaiMessages: Importer = {
  name: 'openai-messages',
  label: 'OpenAI messages (JSON, JSONL)',
  detect: (head) => head.values.some(holdsMessages),
  shares: true,
  split: ({ head }) => ({
    by: 'records',
    lists: ownsList(head) ? ['messages'] : [],
    header: true,
    arrays: true,
  }),
  read,
}
