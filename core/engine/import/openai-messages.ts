import { isChatRole, speakerOf, takeChatMessage, type ChatTarget } from './chat-message.ts'
import type { Origin } from './drafts.ts'
import { compact, epoch, isList, isObject, own, text } from './guards.ts'
import type { Head } from './head.ts'
import type { Ledger } from './ledger.ts'
import { conversationOf, holdsMessages, isMessage, type Conversation } from './openai-forms.ts'
import { isResponseItem, takeResponseItem } from './responses-items.ts'
import type { Importer, RawRecord, Reader } from './source.ts'
import { createTalks, type Talk, type Talks } from './talks.ts'

function detect(head: Head): boolean {
  return head.values.some(holdsMessages)
}

/** State of a file: bare messages gather in one session, lists make one each. */
interface Reading {
  readonly ledger: Ledger
  readonly talks: Talks
  /** Session of bare messages, and what the object around them says. */
  loose: Talk | null
  looseModel: string | null
  /** Sessions of a batch, by `custom_id`: a request and its response are two records. */
  readonly batch: Map<string, Talk>
}

function read(ledger: Ledger): Reader {
  const talks = createTalks()
  const reading: Reading = { ledger, talks, loose: null, looseModel: null, batch: new Map() }
  return {
    take(record) {
      if (record.header === true) takeHeader(record, reading)
      else takeRecord(record, reading)
    },
    drafts: talks.drafts,
  }
}

/** One object over the whole file: its messages are located one by one. */
function ownsList(head: Head): boolean {
  const value = head.values[0]
  const messages = own(value, 'messages')
  return head.layout === 'document' && isObject(value) && isList(messages) && isMessage(messages[0])
}

function takeHeader(record: RawRecord, reading: Reading): void {
  const { value } = record
  reading.loose = reading.talks.open(text(own(value, 'id')) ?? text(own(value, 'session_id')))
  reading.loose.session.title = text(own(value, 'title'))
  reading.looseModel = text(own(value, 'model'))
  countBeside(value, reading.ledger)
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const conversation = conversationOf(value)
  if (conversation !== null) {
    takeConversation(conversation, record, reading)
    return
  }
  if (reading.loose === null) {
    reading.loose = reading.talks.open(null)
    reading.looseModel = null
  }
  takeItem({ value, ref }, reading.loose, { model: reading.looseModel, created: null }, reading)
}

function takeConversation(conversation: Conversation, record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const { items, rejected } = conversation
  reading.loose = null
  const talk = talkOf(conversation, reading)
  talk.session.title ??= text(own(value, 'title'))
  for (const item of items) takeItem({ value: item, ref }, talk, conversation, reading)
  if (rejected.length > 0) {
    const branch = reading.talks.open(null, 'branch-1', talk.session.id)
    for (const item of rejected) takeItem({ value: item, ref }, branch, conversation, reading)
  }
  if (items.length === 0) reading.ledger.skip('session without messages')
  countBeside(value, reading.ledger)
}

function talkOf({ id, joins }: Conversation, reading: Reading): Talk {
  const known = joins && id !== null ? reading.batch.get(id) : undefined
  if (known !== undefined) return known
  const talk = reading.talks.open(id)
  if (joins && id !== null) reading.batch.set(id, talk)
  return talk
}

/** What stands beside the messages of training data is counted: it is no part of the talk. */
const BESIDE = ['tools', 'functions', 'label', 'kto_tag', 'images', 'videos', 'audios']

function countBeside(value: unknown, ledger: Ledger): void {
  for (const key of BESIDE) if (own(value, key) !== undefined) ledger.skip(key)
}

type Around = Pick<Conversation, 'model' | 'created'>

function takeItem(record: RawRecord, talk: Talk, around: Around, reading: Reading): void {
  const { value, ref } = record
  const role = text(own(value, 'role'))
  if (role === null && text(own(value, 'type')) === null) {
    const place = { ...ref, text: compact(value).slice(0, 400) }
    reading.ledger.problem('unknown_shape', place, 'not a message: it has no role')
    return
  }
  const origin = originOf(value, role, around, ref)
  const target: ChatTarget = { push: talk.push, calls: talk.calls, skip: reading.ledger.skip }
  const before = talk.said()
  if (role === null || (!isChatRole(role) && isResponseItem(value)))
    takeResponseItem(value, origin, target)
  else takeChatMessage(value, speakerOf(value, role), origin, target)
  if (role !== null && talk.said() === before) reading.ledger.skip(`${role} without content`)
}

/** Time and model stand at the message; else those of the whole are its answer's. */
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
    model: text(own(value, 'model')) ?? (isAnswer ? around.model : null),
    source,
  }
}

/** Chat completion messages: an array, an object or lines of them, training and batch files. */
export const openaiMessages: Importer = {
  name: 'openai-messages',
  label: 'OpenAI messages (JSON, JSONL)',
  detect,
  split: ({ head }) => ({
    by: 'records',
    lists: ownsList(head) ? ['messages'] : [],
    header: true,
    arrays: true,
  }),
  read,
}
