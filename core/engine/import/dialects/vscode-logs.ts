import { parseJson } from '../json/value.ts'
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
  call,
  event,
  result,
  skip,
  thought,
  timeAt,
  words,
  type PartReader,
  type Voice,
} from '../shared/said.ts'
import { readAnyPart } from '../shared/said-parts.ts'
import {
  errorTurn,
  ready,
  skipped,
  unknown,
  unusable,
  type Dialect,
  type Facts,
  type Turn,
} from './dialect.ts'

const AGENT: Voice = { kind: 'agent' }

/** Lists in lists are not read deeper than this, so that a hostile file cannot fill the stack. */
const MAX_DEPTH = 20

/** Text of a response: a text, a list of texts, or parts with a text. */
function textOf(value: unknown, depth = 0): string {
  if (!isList(value) || depth > MAX_DEPTH)
    return asText(value) ?? textAt(value, 'text', 'value') ?? compact(value)
  return value.map((item) => textOf(item, depth + 1)).join('')
}

// Chat replay

/** Requests that the editor makes for itself. */
const SIDE_REQUESTS =
  /^(?:title|progressMessages|prompt[A-Z]|debugCommand|settings|summarize|copilotLanguageModelWrapper|intent|gitDiff|chatVariables)/u

const SYSTEM_ROLES: readonly unknown[] = [0, 'system']

function systemTurns(log: unknown, state: Replay, at: number | null): readonly Turn[] {
  const messages = listAt(own(log, 'requestMessages'), 'messages')
  const first = messages.find((message) => SYSTEM_ROLES.includes(own(message, 'role')))
  const content = own(first, 'content')
  const text = first === undefined ? '' : textOf(content)
  if (text === '' || text === state.system) return []
  state.system = text
  return [{ voice: { kind: 'system' }, content: text, at }]
}

interface Replay {
  system: string | null
}

function requestTurns(log: unknown, state: Replay): ReturnType<Dialect['turns']> {
  const metadata = own(log, 'metadata')
  const at = timeAt(metadata, 'endTime', 'startTime')
  const begun = timeAt(metadata, 'startTime') ?? at
  const model = textAt(metadata, 'model')
  const response = own(log, 'response')
  const name = textAt(log, 'name') ?? ''
  const text = textOf(own(response, 'message') ?? own(response, 'value') ?? '')
  if (SIDE_REQUESTS.test(name))
    return text === '' ? skipped(name) : [{ voice: { kind: 'meta', name }, content: text, at }]
  const type = textAt(response, 'type') ?? 'success'
  const isFailed = type !== 'success' && type !== 'truncated'
  const reason = textAt(response, 'reason') ?? textAt(own(log, 'error'), 'message')
  const failed =
    isFailed || reason !== null ? [event('system', reason ?? (text || type), 'error')] : []
  const said = isFailed ? [] : [thought(textAt(own(response, 'thinking'), 'text')), words(text)]
  return [...systemTurns(log, state, begun), ready(AGENT, [...said, ...failed], at, { model })]
}

function toolTurns(log: unknown): ReturnType<Dialect['turns']> {
  const at = timeAt(log, 'time')
  const name = textAt(log, 'tool', 'name')
  const id = textAt(log, 'id')
  const error = textAt(log, 'error')
  const made = call(name, id, own(log, 'args'))
  const answered = has(log, 'response') || error !== null
  const text = error ?? listText(own(log, 'response'))
  const thinking = textOf(own(own(log, 'thinking'), 'text') ?? '')
  return [
    ready(
      AGENT,
      [thought(thinking), made, ...(answered ? [result(name, id, text, error !== null)] : [])],
      at,
    ),
  ]
}

function listText(value: unknown): string {
  return isList(value) ? value.map((item) => textOf(item)).join('\n') : textOf(value ?? '')
}

/** Converters of logs, by kind. */
const LOGS: Readonly<
  Record<string, (log: unknown, state: Replay) => ReturnType<Dialect['turns']>>
> = {
  request: requestTurns,
  toolCall: toolTurns,
  element: () => skipped('element'),
}

const isReplayPrompt = (value: unknown) =>
  typeof own(value, 'prompt') === 'string' && isList(own(value, 'logs'))

/** [I198] VS Code: the prompt logs of a chat as they are exported. */
export const chatReplay: Dialect<Replay> = {
  name: 'vscode-chatreplay',
  label: 'VS Code chat replay (JSON)',
  lists: [],
  knows: (value) =>
    isReplayPrompt(value) || listAt(value, 'prompts').slice(0, 20).some(isReplayPrompt),
  facts: () => ({}),
  start: () => ({ system: null }),
  sessionsIn: (value) => {
    const prompts = isReplayPrompt(value) ? [value] : listAt(value, 'prompts')
    if (!prompts.some(isReplayPrompt)) return []
    const records = prompts.flatMap((prompt) => [
      {
        kind: 'prompt',
        text: textAt(prompt, 'prompt') ?? '',
        logs: listAt(prompt, 'logs').slice(0, 5),
      },
      ...listAt(prompt, 'logs'),
    ])
    return [{ facts: {}, records }]
  },
  turns: (value, state) => {
    const kind = textAt(value, 'kind')
    if (kind === null) return unusable('not a log of a chat: it has no kind')
    if (kind !== 'prompt') return entryOf(LOGS, kind)?.(value, state) ?? unknown(kind)
    const times = listAt(value, 'logs').map(
      (log) => timeAt(own(log, 'metadata'), 'startTime') ?? timeAt(log, 'time'),
    )
    return [
      {
        voice: { kind: 'user' },
        content: textAt(value, 'text') ?? '',
        at: times.find((time) => time !== null) ?? null,
      },
    ]
  },
}

// Debug log

/** Parts of a response; calls have their own records. */
const readResponse: PartReader = (part) =>
  textAt(part, 'type') === 'tool_call' ? [skip('tool_call part')] : readAnyPart(part)

interface Debug {
  model: string | null
}

function responseTurns(value: unknown, attrs: unknown, state: Debug): readonly Turn[] {
  const at = timeAt(value, 'ts')
  const { model } = state
  const given = own(attrs, 'response')
  const parsed = typeof given === 'string' ? parseJson(given) : given
  const messages = isList(parsed) ? parsed : null
  const thinking = ready(AGENT, [thought(textAt(attrs, 'reasoning'))], at, { model })
  // A long response is cut off, so that it is no JSON any more.
  if (messages === null) return [thinking, { voice: AGENT, content: compact(given), at, model }]
  const hasThought = textAt(attrs, 'reasoning') !== null
  const turns = messages.map((message): Turn => {
    const parts = own(message, 'parts') ?? own(message, 'content') ?? [message]
    const read: PartReader = (part) =>
      hasThought && textAt(part, 'type') === 'reasoning'
        ? [skip('reasoning part')]
        : readResponse(part)
    return { voice: AGENT, content: parts, read, at, model }
  })
  return [thinking, ...turns]
}

type TakeSpan = (value: unknown, attrs: unknown, state: Debug) => ReturnType<Dialect['turns']>

/** [I199] Records of the debug log, by type. */
const SPANS: Readonly<Record<string, TakeSpan>> = {
  user_message: (value, attrs) => [
    { voice: { kind: 'user' }, content: textAt(attrs, 'content') ?? '', at: timeAt(value, 'ts') },
  ],
  agent_response: responseTurns,
  tool_call: (value, attrs) => {
    const name = textAt(value, 'name')
    const id = textAt(value, 'spanId')
    const error = textAt(attrs, 'error')
    const isError = error !== null || own(value, 'status') === 'error'
    const said = [call(name, id, own(attrs, 'args'))]
    const output = textAt(attrs, 'result') ?? error
    if (output !== null || isError) said.push(result(name, id, output ?? 'error', isError))
    return [ready(AGENT, said, timeAt(value, 'ts'))]
  },
  llm_request: (value, attrs, state) => {
    state.model = textAt(attrs, 'model') ?? state.model
    const error = textAt(attrs, 'error')
    return error === null ? skipped('llm_request') : [errorTurn(error, timeAt(value, 'ts'))]
  },
  subagent: (value, attrs) => {
    const text = textAt(attrs, 'description', 'agentName') ?? textAt(value, 'name') ?? ''
    return [{ voice: { kind: 'meta', name: 'subagent' }, content: text, at: timeAt(value, 'ts') }]
  },
}

const BOOKKEEPING: readonly string[] = [
  'session_start',
  'session_end',
  'turn_start',
  'turn_end',
  'child_session_ref',
  'discovery',
  'hook',
  'generic',
]

/** [I199] VS Code: the debug log of its agent, a span a line. */
export const vscodeDebugLog: Dialect<Debug> = {
  name: 'vscode-debug-log',
  label: 'VS Code agent debug log (JSONL)',
  lists: [],
  knows: (value) =>
    typeof own(value, 'ts') === 'number' &&
    textAt(value, 'sid') !== null &&
    textAt(value, 'spanId') !== null &&
    isObject(own(value, 'attrs')) &&
    textAt(value, 'type') !== null,
  facts: (): Facts => ({}),
  start: () => ({ model: null }),
  sessionOf: (value) => textAt(value, 'sid'),
  turns: (value, state) => {
    const type = textAt(value, 'type')
    if (type === null) return unusable('not a span of the debug log: it has no type')
    if (BOOKKEEPING.includes(type)) return skipped(type)
    return entryOf(SPANS, type)?.(value, own(value, 'attrs'), state) ?? unknown(type)
  },
}
