import type { EventKind } from '../../schema/event-kind.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { takeChatMessage } from '../shared/chat-message.ts'
import { entryOf, epoch, idText, isList, isObject, own, textAt } from '../shared/guards.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'
import { findLists, shapeOf, type FoundList } from './find.ts'

/** Names of speakers that say what they are, in small letters. */
const KINDS: Readonly<Record<string, EventKind>> = {
  ...kinds('user', 'user human person customer client visitor student prompter q me you'),
  ...kinds(
    'agent',
    'assistant agent ai bot model gpt chatgpt llm claude gemini copilot support a tutor',
  ),
  ...kinds('system', 'system developer'),
  ...kinds('tool_result', 'tool function observation environment'),
}

function kinds(kind: EventKind, names: string): Readonly<Record<string, EventKind>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]))
}

/** What was assumed of one session, said once, as its first event. */
interface Assumed {
  readonly writer: SessionWriter
  readonly said: Set<string>
  readonly ref: RawRecord['ref']
}

interface Reading extends SessionsReading {
  /** The session of items that stand in no list. */
  loose: Assumed | null
}

function opened(id: string | null, ref: RawRecord['ref'], { writers }: Reading): Assumed {
  return { writer: writers.open(id), said: new Set(), ref }
}

/** An assumption goes into the session where it is made first. */
function assume({ writer, said }: Assumed, source: RawRecord['ref'], text: string): void {
  if (said.has(text)) return
  said.add(text)
  const origin: Origin = { at: null, model: null, source }
  writer.push(draft('meta', `Assumed: ${text}.`, origin, { name: 'assumed' }))
}

function take(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const shape = shapeOf(value)
  if (shape !== null) {
    if (record.row === true && shape.kind === 'pair') reading.loose = null
    reading.loose ??= opened(null, ref, reading)
    takeItem(record, reading.loose, reading)
    return
  }
  reading.loose = null
  const lists = findLists(value)
  for (const list of lists) takeList(list, record, reading)
  if (lists.length === 0)
    reading.log.unusable(record, 'it holds no list of messages or of questions')
}

function takeList({ path, items, around }: FoundList, { ref }: RawRecord, reading: Reading): void {
  const assumed = opened(textIdOf(around), ref, reading)
  assumed.writer.session.title = textAt(around, 'title', 'name', 'topic')
  if (path !== '') assume(assumed, ref, `"${path}" is the conversation`)
  for (const item of items) takeItem({ value: item, ref }, assumed, reading)
}

function textIdOf(around: unknown): string | null {
  return isObject(around) ? idText(own(around, 'id') ?? own(around, 'conversation_id')) : null
}

function takeItem({ value, ref }: RawRecord, assumed: Assumed, { log }: Reading): void {
  const shape = shapeOf(value)
  if (shape === null) {
    log.unusable({ value, ref }, 'neither a message nor a question with its answer')
    return
  }
  const at = epoch(own(value, 'timestamp') ?? own(value, 'time') ?? own(value, 'date'))
  const origin: Origin = { at, model: textAt(value, 'model'), source: ref }
  if (shape.kind === 'pair') {
    const { question, answer } = shape
    assume(assumed, ref, `"${question}" is what a person wrote, "${answer}" the agent's answer`)
    assumed.writer.push(draft('user', textAt(value, question) ?? '', origin))
    assumed.writer.push(draft('agent', textAt(value, answer) ?? '', origin))
    return
  }
  const { who, words } = shape
  const speaker = textAt(value, who) ?? ''
  const known = entryOf(KINDS, speaker.trim().toLowerCase())
  assume(assumed, ref, `"${who}" says who speaks, "${words}" what`)
  if (known === undefined) assume(assumed, ref, `"${speaker}" is a person`)
  const content = own(value, words)
  const before = assumed.writer.count()
  const message = {
    content: isList(content) ? content : String(content),
    tool_calls: own(value, 'tool_calls'),
  }
  takeChatMessage(
    message,
    { kind: known ?? 'user', name: known === undefined ? speaker : null },
    origin,
    assumed.writer,
  )
  if (assumed.writer.count() === before) log.skip(`${speaker} without content`)
}

/**
 * [I80] Any JSON that holds lists of `{role|from, content|text|value}` or `{question, answer}`: asked
 * only where no format knows a file. What was assumed stands in the session, before it is used.
 */
export const generic: Importer = {
  name: 'conversation-list',
  label: 'JSON with lists of messages',
  shares: true,
  detect: ({ values }) =>
    values.some((value) => shapeOf(value) !== null || findLists(value).length > 0),
  split: ({ head }) =>
    head.layout === 'document' && isObject(head.values[0]) && !isPart(head.values[0])
      ? { by: 'document' }
      : { by: 'records', arrays: true },
  read: readSessions<{ loose: Assumed | null }>(() => ({ loose: null }), take),
}

/** A document that is one message. */
function isPart(value: unknown): boolean {
  return shapeOf(value) !== null
}
