import { draft } from '../shared/drafts.ts'
import { compact, entryOf, has, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { flatText } from '../shared/content-blocks.ts'
import { readAnyPart } from '../shared/said-parts.ts'
import {
  call,
  event,
  result,
  takeSpoken,
  takeSaid,
  timeAt,
  words,
  type PartReader,
  type Place,
  type Voice,
} from '../shared/said.ts'
import { fileStub } from '../shared/model-output.ts'
import { readSessions, type SessionsReading, type SessionWriter } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

type Take = (value: unknown, place: Place) => void

/** [I135] Records of `chat_history.jsonl` by type. */
const RECORDS: Readonly<Record<string, Take>> = {
  system: (value, place) => takeContent(value, { kind: 'system' }, place),
  user: takeUser,
  assistant: (value, place) => {
    const model = textAt(value, 'model_id')
    const here = { ...place, origin: { ...place.origin, model } }
    takeContent(value, { kind: 'agent' }, here)
    for (const one of listAt(value, 'tool_calls')) {
      const inner = isObject(own(one, 'function')) ? own(one, 'function') : one
      takeSaid(call(textAt(inner, 'name'), textAt(one, 'id'), own(inner, 'arguments')), here)
    }
  },
  reasoning: (value, place) => {
    const said = [...listAt(value, 'summary'), ...listAt(value, 'content')]
    const text = said.map((part) => textAt(part, 'text') ?? '').filter((one) => one !== '')
    takeSaid(event('reasoning', text.join('\n')), place)
  },
  tool_result: (value, place) => {
    const text = flatText(own(value, 'content'))
    takeSaid(
      result(null, textAt(value, 'tool_call_id'), text, own(value, 'is_error') === true),
      place,
    )
  },
  backend_tool_call: (value, place) => takeHosted(own(value, 'kind'), place),
}

const readPart: PartReader = (part) =>
  textAt(part, 'type') === 'image' ? [words(fileStub('image', part))] : readAnyPart(part)

function takeContent(value: unknown, voice: Voice, place: Place): void {
  const content = own(value, 'content')
  takeSpoken(content, readPart, voice, place)
}

/** Typed while the agent worked: the harness marks it as synthetic, but the user wrote it. */
const TYPED_REASONS: readonly string[] = ['interjection', 'user_interjection']

/** The user role also carries harness messages, which name their reason. */
function takeUser(value: unknown, place: Place): void {
  const stop = textAt(value, 'prior_turn_interrupt')
  if (stop !== null) takeSaid(event('interruption', stop, 'prior-turn-interrupt'), place)
  const reason = textAt(value, 'synthetic_reason')
  const isTyped = reason === null || TYPED_REASONS.includes(reason)
  const made = { kind: 'injected', rule: reason, always: true } as const
  takeContent(value, isTyped ? { kind: 'user' } : { kind: 'user', fallback: made }, place)
}

/** A tool that ran on the model's side: the call and, if present, its outcome. */
function takeHosted(kind: unknown, place: Place): void {
  const name = textAt(kind, 'tool_type')
  const id = textAt(kind, 'id')
  takeSaid(
    call(name, id, own(kind, 'action') ?? own(kind, 'arguments') ?? own(kind, 'input')),
    place,
  )
  const output = own(kind, 'output') ?? own(kind, 'result')
  if (output !== undefined && output !== null) takeSaid(result(name, id, compact(output)), place)
}

/** Records of this kind have neither ids nor times; `system` alone is also written by others. */
function isGrok(value: unknown): boolean {
  const type = textAt(value, 'type') ?? ''
  if (
    ['id', 'uuid', 'timestamp', 'message', 'sessionId', 'session_id', 'additional_kwargs'].some(
      (key) => has(value, key),
    )
  )
    return false
  if (type === 'user') return isList(own(value, 'content')) || has(value, 'prompt_index')
  if (type === 'assistant')
    return has(value, 'content') && (has(value, 'model_id') || has(value, 'tool_calls'))
  if (type === 'tool_result') return textAt(value, 'tool_call_id') !== null
  return type === 'backend_tool_call' && isObject(own(value, 'kind'))
}

/** The `summary.json` next to the history. */
function isSummary(value: unknown): boolean {
  return isObject(own(value, 'info')) && has(value, 'chat_format_version')
}

interface State {
  open: SessionWriter | null
}

type Reading = SessionsReading & State

function take(record: RawRecord, reading: Reading): void {
  const { value, ref } = record
  const writer = (reading.open ??= reading.writers.open(null))
  if (isSummary(value)) {
    takeSummary(value, writer)
    reading.log.skip('summary')
    return
  }
  const type = textAt(value, 'type') ?? ''
  const known = entryOf(RECORDS, type)
  if (known === undefined) {
    reading.log.unusable(
      record,
      `not a record of a history: its type is ${type === '' ? 'missing' : type.slice(0, 60)}`,
    )
    return
  }
  const before = writer.count()
  known(value, { origin: { at: null, model: null, source: ref }, writer, log: reading.log })
  if (writer.count() === before) reading.log.skip(`${type} without content`)
}

/** Title, folder and start; and that the first prompt is the agent's, in the session of a sub-agent. */
function takeSummary(value: unknown, { session }: SessionWriter): void {
  session.title = textAt(value, 'generated_title', 'session_summary')
  session.cwd = textAt(own(value, 'info'), 'cwd')
  session.startedAt = timeAt(value, 'created_at')
  if (own(value, 'session_kind') !== 'subagent') return
  const at = session.events.findIndex((one) => one.kind === 'user')
  const first = session.events[at]
  if (first !== undefined) session.events[at] = draft('subagent_prompt', first, first, first)
}

const HISTORY = 'chat_history.jsonl'
const SUMMARY = 'summary.json'

/** [I135] Grok Build: `chat_history.jsonl`, with the `summary.json` beside it. */
export const grok: Importer = {
  name: 'grok',
  label: 'Grok CLI session (JSONL)',
  detect: (head) => head.objects.some(isGrok),
  split: () => ({ by: 'records' }),
  read: readSessions<State>(() => ({ open: null }), take),
  companions: (name, neighbours) =>
    name === HISTORY ? neighbours.filter((file) => file === SUMMARY) : [],
  companionFolders: (name) => (name === HISTORY ? ['.'] : []),
}
