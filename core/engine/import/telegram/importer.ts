import type { EventKind } from '../../schema/event-kind.ts'
import type { Head } from '../head.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { firstRecords } from '../shared/envelope.ts'
import {
  epoch,
  has,
  idText,
  isList,
  isObject,
  listAt,
  numberIn,
  own,
  textAt,
  type JsonObject,
} from '../shared/guards.ts'
import { readRuns, type RunsReading, type SessionWriter } from '../shared/session-writer.ts'
import { isModelName } from '../shared/speakers.ts'
import type { Importer, RawRecord } from '../source.ts'

const CHATS =
  /^(?:saved_messages|personal_chat|bot_chat|(?:private|public)_(?:group|supergroup|channel))$/
/** Names that only programs have. WhatsApp exports use the same test. */
const BOT = /^(?:chatgpt|assistant|ai assistant|claude|gemini|copilot|.{0,60}bot)$/iu

interface Chat {
  readonly writer: SessionWriter
  readonly type: string
  readonly name: string
}
type Reading = RunsReading<Chat>

function isChat(value: unknown): boolean {
  const type = own(value, 'type')
  return typeof type === 'string' && CHATS.test(type) && has(value, 'id')
}

/** The export of a whole account: `{chats: {list: […]}, left_chats: {list: […]}}`. */
function chatsOf(value: unknown): readonly unknown[] {
  return ['chats', 'left_chats'].flatMap((key) => listAt(own(value, key), 'list'))
}

function isAccount(value: unknown): boolean {
  return chatsOf(value).some(isChat)
}

function openChat(value: JsonObject, _record: RawRecord, reading: Reading): void {
  const name = textAt(value, 'name') ?? 'Saved messages'
  reading.writers.finish()
  const writer = reading.writers.open(idText(own(value, 'id')))
  writer.session.title = name
  reading.run = { writer, type: textAt(value, 'type') ?? '', name }
}

/** [I81] Text is a string, or a list of strings and marked pieces (`{type, text}`). */
function wordsOf(text: unknown): string {
  if (typeof text === 'string') return text
  if (!isList(text)) return ''
  return text
    .map((piece) => (typeof piece === 'string' ? piece : (textAt(piece, 'text') ?? '')))
    .join('')
}

function stubOf(message: JsonObject): string {
  const media = textAt(message, 'media_type', 'mime_type')
  if (has(message, 'photo')) return '[image photo]'
  if (media !== null || has(message, 'file')) return `[file ${media ?? 'attached'}]`
  return ''
}

function kindOf(speaker: string, { type, name }: Chat): EventKind {
  return (type === 'bot_chat' && speaker === name) || BOT.test(speaker) || isModelName(speaker)
    ? 'agent'
    : 'user'
}

function takeMessage({ value, ref }: RawRecord, reading: Reading): void {
  if (isAccount(value)) {
    for (const chat of chatsOf(value)) takeChat({ value: chat, ref }, reading)
    return
  }
  const { log, run } = reading
  if (!isObject(value) || run === null) {
    log.unusable({ value, ref }, 'not a message of a Telegram chat')
    return
  }
  const seconds = numberIn(own(value, 'date_unixtime'))
  const at = epoch(Number.isFinite(seconds) ? seconds : own(value, 'date'))
  const origin: Origin = { at, model: null, source: ref }
  if (own(value, 'type') === 'service') {
    const text = [textAt(value, 'actor'), textAt(value, 'action')?.replaceAll('_', ' ')]
    const said = text.filter((part) => part !== null && part !== undefined).join(': ')
    run.writer.push(draft('notification', said, origin, { name: 'chat notice' }))
    return
  }
  const speaker = textAt(value, 'from') ?? 'deleted account'
  const text = [wordsOf(own(value, 'text')), stubOf(value)].filter((part) => part !== '').join('\n')
  if (text === '') log.skip('message without content')
  else run.writer.push(draft(kindOf(speaker, run), text, origin, { name: speaker }))
}

function takeChat({ value, ref }: RawRecord, reading: Reading): void {
  if (!isObject(value)) return
  openChat(value, { value, ref }, reading)
  for (const message of listAt(value, 'messages')) takeMessage({ value: message, ref }, reading)
}

function isWholeAccount(head: Head): boolean {
  return head.layout === 'document' && isAccount(head.values[0])
}

/** [I81] Telegram Desktop: the export of one chat, or of an account with all of them. */
export const telegram: Importer = {
  name: 'telegram',
  label: 'Telegram Desktop export',
  detect: (head) => firstRecords(head.values).some((value) => isChat(value) || isAccount(value)),
  split: ({ head }) =>
    isWholeAccount(head)
      ? { by: 'document' }
      : { by: 'records', lists: ['messages'], header: true },
  read: readRuns<Chat>(['messages'], { header: openChat, item: takeMessage }),
}
