import { takeEnvelope } from '../shared/envelope.ts'
import {
  asText,
  compact,
  entryOf,
  has,
  isList,
  isObject,
  listAt,
  own,
  textAt,
} from '../shared/guards.ts'
import {
  byName,
  call,
  event,
  result,
  skip,
  stub,
  takeParts,
  takeSaid,
  thought,
  words,
  type PartReader,
  type PartTable,
  type Place,
  type Said,
  type Voice,
} from '../shared/said.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

/** [I137] Contents of a message are objects with one member, whose name is the type. */
const PARTS: PartTable = {
  Text: (value) => [words(asText(value) ?? textAt(value, 'text'))],
  Thinking: (value) => [thought(textAt(value, 'text'))],
  RedactedThinking: () => [thought('[redacted thinking]')],
  Image: () => [words(stub('image'))],
  Mention: (value) => [event('injected', mentionOf(value), 'mention')],
  ToolUse: (value) => [call(textAt(value, 'name'), textAt(value, 'id'), argsOf(value))],
}

const readPart: PartReader = (part) => {
  const plain = asText(part)
  if (plain !== null) return [words(plain)]
  const name = isObject(part) ? (Object.keys(part)[0] ?? 'empty') : 'untyped'
  return entryOf(PARTS, name)?.(own(part, name)) ?? name
}

/** A file or a symbol that the user mentioned, with its extracted content. */
function mentionOf(value: unknown): string {
  const uri = own(value, 'uri')
  const parts = [asText(uri) ?? compact(uri), textAt(value, 'content') ?? '']
  return parts.filter((part) => part !== '').join('\n')
}

function argsOf(use: unknown): unknown {
  return own(use, 'input') ?? own(use, 'raw_input')
}

/** Segments of messages as older versions wrote them. */
const readSegment = byName({
  text: (part) => [words(textAt(part, 'text'))],
  thinking: (part) => [thought(textAt(part, 'text'))],
  redacted_thinking: () => [thought('[redacted thinking]')],
})

function resultOf(value: unknown): Said {
  const content = own(value, 'content')
  const text = isList(content) ? content.map(textOf).join('\n') : textOf(content)
  const shown = text === '' ? compact(own(value, 'output')) : text
  return result(
    textAt(value, 'tool_name'),
    textAt(value, 'tool_use_id'),
    shown,
    own(value, 'is_error') === true,
  )
}

function textOf(content: unknown): string {
  if (has(content, 'Image')) return stub('image')
  return asText(content) ?? textAt(content, 'Text', 'text') ?? compact(content)
}

interface State {
  open: SessionWriter | null
  model: string | null
  isSub: boolean
}

type Reading = SessionsReading & State

/** A message of the current form, or of an older one. */
function isMessage(value: unknown): boolean {
  if (['User', 'Agent'].some((name) => isList(own(own(value, name), 'content')))) return true
  return isList(own(value, 'segments')) && textAt(value, 'role') !== null
}

function isThread(value: unknown): boolean {
  return listAt(value, 'messages').slice(0, 20).some(isMessage)
}

function take(record: RawRecord, reading: Reading): void {
  takeEnvelope(record, ['messages'], {
    header: (value) => openThread(value, reading),
    item: (one) => takeMessage(one, reading),
  })
}

function openThread(value: unknown, reading: Reading): void {
  const context = own(value, 'subagent_context')
  const parent = textAt(context, 'parent_thread_id')
  reading.isSub = isObject(context)
  const id = textAt(value, 'id', 'session_id')
  const thread = reading.isSub ? (id ?? 'sub-agent') : 'main'
  reading.open = reading.writers.open(id, thread, parent)
  reading.open.session.title = textAt(value, 'title', 'summary')
  reading.model = textAt(own(value, 'model'), 'model')
  for (const key of ['cumulative_token_usage', 'request_token_usage', 'initial_project_snapshot'])
    if (has(value, key)) reading.log.skip(key)
}

function takeMessage(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const writer = (reading.open ??= reading.writers.open(null))
  const place: Place = { origin: { at: null, model: null, source: ref }, writer, log: reading.log }
  const user = own(value, 'User')
  const agent = own(value, 'Agent')
  const before = writer.count()
  if (isObject(user)) takeParts(listAt(user, 'content'), readPart, userOf(reading), place)
  else if (isObject(agent)) takeAgent(agent, place, reading)
  else if (isMessage(value)) takeOlder(value, place, reading)
  else {
    reading.log.unusable(
      record,
      `not a message: ${Object.keys(value ?? {})[0]?.slice(0, 60) ?? 'it is empty'}`,
    )
    return
  }
  if (writer.count() === before) reading.log.skip('message without content')
}

function userOf({ isSub }: Reading): Voice {
  const told = { kind: 'subagent_prompt', rule: null, always: false } as const
  return isSub ? { kind: 'user', fallback: told } : { kind: 'user' }
}

/** The agent's text and calls. The results are stored next to its content. */
function takeAgent(agent: unknown, place: Place, { model }: Reading): void {
  const here = { ...place, origin: { ...place.origin, model } }
  const results = own(agent, 'tool_results')
  takeParts(listAt(agent, 'content'), readPart, { kind: 'agent' }, here)
  for (const one of isObject(results) ? Object.values(results) : [])
    takeParts([one], (value) => [resultOf(value)], { kind: 'agent' }, here)
}

function takeOlder(value: unknown, place: Place, reading: Reading): void {
  const role = textAt(value, 'role') ?? ''
  const isAgent = role === 'assistant'
  const here = { ...place, origin: { ...place.origin, model: isAgent ? reading.model : null } }
  const context = textAt(value, 'context')
  if (context !== null) takeSaid(event('injected', context, 'context'), here)
  const voice: Voice = role === 'user' ? userOf(reading) : { kind: isAgent ? 'agent' : 'system' }
  takeParts(listAt(value, 'segments'), readSegment, voice, here)
  const uses: PartReader = (use) => [call(textAt(use, 'name'), textAt(use, 'id'), argsOf(use))]
  takeParts(listAt(value, 'tool_uses'), uses, voice, here)
  takeParts(listAt(value, 'tool_results'), (one) => [resultOf(one)], voice, here)
  if (own(value, 'is_hidden') === true) takeSaid(skip('hidden message'), here)
}

/** [I137] Zed: threads of the agent panel as JSON, current and older versions. */
export const zed: Importer = {
  name: 'zed',
  label: 'Zed agent thread (JSON)',
  detect: (head) =>
    head.values.some((value) =>
      isList(value) ? value.slice(0, 50).some(isThread) : isThread(value) || isMessage(value),
    ),
  split: () => ({ by: 'records', lists: ['messages'], header: true }),
  read: readSessions<State>(() => ({ open: null, model: null, isSub: false }), take),
}
