import type { EventKind } from '../../schema/event-kind.ts'
import { parseJson } from '../json/value.ts'
import { takeChatMessage } from '../shared/chat-message.ts'
import { flatText } from '../shared/content-blocks.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import {
  compact,
  entryOf,
  epoch,
  idText,
  isList,
  isObject,
  own,
  textAt,
  type JsonObject,
} from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { isProgramName } from '../shared/speakers.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

/** [I27] Event kinds by speaker in the ShareGPT dialects. Any other speaker becomes `meta` under its name. */
const KINDS: Readonly<Record<string, EventKind>> = {
  human: 'user',
  user: 'user',
  prompter: 'user',
  gpt: 'agent',
  assistant: 'agent',
  chatgpt: 'agent',
  bard: 'agent',
  bing: 'agent',
  bot: 'agent',
  model: 'agent',
  system: 'system',
  function_call: 'tool_call',
  tool_call: 'tool_call',
  observation: 'tool_result',
  tool: 'tool_result',
  function: 'tool_result',
  function_response: 'tool_result',
  tool_response: 'tool_result',
  ipython: 'tool_result',
}

const LISTS = ['conversations', 'conversation']

function speakerOf(value: unknown): string | null {
  return textAt(value, 'from', 'role')
}

function wordsOf(value: unknown): unknown {
  return own(value, 'value') ?? own(value, 'content') ?? own(value, 'text')
}

/** `{from, value}`; `role` and `content` count only in a list named as ShareGPT's. */
function isTurn(value: unknown, strict: boolean): boolean {
  if (strict) return textAt(value, 'from') !== null && typeof own(value, 'value') === 'string'
  const speaker = speakerOf(value)
  return (
    speaker !== null && (wordsOf(value) !== undefined || own(value, 'tool_calls') !== undefined)
  )
}

function listOf(value: unknown): readonly unknown[] | null {
  if (isList(value)) return value
  for (const key of LISTS) {
    const list = own(value, key)
    if (isList(list)) return list
  }
  return null
}

function isSession(value: unknown): boolean {
  if (isList(value)) return isTurn(value[0], true)
  const list = listOf(value)
  return list !== null && isTurn(list[0], false)
}

interface Reading extends SessionsReading {
  /** Session of bare turns. */
  loose: SessionWriter | null
}

function takeRecord(record: RawRecord, reading: Reading): void {
  const list = listOf(record.value)
  if (list === null) {
    reading.loose ??= reading.writers.open(null)
    takeTurn(record, reading.loose, reading.log)
  } else takeSession(record, list, reading)
}

/** Fields of training data beside the turns, which are counted. */
const BESIDE = ['tools', 'label', 'kto_tag', 'images', 'videos', 'audios']

/** [I27] One session an item. The answer that was not chosen is a branch that was left. */
function takeSession(record: RawRecord, list: readonly unknown[], reading: Reading): void {
  const { value, ref } = record
  const { log, writers } = reading
  reading.loose = null
  const writer = writers.open(idText(own(value, 'id')))
  writer.session.title = textAt(value, 'title')
  const model = textAt(value, 'model')
  const system = textAt(value, 'system', 'system_prompt')
  const origin: Origin = { at: null, model: null, source: ref }
  if (system !== null) writer.push(draft('system', system, origin))
  for (const item of list) takeTurn({ value: item, ref }, writer, log, model)
  const chosen = own(value, 'chosen')
  if (isTurn(chosen, false)) takeTurn({ value: chosen, ref }, writer, log, model)
  const rejected = own(value, 'rejected')
  if (isTurn(rejected, false)) {
    const branch = writers.open(null, 'branch-1', writer.session.id)
    takeTurn({ value: rejected, ref }, branch, log, model)
  }
  if (list.length === 0) log.skip('session without turns')
  for (const key of BESIDE) if (own(value, key) !== undefined) log.skip(key)
}

function takeTurn(
  { value, ref }: RawRecord,
  writer: SessionWriter,
  log: ImportLog,
  model: string | null = null,
): void {
  const speaker = speakerOf(value)
  if (!isObject(value) || speaker === null) {
    log.unusable({ value, ref }, 'not a turn: it has no speaker')
    return
  }
  const kind = entryOf(KINDS, speaker) ?? (isProgramName(speaker) ? 'agent' : 'meta')
  const at = epoch(own(value, 'timestamp'))
  const origin: Origin = { at, model: kind === 'agent' ? model : null, source: ref }
  const before = writer.count()
  const words = wordsOf(value)
  if (kind === 'tool_call') takeCall(words, origin, writer)
  else if (kind === 'tool_result') takeResult(value, words, origin, writer)
  else {
    const name = textAt(value, 'name') ?? (kind === 'meta' ? speaker : null)
    const message = messageOf(value, words)
    takeChatMessage(message, { kind, name }, origin, writer)
  }
  if (writer.count() === before) log.skip(`${speaker} without content`)
}

function messageOf(value: JsonObject, content: unknown): unknown {
  return { content, tool_calls: own(value, 'tool_calls'), reasoning: own(value, 'reasoning') }
}

/** `{"name": …, "arguments": …}` in a text, or a list of them. Any other text is shown unchanged. */
function takeCall(words: unknown, origin: Origin, writer: SessionWriter): void {
  const value = typeof words === 'string' ? (parseJson(words) ?? words) : words
  for (const call of isList(value) ? value : [value]) {
    const name = textAt(call, 'name')
    const args = own(call, 'arguments') ?? own(call, 'parameters')
    const shown = args === undefined ? (call === value ? words : call) : args
    writer.push(draft('tool_call', compact(shown), origin, { name }))
  }
}

/** Turns have no call ids: a result belongs to the call before it. */
function takeResult(
  value: JsonObject,
  words: unknown,
  origin: Origin,
  writer: SessionWriter,
): void {
  const last = writer.session.events.at(-1)
  const before = last?.kind === 'tool_call' || last?.kind === 'tool_result' ? last.name : null
  const name = textAt(value, 'name') ?? before
  writer.push(draft('tool_result', flatText(words), origin, { name }))
}

/** ShareGPT: `conversations` of `from` and `value`, with the names that its dialects use. */
export const shareGpt: Importer = {
  name: 'sharegpt',
  label: 'ShareGPT conversations',
  detect: (head) =>
    head.values.some((value) => {
      if (isTurn(value, true) || isSession(value)) return true
      return isList(value) && isSession(value[0])
    }),
  split: () => ({ by: 'records', arrays: true }),
  read: readSessions(() => ({ loose: null }), takeRecord),
}
