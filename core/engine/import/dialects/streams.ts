import type { SourceRef } from '../../schema/event.ts'
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
import { call, result, stub, timeAt, words, type PartReader, type Voice } from '../shared/said.ts'
import { readAnyPart } from '../shared/said-parts.ts'
import {
  errorTurn,
  ready,
  USED,
  skipped,
  unknown,
  unusable,
  type Dialect,
  type Outcome,
  type Turn,
} from './dialect.ts'

// Streams write a message in pieces. A message is complete when its end or another message comes.

/** A message whose pieces are still coming. */
interface Growing {
  readonly id: string
  /** Place of the first piece with text. */
  source: SourceRef
  readonly voice: Voice
  readonly at: number | null
  /** Without empty ones. */
  readonly pieces: string[]
}

interface GrowingCall {
  readonly source: SourceRef
  readonly name: string | null
  readonly at: number | null
  readonly pieces: string[]
}

interface Stream {
  growing: Growing | null
  readonly calls: Map<string, GrowingCall>
  /** Ids of messages and calls that were shown: snapshots repeat them. */
  readonly shown: Set<string>
  /** Calls with their result. */
  readonly answered: Set<string>
}

const startStream = (): Stream => ({
  growing: null,
  calls: new Map(),
  shown: new Set(),
  answered: new Set(),
})

const AGENT: Voice = { kind: 'agent' }

function turnOf({ voice, at, pieces, source }: Growing): Turn {
  return { voice, content: pieces.join(''), at, source }
}

/** Ends the message in progress. */
function flush(state: Stream): readonly Turn[] {
  const { growing } = state
  state.growing = null
  return growing === null ? [] : [turnOf(growing)]
}

function endCall(id: string, state: Stream): readonly Turn[] {
  const made = state.calls.get(id)
  if (made === undefined) return []
  state.calls.delete(id)
  state.shown.add(id)
  return [
    ready(AGENT, [call(made.name, id, made.pieces.join(''))], made.at, { source: made.source }),
  ]
}

function pendingOf({ growing, calls }: Stream): readonly Turn[] {
  const open = [...calls].map(([id, { name, at, pieces, source }]) =>
    ready(AGENT, [call(name, id, pieces.join(''))], at, { source }),
  )
  return [...(growing === null ? [] : [turnOf(growing)]), ...open]
}

/** Adds a piece to the message of an id. */
function grow(piece: Omit<Growing, 'pieces'>, text: string, state: Stream): Outcome {
  state.shown.add(piece.id)
  if (state.growing?.id === piece.id) {
    if (text === '') return USED
    if (state.growing.pieces.length === 0) state.growing.source = piece.source
    state.growing.pieces.push(text)
    return USED
  }
  const before = flush(state)
  state.growing = { ...piece, pieces: text === '' ? [] : [text] }
  return before.length === 0 ? USED : before
}

// AG-UI

const SPEAKERS: Readonly<Record<string, Voice>> = {
  user: { kind: 'user' },
  assistant: AGENT,
  system: { kind: 'system' },
  developer: { kind: 'system' },
  tool: { kind: 'tool_result' },
  reasoning: { kind: 'reasoning' },
}
const speakerOf = (role: string | null): Voice =>
  entryOf(SPEAKERS, role ?? 'assistant') ?? { kind: 'meta', name: role }

/** Messages of a snapshot or of the input of a run, without those that were shown. */
function messagesOf(
  messages: readonly unknown[],
  at: number | null,
  state: Stream,
): readonly Turn[] {
  return messages.flatMap((message): readonly Turn[] => {
    const id = textAt(message, 'id')
    const callId = textAt(message, 'toolCallId', 'tool_call_id')
    const isKnown = id !== null && state.shown.has(id)
    if (isKnown || (callId !== null && state.answered.has(callId))) return []
    if (id !== null) state.shown.add(id)
    const content = own(message, 'content')
    if (callId !== null) {
      state.answered.add(callId)
      const error = textAt(message, 'error')
      return [ready(AGENT, [result(null, callId, error ?? compact(content), error !== null)], at)]
    }
    const calls = [...listAt(message, 'toolCalls'), ...listAt(message, 'tool_calls')].flatMap(
      (one) => {
        const made = textAt(one, 'id')
        if (made !== null && state.shown.has(made)) return []
        if (made !== null) state.shown.add(made)
        const inner = own(one, 'function')
        return [ready(AGENT, [call(textAt(inner, 'name'), made, own(inner, 'arguments'))], at)]
      },
    )
    const voice = speakerOf(textAt(message, 'role'))
    return [
      {
        voice,
        content: isList(content) ? content : (asText(content) ?? ''),
        read: readAnyPart,
        at,
      },
      ...calls,
    ]
  })
}

type TakeEvent = (value: unknown, at: number | null, state: Stream, ref: SourceRef) => Outcome

function piece(voiceFor: (value: unknown) => Voice, prefix = ''): TakeEvent {
  return (value, at, state, source) => {
    const id = `${prefix}${textAt(value, 'messageId') ?? 'message'}`
    return grow(
      { id, voice: voiceFor(value), at, source },
      textAt(value, 'delta', 'content') ?? '',
      state,
    )
  }
}

const textPiece = piece((value) => speakerOf(textAt(value, 'role')))
const thoughtPiece = piece(() => ({ kind: 'reasoning' }), 'thought-')
/** Continues the message that a start record opened, whose role it has. */
const morePiece: TakeEvent = (value, at, state, source) => {
  const { growing } = state
  const id = textAt(value, 'messageId') ?? growing?.id ?? 'message'
  const voice = growing?.id === id ? growing.voice : AGENT
  return grow({ id, voice, at, source }, textAt(value, 'delta', 'content') ?? '', state)
}

const ends: TakeEvent = (_value, _at, state) => {
  const turns = flush(state)
  return turns.length === 0 ? USED : turns
}

const callPiece: TakeEvent = (value, at, state, source) => {
  const id = textAt(value, 'toolCallId')
  if (id === null) return unusable('a call without toolCallId')
  const before = flush(state)
  const made = state.calls.get(id) ?? {
    name: textAt(value, 'toolCallName'),
    at,
    source,
    pieces: [],
  }
  state.calls.set(id, made)
  made.pieces.push(textAt(value, 'delta') ?? '')
  return before.length === 0 ? USED : before
}

const history =
  (listOf: (value: unknown) => readonly unknown[], name: string): TakeEvent =>
  (value, at, state) => {
    const turns = [...flush(state), ...messagesOf(listOf(value), at, state)]
    return turns.length === 0 ? skipped(name) : turns
  }

/** [I203] Events of AG-UI, by type. */
const EVENTS: Readonly<Record<string, TakeEvent>> = {
  TEXT_MESSAGE_START: textPiece,
  TEXT_MESSAGE_CONTENT: morePiece,
  TEXT_MESSAGE_CHUNK: (value, at, state, ref) =>
    textAt(value, 'role') === null
      ? morePiece(value, at, state, ref)
      : textPiece(value, at, state, ref),
  TEXT_MESSAGE_END: ends,
  THINKING_TEXT_MESSAGE_START: thoughtPiece,
  THINKING_TEXT_MESSAGE_CONTENT: thoughtPiece,
  THINKING_TEXT_MESSAGE_END: ends,
  REASONING_MESSAGE_START: thoughtPiece,
  REASONING_MESSAGE_CONTENT: thoughtPiece,
  REASONING_MESSAGE_CHUNK: thoughtPiece,
  REASONING_MESSAGE_END: ends,
  TOOL_CALL_START: callPiece,
  TOOL_CALL_ARGS: callPiece,
  TOOL_CALL_CHUNK: callPiece,
  TOOL_CALL_END: (value, _at, state) => [
    ...flush(state),
    ...endCall(textAt(value, 'toolCallId') ?? '', state),
  ],
  TOOL_CALL_RESULT: (value, at, state) => {
    const id = textAt(value, 'toolCallId')
    const before = [...flush(state), ...(id === null ? [] : endCall(id, state))]
    if (id !== null) state.answered.add(id)
    return [...before, ready(AGENT, [result(null, id, compact(own(value, 'content')))], at)]
  },
  MESSAGES_SNAPSHOT: history((value) => listAt(value, 'messages'), 'MESSAGES_SNAPSHOT'),
  RUN_STARTED: history((value) => listAt(own(value, 'input'), 'messages'), 'RUN_STARTED'),
  RUN_FINISHED: (_value, _at, state) => {
    const turns = [...flush(state), ...[...state.calls.keys()].flatMap((id) => endCall(id, state))]
    return turns.length === 0 ? skipped('RUN_FINISHED') : turns
  },
  RUN_ERROR: (value, at, state) => [
    ...flush(state),
    errorTurn(textAt(value, 'message', 'code') ?? 'error', at),
  ],
}

const COUNTED = /^(?:STATE|STEP|RAW|CUSTOM|THINKING|REASONING|ACTIVITY)(?:_[A-Z_]+)?$/u
const OTHER_TYPES: readonly string[] = [
  'STATE_SNAPSHOT',
  'STATE_DELTA',
  'STEP_STARTED',
  'STEP_FINISHED',
  'THINKING_START',
  'THINKING_END',
]

/** Events that name an id of the protocol: types alone are not enough. */
const IDS = ['threadId', 'runId', 'messageId', 'toolCallId']

function isAgUi(value: unknown): boolean {
  const type = textAt(value, 'type')
  if (type === null) return false
  if (entryOf(EVENTS, type) === undefined) return OTHER_TYPES.includes(type)
  return (
    IDS.some((key) => textAt(value, key) !== null) || has(value, 'messages') || has(value, 'delta')
  )
}

const isRunInput = (value: unknown) =>
  textAt(value, 'threadId') !== null &&
  textAt(value, 'runId') !== null &&
  isList(own(value, 'messages'))

/** [I203] AG-UI: a stream of events, and the input of a run. */
export const agUi: Dialect<Stream> = {
  name: 'ag-ui',
  label: 'AG-UI events (JSONL, JSON)',
  lists: [],
  knows: (value) => isAgUi(value) || (isRunInput(value) && has(value, 'forwardedProps')),
  facts: () => ({}),
  start: startStream,
  sessionOf: (value) => textAt(value, 'threadId'),
  pending: pendingOf,
  turns: (value, state, ref) => {
    const at = timeAt(value, 'timestamp')
    const type = textAt(value, 'type')
    if (type === null)
      return isRunInput(value)
        ? messagesOf(listAt(value, 'messages'), at, state)
        : unusable('not an event of AG-UI: it has no type')
    const take = entryOf(EVENTS, type)
    if (take !== undefined) return take(value, at, state, ref)
    return COUNTED.test(type) ? skipped(type) : unknown(type)
  },
}

// Agent Client Protocol

/** The message of a record: loggers put it under a field beside its direction and time. */
function rpcOf(value: unknown): unknown {
  if (textAt(value, 'jsonrpc') !== null) return value
  const inner = ['message', 'msg', 'data', 'payload', 'rpc'].map((key) => own(value, key))
  return inner.find((one) => textAt(one, 'jsonrpc') !== null)
}

const ACP_METHOD = /^(?:session|fs|terminal)\//u

function isAcp(value: unknown): boolean {
  const rpc = rpcOf(value)
  const method = textAt(rpc, 'method') ?? ''
  if (method === 'session/update')
    return textAt(own(own(rpc, 'params'), 'update'), 'sessionUpdate') !== null
  return method === 'session/prompt' && isList(own(own(rpc, 'params'), 'prompt'))
}

/** [I204] A block of content of the protocol. */
const readBlock: PartReader = (block) => {
  const type = textAt(block, 'type')
  if (type === 'resource_link')
    return [words(stub('file', textAt(block, 'mimeType'), textAt(block, 'uri', 'name')))]
  if (type === 'resource') {
    const resource = own(block, 'resource')
    return [
      {
        as: 'event',
        kind: 'injected',
        text: textAt(resource, 'text') ?? stub('file', textAt(resource, 'uri')),
        name: 'resource',
      },
    ]
  }
  if (type === 'image' || type === 'audio') return [words(stub(type, textAt(block, 'mimeType')))]
  return readAnyPart(block)
}

/** Output of a tool: texts, file changes, terminals. */
function toolOutput(update: unknown): string {
  const texts = listAt(update, 'content').map((item) => {
    const content = own(item, 'content')
    const path = textAt(item, 'path')
    if (path !== null) return `${path}\n${textAt(item, 'newText') ?? ''}`
    return textAt(content, 'text') ?? textAt(item, 'terminalId') ?? compact(content ?? item)
  })
  const shown = texts.join('\n')
  const raw = own(update, 'rawOutput')
  return shown !== '' ? shown : (textAt(raw, 'output', 'stdout', 'text') ?? compact(raw))
}

interface Acp extends Stream {
  /** Text of prompts that clients echo as chunks. */
  readonly prompts: Set<string>
}

const CHUNKS: Readonly<Record<string, Voice>> = {
  user_message_chunk: { kind: 'user' },
  agent_message_chunk: AGENT,
  agent_thought_chunk: { kind: 'reasoning' },
}

interface Update {
  readonly name: string
  readonly at: number | null
  readonly source: SourceRef
}

function chunkTurns(update: unknown, { name, at, source }: Update, state: Acp): Outcome | null {
  const voice = entryOf(CHUNKS, name)
  if (voice === undefined) return null
  const content = own(update, 'content')
  const text = textAt(content, 'text')
  if (voice.kind === 'user' && text !== null && state.prompts.has(text))
    return skipped('echo of the prompt')
  if (text !== null) return grow({ id: name, voice, at, source }, text, state)
  return [
    ...flush(state),
    { voice, content: isObject(content) ? [content] : '', read: readBlock, at },
  ]
}

const FAILED: readonly string[] = ['failed', 'cancelled', 'canceled']

function toolTurns(update: unknown, { at, source }: Omit<Update, 'name'>, state: Acp): Outcome {
  const id = textAt(update, 'toolCallId')
  if (id === null) return unusable('a tool call without toolCallId')
  const turns = [...flush(state)]
  const known = state.calls.get(id)
  const name = known?.name ?? textAt(update, 'title', 'kind')
  const input = own(update, 'rawInput')
  // A call is shown when its input is there; agents send it first without, then with it.
  const isEmpty =
    input === undefined || input === null || (isObject(input) && Object.keys(input).length === 0)
  const status = textAt(update, 'status') ?? ''
  const isEnd = status === 'completed' || FAILED.includes(status)
  if (!state.shown.has(id)) {
    if (isEmpty && !isEnd)
      state.calls.set(id, {
        name,
        at: known?.at ?? at,
        source: known?.source ?? source,
        pieces: [],
      })
    else {
      state.calls.delete(id)
      state.shown.add(id)
      turns.push(ready(AGENT, [call(name, id, input ?? own(update, 'locations'))], known?.at ?? at))
    }
  }
  if (isEnd && !state.answered.has(id)) {
    state.answered.add(id)
    turns.push(
      ready(AGENT, [result(name, id, toolOutput(update) || status, FAILED.includes(status))], at),
    )
  }
  return turns.length === 0 ? USED : turns
}

const PLAN = [
  'plan',
  'current_mode_update',
  'available_commands_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
]

function updateTurns(update: unknown, at: number | null, state: Acp, source: SourceRef): Outcome {
  const name = textAt(update, 'sessionUpdate') ?? 'untyped'
  const chunk = chunkTurns(update, { name, at, source }, state)
  if (chunk !== null) return chunk
  if (name === 'tool_call' || name === 'tool_call_update')
    return toolTurns(update, { at, source }, state)
  return PLAN.includes(name) ? skipped(name) : unknown(name)
}

function promptTurns(params: unknown, at: number | null, state: Acp): Outcome {
  const prompt = listAt(params, 'prompt')
  for (const block of prompt) {
    const text = textAt(block, 'text')
    if (text !== null) state.prompts.add(text)
  }
  return [...flush(state), { voice: { kind: 'user' }, content: prompt, read: readBlock, at }]
}

/** The answer of a call: an error, or how a turn ended. */
function answerTurns(rpc: unknown, at: number | null, state: Acp): Outcome {
  const error = textAt(own(rpc, 'error'), 'message')
  const stop = textAt(own(rpc, 'result'), 'stopReason')
  const turns: Turn[] = [...flush(state)]
  if (error !== null) turns.push(errorTurn(error, at))
  if (stop === 'cancelled')
    turns.push({ voice: { kind: 'interruption' }, content: 'cancelled', at })
  return turns.length === 0 ? skipped('answer') : turns
}

/** [I204] Agent Client Protocol: the messages between an editor and an agent, a line each. */
export const acp: Dialect<Acp> = {
  name: 'acp',
  label: 'Agent Client Protocol (JSONL)',
  lists: [],
  knows: isAcp,
  facts: () => ({}),
  start: () => ({ ...startStream(), prompts: new Set() }),
  sessionOf: (value) => textAt(own(rpcOf(value), 'params'), 'sessionId'),
  pending: pendingOf,
  turns: (value, state, ref) => {
    const rpc = rpcOf(value)
    if (rpc === undefined) return unusable('not a message of the protocol: it has no jsonrpc')
    const at = timeAt(value, 'timestamp', 'time', 'ts', 'at')
    const method = textAt(rpc, 'method')
    const params = own(rpc, 'params')
    if (method === 'session/update') return updateTurns(own(params, 'update'), at, state, ref)
    if (method === 'session/prompt') return promptTurns(params, at, state)
    if (method === null) return answerTurns(rpc, at, state)
    return ACP_METHOD.test(method) || method === 'initialize' || method === 'authenticate'
      ? skipped(method)
      : unknown(method)
  },
}
