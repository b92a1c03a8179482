import type { EventKind } from '../../schema/event-kind.ts'
import { takeChatMessage } from '../shared/chat-message.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { entryOf, epoch, idText, isList, isObject, own, textAt } from '../shared/guards.ts'
import { readSessions, type SessionsReading, type SessionWriter } from '../shared/session-writer.ts'
import { isModelName, isProgramName } from '../shared/speakers.ts'
import type { Importer, RawRecord } from '../source.ts'

/** Levels of objects and lists that are looked into for a conversation. */
const DEEPEST = 6
/** Members of one object and items of one list that are looked at before anything was found. */
const WIDEST = 200
/** A longer "name" is a text. */
const LONGEST_NAME = 80

const WHO = ['role', 'from', 'speaker', 'sender', 'author'] as const
const WORDS = ['content', 'text', 'value', 'message'] as const
const QUESTION = ['question', 'prompt', 'query'] as const
const ANSWER = ['answer', 'response', 'completion'] as const

type Field = (typeof WHO | typeof WORDS | typeof QUESTION | typeof ANSWER)[number]

/** The roles assigned to an item's fields. */
type Shape =
  | { readonly kind: 'turn'; readonly who: Field; readonly words: Field }
  | { readonly kind: 'pair'; readonly question: Field; readonly answer: Field }

function fieldOf(value: unknown, names: readonly Field[]): Field | null {
  return names.find((name) => typeof own(value, name) === 'string') ?? null
}

/** [I80] The shape of a conversation item; null if it is not one. */
function shapeOf(value: unknown): Shape | null {
  if (!isObject(value)) return null
  const who = fieldOf(value, WHO)
  const words = WORDS.find((name) => {
    const said = own(value, name)
    return typeof said === 'string' || (isList(said) && said.some(isPiece))
  })
  if (who !== null && words !== undefined && isName(textAt(value, who)))
    return { kind: 'turn', who, words }
  const question = fieldOf(value, QUESTION)
  const answer = fieldOf(value, ANSWER)
  return question !== null && answer !== null ? { kind: 'pair', question, answer } : null
}

/** A part of a message's content, as the APIs write it. */
function isPiece(value: unknown): boolean {
  return typeof value === 'string' || textAt(value, 'type', 'text') !== null
}

function isName(name: string | null): boolean {
  if (name === null || name.length > LONGEST_NAME || !/\p{L}/u.test(name)) return false
  return !/[\n/\\]/u.test(name) || isModelName(name)
}

/** A list of a value that holds a conversation, with the path of names to it. */
interface FoundList {
  readonly path: string
  readonly items: readonly unknown[]
  /** The object that has the list, for its id and title. */
  readonly around: unknown
}

/** [I80] All conversations in a value, in order. A list inside one belongs to it. */
function findLists(value: unknown): readonly FoundList[] {
  const found: FoundList[] = []
  const visit = (here: unknown, path: string, around: unknown, depth: number): void => {
    if (depth > DEEPEST) return
    if (isList(here)) {
      if (here.slice(0, WIDEST).some((item) => shapeOf(item) !== null))
        found.push({ path, items: here, around })
      else for (const item of here.slice(0, WIDEST)) visit(item, path, item, depth + 1)
    } else if (isObject(here)) {
      for (const [name, member] of Object.entries(here).slice(0, WIDEST)) {
        const next = path === '' ? name : `${path}.${name}`
        if (typeof member === 'object') visit(member, next, here, depth + 1)
      }
    }
  }
  visit(value, '', value, 0)
  return found
}

/** Speaker names that identify a role, in lower case. */
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

/** [I182] Fields that say who wrote an item, and whether their truth means the user. */
const FLAGS: Readonly<Record<string, boolean>> = {
  isCreatedByUser: true,
  isUser: true,
  is_user: true,
  fromUser: true,
  from_user: true,
  isBot: false,
  is_bot: false,
  isAssistant: false,
  is_assistant: false,
  isAI: false,
}

/** [I182] The field that says who speaks, then the name; undefined for the name of a person. */
function kindOf(value: unknown, speaker: string): EventKind | undefined {
  const known = entryOf(KINDS, speaker.trim().toLowerCase())
  if (known === 'system' || known === 'tool_result') return known
  for (const [name, isUser] of Object.entries(FLAGS)) {
    const flag = own(value, name)
    if (typeof flag === 'boolean') return flag === isUser ? 'user' : 'agent'
  }
  return known ?? (isProgramName(speaker) ? 'agent' : undefined)
}

/** Assumptions about one session, each recorded once, as its first event. */
interface Assumed {
  readonly writer: SessionWriter
  readonly said: Set<string>
  readonly ref: RawRecord['ref']
}

interface Reading extends SessionsReading {
  /** The session of items outside any list. */
  loose: Assumed | null
}

function opened(id: string | null, ref: RawRecord['ref'], { writers }: Reading): Assumed {
  return { writer: writers.open(id), said: new Set(), ref }
}

/** Records an assumption in the session that first needs it. */
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
  const lists = findLists(value)
  // [I186] A line that is no message costs itself; only another conversation ends the session.
  if (lists.length > 0) reading.loose = null
  else reading.log.unusable(record, 'it holds no list of messages or of questions')
  for (const list of lists) takeList(list, record, reading)
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
  const known = kindOf(value, speaker)
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
 * [I80] Any JSON that holds lists of `{role|from, content|text|value}` or `{question, answer}`. Tried only if no format
 * recognises a file. Assumptions are recorded in the session before they are used.
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
