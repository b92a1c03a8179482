import { has, idText, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { htmlText, withoutEntities } from '../shared/html-text.ts'
import { stub, timeAt, type Voice } from '../shared/said.ts'
import { skipped, unusable, type Dialect, type Outcome, type Turn } from './dialect.ts'

/** The parts of a chat message that services name differently. */
interface ChatMessage {
  /** Name of the member or bot. */
  readonly who: string
  readonly isBot: boolean
  /** A message of the service: a member joined, a topic changed. */
  readonly isNotice: boolean
  readonly text: string
  /** Placeholders for files. */
  readonly files: readonly string[]
  readonly at: number | null
  readonly model?: string | null
}

function turnsOf({ who, isBot, isNotice, text, files, at, model = null }: ChatMessage): Outcome {
  const content = [text, ...files].filter((part) => part.trim() !== '').join('\n')
  if (content === '') return skipped('message without content')
  const voice: Voice = isNotice
    ? { kind: 'notification', name: 'chat notice' }
    : { kind: isBot ? 'agent' : 'user', name: who }
  const turn: Turn = { voice, content, at, model }
  return [turn]
}

const someOf = (is: (value: unknown) => boolean) => (values: readonly unknown[]) =>
  values.slice(0, 50).some(is)

// Slack

/** Subtypes that a member or a bot wrote. */
const WRITTEN: ReadonlyArray<string | null> = [
  null,
  'bot_message',
  'thread_broadcast',
  'file_share',
  'me_message',
  'file_comment',
]

const SLACK_TIME = /^\d{9,11}\.\d{1,9}$/

function isSlackMessage(value: unknown): boolean {
  if (own(value, 'type') !== 'message' || !SLACK_TIME.test(textAt(value, 'ts') ?? '')) return false
  return typeof own(value, 'text') === 'string' || has(value, 'blocks') || has(value, 'files')
}

function slackName(value: unknown): string {
  const profile = own(value, 'user_profile') ?? own(value, 'bot_profile')
  const shown = textAt(profile, 'real_name', 'display_name', 'name')
  return shown ?? textAt(value, 'username', 'user', 'bot_id') ?? 'unknown'
}

/** Text of attachments that bots write instead of a text. */
function slackAttached(value: unknown): string {
  const texts = listAt(value, 'attachments').map((one) => textAt(one, 'text', 'fallback') ?? '')
  return texts.filter((text) => text !== '').join('\n')
}

/** [I200] Slack: a day of an exported channel, or messages of its interface. */
export const slack: Dialect = {
  name: 'slack',
  label: 'Slack export (JSON)',
  lists: ['messages'],
  knows: (value) => isSlackMessage(value) || someOf(isSlackMessage)(listAt(value, 'messages')),
  facts: (value) => ({
    id: textAt(value, 'channel_id', 'channel', 'id'),
    title: textAt(value, 'name'),
  }),
  start: () => null,
  newestFirst: true,
  turns: (value) => {
    if (own(value, 'type') !== 'message') return unusable('not a message of Slack')
    const subtype = textAt(value, 'subtype')
    const bot = textAt(value, 'bot_id') !== null || subtype === 'bot_message'
    const text = withoutEntities(textAt(value, 'text') ?? '')
    return turnsOf({
      who: slackName(value),
      isBot: bot,
      isNotice: !WRITTEN.includes(subtype),
      text: text === '' ? withoutEntities(slackAttached(value)) : text,
      files: listAt(value, 'files').map((file) =>
        stub('file', textAt(file, 'mimetype'), textAt(file, 'name', 'title')),
      ),
      at: timeAt({ ts: Number(textAt(value, 'ts')) }, 'ts'),
    })
  },
}

// Discord

/** Types of messages that members write, by name and by number. */
const DISCORD_WRITTEN: readonly unknown[] = [
  'Default',
  'Reply',
  0,
  19,
  20,
  23,
  'ChatInputCommand',
  'ContextMenuCommand',
]

function isDiscordMessage(value: unknown): boolean {
  const author = own(value, 'author')
  if (!isObject(author) || idText(own(author, 'id')) === null) return false
  return (
    typeof own(value, 'content') === 'string' &&
    has(value, 'timestamp') &&
    has(value, 'attachments')
  )
}

function embedText(embed: unknown): string {
  const texts = [textAt(embed, 'title'), textAt(embed, 'description'), textAt(embed, 'url')]
  return texts.find((text) => text !== null) ?? ''
}

/** [I200] Discord: an exported channel, or messages of its interface. */
export const discord: Dialect = {
  name: 'discord',
  label: 'Discord export (JSON)',
  lists: ['messages'],
  knows: (value) =>
    isDiscordMessage(value) ||
    (isObject(value) && someOf(isDiscordMessage)(listAt(value, 'messages'))) ||
    (has(value, 'guild') && has(value, 'channel') && isList(own(value, 'messages'))),
  facts: (value) => {
    const channel = own(value, 'channel')
    return { id: textAt(channel, 'id'), title: textAt(channel, 'name') }
  },
  start: () => null,
  newestFirst: true,
  turns: (value) => {
    const author = own(value, 'author')
    if (!isObject(author)) return unusable('not a message of Discord: it has no author')
    const text = textAt(value, 'content') ?? ''
    const type = own(value, 'type') ?? 0
    return turnsOf({
      who: textAt(author, 'nickname', 'global_name', 'name', 'username') ?? 'unknown',
      isBot: own(author, 'isBot') === true || own(author, 'bot') === true,
      isNotice: !DISCORD_WRITTEN.includes(type),
      text: text === '' ? listAt(value, 'embeds').map(embedText).join('\n') : text,
      files: listAt(value, 'attachments').map((file) =>
        stub('file', textAt(file, 'content_type'), textAt(file, 'fileName', 'filename')),
      ),
      at: timeAt(value, 'timestamp'),
    })
  },
}

// Teams

function isTeamsMessage(value: unknown): boolean {
  return (
    textAt(value, 'messageType') !== null &&
    isObject(own(value, 'body')) &&
    textAt(value, 'createdDateTime') !== null
  )
}

function textOfBody(body: unknown): string {
  const content = textAt(body, 'content') ?? ''
  return textAt(body, 'contentType')?.toLowerCase() === 'html' ? htmlText(content) : content
}

/** [I200] Microsoft Teams: messages of a chat or channel, as Microsoft Graph lists them. */
export const teams: Dialect = {
  name: 'teams',
  label: 'Microsoft Teams messages (JSON)',
  lists: ['value', 'messages'],
  knows: (value) =>
    isTeamsMessage(value) ||
    ['value', 'messages'].some((key) => someOf(isTeamsMessage)(listAt(value, key))),
  facts: () => ({}),
  start: () => null,
  newestFirst: true,
  sessionOf: (value) =>
    textAt(value, 'chatId') ?? textAt(own(value, 'channelIdentity'), 'channelId'),
  turns: (value) => {
    const from = own(value, 'from')
    const body = own(value, 'body')
    if (!isObject(body)) return unusable('not a message of Teams: it has no body')
    if (textAt(value, 'deletedDateTime') !== null) return skipped('deleted message')
    const user = own(from, 'user')
    const application = own(from, 'application')
    const who = [user, application, own(from, 'device')].find(isObject)
    const attached = listAt(value, 'attachments').filter((file) => textAt(file, 'name') !== null)
    return turnsOf({
      who: textAt(who, 'displayName', 'id') ?? 'unknown',
      isBot: !isObject(user) && isObject(application),
      isNotice: textAt(value, 'messageType') !== 'message' || who === undefined,
      text: textOfBody(body),
      files: attached.map((file) =>
        stub('file', textAt(file, 'contentType'), textAt(file, 'name')),
      ),
      at: timeAt(value, 'createdDateTime'),
    })
  },
}

// SillyTavern

function isTavernMessage(value: unknown): boolean {
  return typeof own(value, 'is_user') === 'boolean' && typeof own(value, 'mes') === 'string'
}

const isTavernHeader = (value: unknown) =>
  has(value, 'chat_metadata') && textAt(value, 'user_name') !== null

/** [I200] SillyTavern: a chat, its header and then a message a line. */
export const sillyTavern: Dialect = {
  name: 'sillytavern',
  label: 'SillyTavern chat (JSONL)',
  lists: [],
  knows: (value) => isTavernMessage(value) || isTavernHeader(value),
  facts: () => ({}),
  start: () => null,
  learn: (value) =>
    isTavernHeader(value)
      ? { title: textAt(value, 'character_name'), startedAt: timeAt(value, 'create_date') }
      : {},
  turns: (value) => {
    if (!isTavernMessage(value))
      return has(value, 'chat_metadata')
        ? skipped('header')
        : unusable('not a message of SillyTavern')
    const extra = own(value, 'extra')
    const at = timeAt(value, 'send_date', 'gen_finished')
    const isUser = own(value, 'is_user') === true
    const said = turnsOf({
      who: textAt(value, 'name') ?? 'unknown',
      isBot: !isUser,
      // Messages of the program itself have a type. A message that is only hidden from the model has none.
      isNotice: own(value, 'is_system') === true && textAt(extra, 'type') !== null,
      text: textAt(value, 'mes') ?? '',
      files: ['image', 'file']
        .filter((key) => has(extra, key))
        .map((key) => stub(key, textAt(own(extra, key), 'name'))),
      at,
      model: isUser ? null : textAt(extra, 'model'),
    })
    const thinking = textAt(extra, 'reasoning')
    const before: readonly Turn[] =
      thinking === null ? [] : [{ voice: { kind: 'reasoning' }, content: thinking, at }]
    return 'as' in said ? said : [...before, ...said]
  },
}
