import type { EventKind } from '../schema/event.ts'
import { flatText } from './blocks.ts'
import { takeChatMessage } from './chat-message.ts'
import { draft, type Origin } from './drafts.ts'
import { compact, epoch, isList, isObject, own, text, type JsonObject } from './guards.ts'
import type { Head } from './head.ts'
import type { Ledger } from './ledger.ts'
import type { Importer, RawRecord, Reader } from './source.ts'
import { createTalks, type Talk, type Talks } from './talks.ts'

/** [I27] What the speakers of the many ShareGPT dialects are. Another one is `meta` under its name. */
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
  return text(own(value, 'from')) ?? text(own(value, 'role'))
}

function wordsOf(value: unknown): unknown {
  return own(value, 'value') ?? own(value, 'content') ?? own(value, 'text')
}

/** `{from, value}`; `role` and `content` count only in a list named as ShareGPT's. */
function isTurn(value: unknown, strict: boolean): boolean {
  if (strict) return text(own(value, 'from')) !== null && typeof own(value, 'value') === 'string'
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

function detect(head: Head): boolean {
  return head.values.some((value) => {
    if (isTurn(value, true) || isSession(value)) return true
    return isList(value) && isSession(value[0])
  })
}

interface Reading {
  readonly ledger: Ledger
  readonly talks: Talks
  /** Session of bare turns. */
  loose: Talk | null
}

function read(ledger: Ledger): Reader {
  const talks = createTalks()
  const reading: Reading = { ledger, talks, loose: null }
  return {
    take(record) {
      const list = listOf(record.value)
      if (list === null) {
        reading.loose ??= talks.open(null)
        takeTurn(record, reading.loose, ledger)
      } else takeSession(record, list, reading)
    },
    drafts: talks.drafts,
  }
}

/** What stands beside the turns of training data is counted. */
const BESIDE = ['tools', 'label', 'kto_tag', 'images', 'videos', 'audios']

/** [I27] One session an item. The answer that was not chosen is a branch that was left. */
function takeSession(record: RawRecord, list: readonly unknown[], reading: Reading): void {
  const { value, ref } = record
  const { ledger, talks } = reading
  reading.loose = null
  const id = own(value, 'id')
  const talk = talks.open(typeof id === 'number' ? String(id) : text(id))
  talk.session.title = text(own(value, 'title'))
  const model = text(own(value, 'model'))
  const system = text(own(value, 'system')) ?? text(own(value, 'system_prompt'))
  const origin: Origin = { at: null, model: null, source: ref }
  if (system !== null) talk.push(draft('system', system, origin))
  for (const item of list) takeTurn({ value: item, ref }, talk, ledger, model)
  const chosen = own(value, 'chosen')
  if (isTurn(chosen, false)) takeTurn({ value: chosen, ref }, talk, ledger, model)
  const rejected = own(value, 'rejected')
  if (isTurn(rejected, false)) {
    const branch = talks.open(null, 'branch-1', talk.session.id)
    takeTurn({ value: rejected, ref }, branch, ledger, model)
  }
  if (list.length === 0) ledger.skip('session without turns')
  for (const key of BESIDE) if (own(value, key) !== undefined) ledger.skip(key)
}

function takeTurn(
  { value, ref }: RawRecord,
  talk: Talk,
  ledger: Ledger,
  model: string | null = null,
): void {
  const speaker = speakerOf(value)
  if (!isObject(value) || speaker === null) {
    const place = { ...ref, text: compact(value).slice(0, 400) }
    ledger.problem('unknown_shape', place, 'not a turn: nobody speaks')
    return
  }
  const kind = Object.hasOwn(KINDS, speaker) ? (KINDS[speaker] ?? 'meta') : 'meta'
  const origin: Origin = {
    at: epoch(own(value, 'timestamp')),
    model: kind === 'agent' ? model : null,
    source: ref,
  }
  const before = talk.said()
  const words = wordsOf(value)
  if (kind === 'tool_call') takeCall(words, origin, talk)
  else if (kind === 'tool_result') takeResult(value, words, origin, talk)
  else {
    const name = text(own(value, 'name')) ?? (kind === 'meta' ? speaker : null)
    const message = messageOf(value, words)
    const target = { push: talk.push, calls: talk.calls, skip: ledger.skip }
    takeChatMessage(message, { kind, name }, origin, target)
  }
  if (talk.said() === before) ledger.skip(`${speaker} without content`)
}

function messageOf(value: JsonObject, content: unknown): unknown {
  return { content, tool_calls: own(value, 'tool_calls'), reasoning: own(value, 'reasoning') }
}

/** `{"name": …, "arguments": …}` in a text, or a list of them; a text that is neither is shown as it stands. */
function takeCall(words: unknown, origin: Origin, talk: Talk): void {
  let value = words
  try {
    if (typeof words === 'string') value = JSON.parse(words)
  } catch {
    // Shown as it stands.
  }
  for (const call of isList(value) ? value : [value]) {
    const name = text(own(call, 'name'))
    const args = own(call, 'arguments') ?? own(call, 'parameters')
    const shown = args === undefined ? (call === value ? words : call) : args
    talk.push(draft('tool_call', compact(shown), origin, { name }))
  }
}

/** Turns have no call ids: a result belongs to the call before it. */
function takeResult(value: JsonObject, words: unknown, origin: Origin, talk: Talk): void {
  const last = talk.session.events.at(-1)
  const before = last?.kind === 'tool_call' || last?.kind === 'tool_result' ? last.name : null
  const name = text(own(value, 'name')) ?? before
  talk.push(draft('tool_result', flatText(words), origin, { name }))
}

/** ShareGPT: `conversations` of `from` and `value`, with the names that its dialects use. */
export const shareGpt: Importer = {
  name: 'sharegpt',
  label: 'ShareGPT conversations',
  detect,
  split: () => ({ by: 'records', arrays: true }),
  read,
}
