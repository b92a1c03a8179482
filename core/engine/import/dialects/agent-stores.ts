import { parseJson } from '../json/value.ts'
import { compact, entryOf, has, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import {
  byName,
  call,
  event,
  result,
  skip,
  stub,
  thought,
  timeAt,
  words,
  type PartTable,
  type Said,
  type Voice,
} from '../shared/said.ts'
import { ready, skipped, unusable, type Dialect, type Turn } from './dialect.ts'

// Sessions of databases, as the host makes records of their rows (I206).

const USER: Voice = { kind: 'user' }
const AGENT: Voice = { kind: 'agent' }

function parsed(value: unknown): unknown {
  return typeof value === 'string' ? (parseJson(value) ?? value) : value
}

// Cursor

/** Bubbles of a composer, in the order of its headers. Older versions keep them in the composer. */
function bubblesOf(value: unknown): readonly unknown[] {
  const composer = own(value, 'composerData')
  const kept = listAt(composer, 'conversation')
  const bubbles = listAt(value, 'bubbles')
  if (bubbles.length === 0) return kept
  const headers = listAt(composer, 'fullConversationHeadersOnly').map((header) =>
    textAt(header, 'bubbleId'),
  )
  const places = new Map(headers.map((id, at) => [id, at]))
  const placeOf = (bubble: unknown) => places.get(textAt(bubble, 'bubbleId')) ?? headers.length
  return bubbles.toSorted(
    (a, b) =>
      placeOf(a) - placeOf(b) || (timeAt(a, 'createdAt') ?? 0) - (timeAt(b, 'createdAt') ?? 0),
  )
}

function toolOf(bubble: unknown): readonly Said[] {
  const tool = own(bubble, 'toolFormerData')
  const name = textAt(tool, 'name')
  if (name === null) return []
  const id = textAt(tool, 'toolCallId')
  const made = call(name, id, textAt(tool, 'rawArgs', 'params') ?? own(tool, 'params'))
  const status = textAt(tool, 'status') ?? ''
  const isError = status === 'error' || status === 'cancelled' || status === 'rejected'
  const output = own(tool, 'result') ?? own(tool, 'error')
  const isOpen = (output === undefined || output === null || output === '') && !isError
  return isOpen ? [made] : [made, result(name, id, compact(output) || status, isError)]
}

function bubbleTurns(bubble: unknown): ReturnType<Dialect['turns']> {
  const type = own(bubble, 'type')
  const at =
    timeAt(bubble, 'createdAt') ??
    timeAt(own(bubble, 'timingInfo'), 'clientStartTime', 'clientEndTime')
  const text = textAt(bubble, 'text', 'rawText') ?? ''
  if (type === 1 || type === 'user') return [{ voice: USER, content: text, at }]
  if (type !== 2 && type !== 'ai')
    return unusable('a bubble whose type is neither the user nor the agent')
  const thinking = own(bubble, 'thinking')
  const said = [
    thought(textAt(thinking, 'text') ?? (typeof thinking === 'string' ? thinking : null)),
    words(text),
    ...toolOf(bubble),
  ]
  const model = textAt(own(bubble, 'modelInfo'), 'modelName') ?? textAt(bubble, 'modelType')
  return [ready(AGENT, said, at, { model })]
}

/** [I206] Cursor: composers and chats of its database. */
export const cursorStore: Dialect = {
  name: 'cursor-store',
  label: 'Cursor database',
  lists: [],
  knows: (value) =>
    (isObject(own(value, 'composerData')) && isList(own(value, 'bubbles'))) ||
    isList(own(own(value, 'chatTab'), 'bubbles')),
  facts: () => ({}),
  start: () => null,
  sessionsIn: (value) => {
    const tab = own(value, 'chatTab')
    if (isObject(tab))
      return [
        {
          facts: {
            id: textAt(tab, 'tabId'),
            title: textAt(tab, 'chatTitle'),
            startedAt: timeAt(tab, 'lastSendTime'),
          },
          records: listAt(tab, 'bubbles'),
        },
      ]
    const composer = own(value, 'composerData')
    if (!isObject(composer)) return []
    const model = textAt(own(composer, 'modelConfig'), 'modelName')
    const facts = {
      id: textAt(composer, 'composerId'),
      title: textAt(composer, 'name'),
      startedAt: timeAt(composer, 'createdAt'),
      model,
    }
    return [{ facts, records: bubblesOf(value) }]
  },
  turns: bubbleTurns,
}

// Crush

const dataOf = (part: unknown): unknown => own(part, 'data')

const CRUSH: PartTable = {
  text: (part) => [words(textAt(dataOf(part), 'text'))],
  reasoning: (part) => [thought(textAt(dataOf(part), 'thinking'))],
  tool_call: (part) => {
    const data = dataOf(part)
    return [call(textAt(data, 'name'), textAt(data, 'id'), own(data, 'input'))]
  },
  tool_result: (part) => {
    const data = dataOf(part)
    const text = compact(own(data, 'content'))
    return [
      result(
        textAt(data, 'name'),
        textAt(data, 'tool_call_id'),
        text,
        own(data, 'is_error') === true,
      ),
    ]
  },
  image_url: (part) => [words(stub('image', textAt(dataOf(part), 'url')))],
  binary: (part) => [
    words(
      stub(
        'file',
        textAt(dataOf(part), 'MIMEType', 'mime_type'),
        textAt(dataOf(part), 'Path', 'path'),
      ),
    ),
  ],
  finish: (part) => {
    const reason = textAt(dataOf(part), 'reason') ?? ''
    if (reason === 'canceled') return [event('interruption', 'canceled')]
    return reason === 'error'
      ? [event('system', textAt(dataOf(part), 'message', 'details') ?? 'error', 'error')]
      : [skip('finish')]
  },
}
const readCrush = byName(CRUSH)

const ROLES: Readonly<Record<string, Voice>> = {
  user: USER,
  assistant: AGENT,
  tool: { kind: 'tool_result' },
  system: { kind: 'system' },
}

/** [I206] Crush: sessions of its database. */
export const crushStore: Dialect = {
  name: 'crush-store',
  label: 'Crush database',
  lists: [],
  knows: (value) => isObject(own(value, 'crush')) && isList(own(value, 'messages')),
  facts: () => ({}),
  start: () => null,
  sessionsIn: (value) => {
    const session = own(value, 'crush')
    if (!isObject(session)) return []
    const facts = {
      id: textAt(session, 'id'),
      title: textAt(session, 'title'),
      startedAt: timeAt(session, 'created_at'),
    }
    return [{ facts, records: listAt(value, 'messages') }]
  },
  turns: (value) => {
    const role = textAt(value, 'role')
    if (role === null) return unusable('not a message of Crush: it has no role')
    const voice = entryOf(ROLES, role) ?? { kind: 'meta', name: role }
    const model = voice.kind === 'agent' ? textAt(value, 'model') : null
    return [
      {
        voice,
        content: listAt(value, 'parts'),
        read: readCrush,
        at: timeAt(value, 'created_at'),
        model,
      },
    ]
  },
}

// Warp

function warpInput(input: unknown, at: number | null): readonly Turn[] {
  const query = own(input, 'Query')
  if (query !== undefined) return [{ voice: USER, content: textAt(query, 'text') ?? '', at }]
  const done = own(input, 'ActionResult')
  if (done === undefined) return []
  const said = [result(null, textAt(done, 'id', 'action_id'), compact(own(done, 'result') ?? done))]
  return [ready(AGENT, said, at)]
}

/** [I206] Warp: queries of its database. Answers are in a binary form that is not read. */
export const warpStore: Dialect = {
  name: 'warp-store',
  label: 'Warp database',
  lists: [],
  knows: (value) => isObject(own(value, 'warp')) && isList(own(value, 'queries')),
  facts: () => ({}),
  start: () => null,
  sessionsIn: (value) => {
    const conversation = own(value, 'warp')
    if (!isObject(conversation)) return []
    const queries = listAt(value, 'queries')
    return [
      {
        facts: {
          id: textAt(conversation, 'conversation_id'),
          cwd: textAt(queries[0], 'working_directory'),
        },
        records: queries,
      },
    ]
  },
  turns: (value) => {
    const input = parsed(own(value, 'input'))
    const at = timeAt(value, 'start_ts')
    if (!has(value, 'input')) return unusable('not a query of Warp: it has no input')
    const turns = (isList(input) ? input : [input]).flatMap((one) => warpInput(one, at))
    return turns.length === 0 ? skipped('query without text') : turns
  },
}
