import { entryOf, has, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { stub, timeAt, type Voice } from '../shared/said.ts'
import {
  errorTurn,
  skipped,
  unknown,
  unusable,
  type Dialect,
  type Facts,
  type Turn,
} from './dialect.ts'
import { isGeminiContent, readGeminiPart } from './gemini-parts.ts'

/** The first value under one of the names that JSON and Python give a field. */
function field(value: unknown, ...names: readonly string[]): unknown {
  return names
    .map((name) => own(value, name))
    .find((found) => found !== undefined && found !== null)
}

const BEFORE: Voice = { kind: 'system' }

function instruction(value: unknown): readonly Turn[] {
  const given = field(value, 'systemInstruction', 'system_instruction')
  if (given === undefined) return []
  const content = own(given, 'parts') ?? given
  return [{ voice: BEFORE, content: isObject(content) ? [content] : content, read: readGeminiPart }]
}

/** [I191] An event of an ADK session. */
function isAdkEvent(value: unknown): boolean {
  if (textAt(value, 'author') === null) return false
  return textAt(value, 'invocationId', 'invocation_id') !== null
}

function isAdkSession(value: unknown): boolean {
  if (textAt(value, 'appName', 'app_name') === null) return false
  const events = own(value, 'events')
  return isList(events) && (events.length === 0 || events.slice(0, 50).some(isAdkEvent))
}

function adkTurns(value: unknown): ReturnType<Dialect['turns']> {
  const author = textAt(value, 'author')
  if (author === null) return unusable('not an event of an ADK session: it has no author')
  // Pieces of a streamed answer; the whole answer follows.
  if (own(value, 'partial') === true) return skipped('partial')
  const at = timeAt(value, 'timestamp')
  const model = textAt(value, 'modelVersion', 'model_version')
  const content = own(value, 'content')
  const isUser = author === 'user'
  const voice: Voice = isUser ? { kind: 'user' } : { kind: 'agent', name: author }
  const turns: Turn[] = []
  const parts = own(content, 'parts')
  if (isList(parts))
    turns.push({ voice, content: parts, read: readGeminiPart, at, model: isUser ? null : model })
  else if (typeof content === 'string') turns.push({ voice, content, at })
  const error = textAt(value, 'errorMessage', 'error_message', 'errorCode', 'error_code')
  if (error !== null) turns.push(errorTurn(error, at))
  if (own(value, 'interrupted') === true)
    turns.push({ voice: { kind: 'interruption' }, content: 'interrupted', at })
  return turns.length === 0 ? skipped('event without content') : turns
}

/** [I191] Google ADK: a session with its events, a list of events, or an event a line. */
export const adk: Dialect = {
  name: 'adk',
  label: 'Google ADK session (JSON, JSONL)',
  lists: ['events'],
  knows: (value) => isAdkSession(value) || isAdkEvent(value),
  facts: (value) => ({
    id: textAt(value, 'id', 'sessionId', 'session_id'),
    title: textAt(value, 'displayName', 'title'),
  }),
  start: () => null,
  turns: adkTurns,
  sessionOf: (value) => textAt(value, 'session_id', 'sessionId'),
}

const ROLES: Readonly<Record<string, Voice>> = {
  user: { kind: 'user' },
  model: { kind: 'agent' },
  function: { kind: 'tool_result' },
  system: { kind: 'system' },
}

/** Requests, answers and pairs of both, as logs and batches of the interface have them. */
const REQUEST = 'contents'

function requestOf(value: unknown): unknown {
  return isList(own(value, REQUEST)) ? value : own(value, 'request')
}

function answersOf(value: unknown): readonly unknown[] {
  const response = own(value, 'response')
  return listAt(response === undefined ? value : response, 'candidates')
}

function isCall(value: unknown): boolean {
  const contents = listAt(requestOf(value), REQUEST)
  if (contents.length > 0) return contents.slice(0, 50).some(isGeminiContent)
  return answersOf(value).some((candidate) => isGeminiContent(own(candidate, 'content')))
}

function contentTurn(
  content: unknown,
  model: string | null = null,
  at: number | null = null,
): Turn {
  const role = textAt(content, 'role') ?? 'user'
  const voice = entryOf(ROLES, role) ?? { kind: 'meta', name: role }
  return { voice, content: own(content, 'parts'), read: readGeminiPart, model, at }
}

function geminiTurns(value: unknown): ReturnType<Dialect['turns']> {
  if (isGeminiContent(value)) return [contentTurn(value)]
  const request = requestOf(value)
  const response = own(value, 'response') ?? value
  const model = textAt(response, 'modelVersion', 'model_version') ?? textAt(value, 'model')
  const at = timeAt(response, 'createTime', 'create_time')
  const contents = listAt(request, REQUEST).map((content) =>
    typeof content === 'string'
      ? { voice: { kind: 'user' as const }, content }
      : contentTurn(content),
  )
  const [first] = answersOf(value)
  const answer = own(first, 'content')
  const answered = isObject(answer)
    ? [{ ...contentTurn({ role: 'model', ...answer }, model, at) }]
    : []
  const error = textAt(own(value, 'error'), 'message') ?? textAt(value, 'status')
  const failed: readonly Turn[] =
    error === null || answered.length > 0 ? [] : [errorTurn(error, null)]
  const turns = [...instruction(request), ...contents, ...answered, ...failed]
  return turns.length === 0 ? unusable('neither a content nor a request of the Gemini API') : turns
}

/** [I191] Gemini API: requests (`contents`), and with their answers (`candidates`). */
export const geminiContents: Dialect = {
  name: 'gemini-contents',
  label: 'Gemini API contents (JSON, JSONL)',
  // The whole request is one record, so that each line is a session.
  lists: [],
  knows: isCall,
  facts: () => ({}),
  start: () => null,
  sessionsIn: (value) => (isCall(value) ? [{ facts: {}, records: [value] }] : []),
  turns: geminiTurns,
}

function isStudioPrompt(value: unknown): boolean {
  return isList(own(own(value, 'chunkedPrompt'), 'chunks')) && has(value, 'runSettings')
}

const DRIVE_FILES = ['driveDocument', 'driveImage', 'driveVideo', 'driveAudio', 'inlineFile']

function chunkTurn(chunk: unknown, model: string | null): Turn {
  const role = textAt(chunk, 'role') ?? 'user'
  const voice = entryOf(ROLES, role) ?? { kind: 'meta', name: role }
  const at = timeAt(chunk, 'createTime')
  const file = DRIVE_FILES.find((key) => has(chunk, key))
  if (file !== undefined) {
    const content = stub(file, textAt(own(chunk, file), 'id'))
    return { voice: { kind: 'injected', name: 'attachment' }, content, at }
  }
  if (own(chunk, 'isThought') === true)
    return { voice: { kind: 'reasoning' }, content: textAt(chunk, 'text') ?? '', at }
  const content = listAt(chunk, 'parts').length > 0 ? own(chunk, 'parts') : [chunk]
  const isText = typeof own(chunk, 'text') === 'string'
  return {
    voice,
    at,
    model: voice.kind === 'agent' ? model : null,
    ...(isText ? { content: own(chunk, 'text') } : { content, read: readGeminiPart }),
  }
}

/** [I191] Google AI Studio: a prompt as Drive keeps it. */
export const aiStudio: Dialect = {
  name: 'ai-studio',
  label: 'Google AI Studio prompt (JSON)',
  lists: [],
  knows: isStudioPrompt,
  facts: (): Facts => ({}),
  start: () => null,
  turns: (value) => {
    const chunks = listAt(own(value, 'chunkedPrompt'), 'chunks')
    if (chunks.length === 0 && !isStudioPrompt(value)) return unknown('record without chunks')
    const model = textAt(own(value, 'runSettings'), 'model')
    return [...instruction(value), ...chunks.map((chunk) => chunkTurn(chunk, model))]
  },
}
