import { errorEvents, partEvents } from '../opencode/parts.ts'
import { parseJson } from '../json/value.ts'
import { freshText } from '../shared/drafts.ts'
import {
  asText,
  compact,
  entryOf,
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
  stub,
  thought,
  timeAt,
  words,
  type PartTable,
  type Said,
  type Voice,
} from '../shared/said.ts'
import {
  ready,
  skipped,
  unknown,
  unusable,
  type Dialect,
  type Facts,
  type Turn,
} from './dialect.ts'

const USER: Voice = { kind: 'user' }
const AGENT: Voice = { kind: 'agent' }

// Kiro CLI

function kiroText(content: unknown): string {
  if (!isList(content)) return compact(content)
  return content.map((part) => compact(own(part, 'data') ?? part)).join('\n')
}

/** [I196] Contents of Kiro CLI messages. `data` is a text, or an object with the fields. */
const KIRO: PartTable = {
  text: (part) => [words(textAt(part, 'data') ?? textAt(own(part, 'data'), 'text'))],
  thinking: (part) => [
    thought(textAt(own(part, 'data'), 'text', 'thinking') ?? textAt(part, 'data')),
  ],
  redactedThinking: () => [thought('[redacted thinking]')],
  toolUse: (part) => {
    const data = own(part, 'data')
    return [call(textAt(data, 'name'), textAt(data, 'toolUseId'), own(data, 'input'))]
  },
  toolResult: (part) => {
    const data = own(part, 'data')
    const isError = (textAt(data, 'status') ?? 'success').toLowerCase() === 'error'
    return [result(null, textAt(data, 'toolUseId'), kiroText(own(data, 'content')), isError)]
  },
  image: (part) => [words(stub('image', textAt(own(part, 'data'), 'format', 'mediaType')))],
}
const readKiro = byName(KIRO, 'kind')

const KIRO_VOICES: Readonly<Record<string, Voice>> = {
  Prompt: USER,
  AssistantMessage: AGENT,
  ToolResults: { kind: 'tool_result' },
  Compaction: { kind: 'summary', name: 'compaction' },
}

export const kiroCli: Dialect = {
  name: 'kiro-cli',
  label: 'Kiro CLI session (JSONL)',
  lists: [],
  knows: (value) =>
    textAt(value, 'version') !== null &&
    entryOf(KIRO_VOICES, textAt(value, 'kind') ?? '') !== undefined &&
    isObject(own(value, 'data')),
  facts: () => ({}),
  start: () => null,
  turns: (value) => {
    const kind = textAt(value, 'kind')
    if (kind === null) return unusable('not a record of Kiro CLI: it has no kind')
    const voice = entryOf(KIRO_VOICES, kind)
    if (voice === undefined) return unknown(kind)
    const data = own(value, 'data')
    const content = own(data, 'content') ?? own(data, 'summary') ?? ''
    const at = timeAt(own(data, 'meta'), 'timestamp')
    return [{ voice, content, read: readKiro, at, model: textAt(own(data, 'meta'), 'model_id') }]
  },
}

// Amazon Q

const BEGIN = '--- USER MESSAGE BEGIN ---'
const END = '--- USER MESSAGE END ---'

/** The typed text of a prompt. Old versions stored it with the context of the request. */
function typedText(prompt: string): string {
  const from = prompt.indexOf(BEGIN)
  if (from < 0) return prompt
  const start = from + BEGIN.length
  const end = prompt.indexOf(END, start)
  return prompt.slice(start, end < 0 ? undefined : end).trim()
}

function qResult(given: unknown): Said {
  const text = listAt(given, 'content')
    .map((part) => textAt(part, 'Text') ?? compact(own(part, 'Json') ?? part))
    .join('\n')
  const isError = (textAt(given, 'status') ?? '').toLowerCase() === 'error'
  return result(null, textAt(given, 'tool_use_id'), text, isError)
}

function qUser(user: unknown): readonly Turn[] {
  const content = own(user, 'content')
  const at = timeAt(user, 'timestamp')
  const results = ['ToolUseResults', 'CancelledToolUses'].flatMap((key) =>
    listAt(own(content, key), 'tool_use_results').map(qResult),
  )
  const prompts = ['Prompt', 'CancelledToolUses'].map((key) => textAt(own(content, key), 'prompt'))
  const prompt = prompts.find((text) => text !== null) ?? asText(content)
  const context = textAt(user, 'additional_context')
  const images = listAt(user, 'images').map((image) =>
    words(stub('image', textAt(image, 'format'))),
  )
  return [
    ready(USER, results, at),
    ...(context === null
      ? []
      : [{ voice: { kind: 'injected', name: 'context' } as const, content: context, at }]),
    ...(typeof prompt !== 'string' ? [] : [ready(USER, [words(typedText(prompt)), ...images], at)]),
  ]
}

function qAssistant(assistant: unknown, at: number | null, model: string | null): readonly Turn[] {
  const use = own(assistant, 'ToolUse')
  const answer = use ?? own(assistant, 'Response') ?? assistant
  const calls = listAt(use, 'tool_uses').map((one) =>
    call(textAt(one, 'name'), textAt(one, 'id'), own(one, 'args') ?? own(one, 'orig_args')),
  )
  return [ready(AGENT, [words(textAt(answer, 'content')), ...calls], at, { model })]
}

function isQEntry(value: unknown): boolean {
  if (isList(value))
    return value.length === 2 && isObject(own(value[0], 'content')) && isQAnswer(value[1])
  return isObject(own(own(value, 'user'), 'content')) && isQAnswer(own(value, 'assistant'))
}

function isQAnswer(value: unknown): boolean {
  return isObject(own(value, 'ToolUse')) || isObject(own(value, 'Response'))
}

export const amazonQ: Dialect = {
  name: 'amazon-q',
  label: 'Amazon Q or Kiro conversation (JSON)',
  lists: [],
  knows: (value) =>
    textAt(value, 'conversation_id') !== null &&
    listAt(value, 'history').slice(0, 20).some(isQEntry),
  facts: () => ({}),
  start: () => null,
  sessionsIn: (value) => {
    const history = listAt(value, 'history')
    if (!history.some(isQEntry)) return []
    const model = textAt(own(value, 'model_info'), 'model_id') ?? textAt(value, 'model')
    const facts: Facts = {
      id: textAt(value, 'conversation_id'),
      cwd: textAt(value, 'cwd', 'path'),
      model,
    }
    return [{ facts, records: history }]
  },
  turns: (value) => {
    const [user, assistant] = isList(value) ? value : [own(value, 'user'), own(value, 'assistant')]
    if (!isObject(user) && !isObject(assistant)) return unusable('neither a prompt nor an answer')
    const metadata = own(value, 'request_metadata')
    const at = timeAt(metadata, 'request_start_timestamp_ms') ?? timeAt(user, 'timestamp')
    return [...qUser(user), ...qAssistant(assistant, at, textAt(metadata, 'model_id'))]
  },
}

// OpenCode, `run --format json`

const RUN_SPEAKER = { role: 'assistant', spoken: 'user', summary: false } as const
const RUN_TYPES: readonly string[] = [
  'text',
  'reasoning',
  'tool_use',
  'step_start',
  'step_finish',
  'error',
]

export const opencodeRun: Dialect = {
  name: 'opencode-run',
  label: 'OpenCode run (JSONL)',
  lists: [],
  knows: (value) =>
    RUN_TYPES.includes(textAt(value, 'type') ?? '') &&
    textAt(value, 'sessionID') !== null &&
    (isObject(own(value, 'part')) || own(value, 'error') !== undefined),
  facts: () => ({}),
  start: () => null,
  sessionOf: (value) => textAt(value, 'sessionID'),
  turns: (value) => {
    const type = textAt(value, 'type')
    if (type === null) return unusable('not an event of OpenCode: it has no type')
    const at = timeAt(value, 'timestamp')
    const origin = { at, model: null, source: { offset: 0, length: 0, line: 1 } }
    const part = own(value, 'part')
    const error = own(value, 'error')
    const events = isObject(part)
      ? partEvents(part, origin, RUN_SPEAKER)
      : errorEvents(isObject(error) ? error : { message: compact(error) }, origin)
    if (events.length === 0) return RUN_TYPES.includes(type) ? skipped(type) : unknown(type)
    return events.map((made): Turn => {
      const text = freshText(made)
      const said: Said =
        made.kind === 'tool_call'
          ? call(made.name, made.callId, text)
          : made.kind === 'tool_result'
            ? result(made.name, made.callId, text, made.isError)
            : event(made.kind, text, made.name)
      return ready(AGENT, [said], at)
    })
  },
}

// Antigravity

/** Content of an element, and the text around it. */
function elementOf(
  text: string,
  name: string,
): { readonly inside: string; readonly around: string } | null {
  const opening = `<${name}>`
  const closing = `</${name}>`
  const open = text.indexOf(opening)
  const close = open < 0 ? -1 : text.indexOf(closing, open)
  if (close < 0) return null
  const inside = text.slice(open + opening.length, close).trim()
  return { inside, around: (text.slice(0, open) + text.slice(close + closing.length)).trim() }
}

interface Steps {
  /** Calls without a result, oldest first. */
  readonly waiting: Array<{ readonly id: string; readonly name: string | null }>
  made: number
}

function antigravityCalls(value: unknown, state: Steps): readonly Said[] {
  return listAt(value, 'tool_calls').map((one) => {
    const name = textAt(one, 'name')
    state.made += 1
    const id = textAt(one, 'id') ?? `call-${state.made}`
    state.waiting.push({ id, name })
    const args = own(one, 'args') ?? own(one, 'arguments')
    return call(name, id, typeof args === 'string' ? (parseJson(args) ?? args) : args)
  })
}

/** [I197] Steps that are not the result of a tool. */
const STEP_VOICES: Readonly<Record<string, Voice>> = {
  PLANNER_RESPONSE: AGENT,
  GENERATE_RESPONSE: AGENT,
  NOTIFY_USER: AGENT,
  EPHEMERAL_MESSAGE: { kind: 'injected', name: 'ephemeral' },
  SYSTEM_MESSAGE: { kind: 'injected', name: 'system-message' },
  CONVERSATION_HISTORY: { kind: 'injected', name: 'history' },
  KNOWLEDGE_ARTIFACTS: { kind: 'injected', name: 'knowledge' },
  CHECKPOINT: { kind: 'summary', name: 'checkpoint' },
  ERROR_MESSAGE: { kind: 'system', name: 'error' },
}

function antigravityTurns(value: unknown, state: Steps): ReturnType<Dialect['turns']> {
  const type = textAt(value, 'type')
  const source = textAt(value, 'source') ?? ''
  if (type === null) return unusable('not a step of Antigravity: it has no type')
  const at = timeAt(value, 'created_at')
  const text = textAt(value, 'content') ?? ''
  if (type === 'USER_INPUT') return requestTurns(text, at)
  const calls = antigravityCalls(value, state)
  const said = [thought(textAt(value, 'thinking')), ...calls]
  const voice = entryOf(STEP_VOICES, type)
  if (voice !== undefined)
    return [
      ready(AGENT, [said[0] ?? thought(null)], at),
      { voice, content: text, at },
      ready(AGENT, calls, at),
    ]
  if (source !== 'MODEL')
    return [{ voice: { kind: 'injected', name: type.toLowerCase() }, content: text, at }]
  // A step that ran a tool: its content is the result.
  const of = text === '' ? undefined : state.waiting.shift()
  const isError = ['ERROR', 'FAILED', 'CANCELED', 'CANCELLED'].includes(
    textAt(value, 'status') ?? '',
  )
  const error = textAt(value, 'error')
  const shown = text === '' ? (error ?? '') : text
  const done =
    shown === ''
      ? []
      : [result(of?.name ?? type.toLowerCase(), of?.id ?? null, shown, isError || error !== null)]
  return [ready(AGENT, [...said, ...done], at)]
}

function requestTurns(text: string, at: number | null): readonly Turn[] {
  const request = elementOf(text, 'USER_REQUEST')
  if (request === null) return [{ voice: USER, content: text, at }]
  return [
    { voice: USER, content: request.inside, at },
    { voice: { kind: 'injected', name: 'metadata' }, content: request.around, at },
  ]
}

export const antigravity: Dialect<Steps> = {
  name: 'antigravity',
  label: 'Antigravity transcript (JSONL)',
  lists: [],
  knows: (value) =>
    typeof own(value, 'step_index') === 'number' &&
    textAt(value, 'source') !== null &&
    textAt(value, 'type') !== null,
  facts: () => ({}),
  start: () => ({ waiting: [], made: 0 }),
  turns: antigravityTurns,
}
