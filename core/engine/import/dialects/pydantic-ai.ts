import { asText, compact, has, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import {
  byName,
  call,
  event,
  result,
  stub,
  thought,
  timeAt,
  words,
  type PartReader,
  type PartTable,
  type Said,
} from '../shared/said.ts'
import { unusable, type Dialect, type Turn } from './dialect.ts'

const idOf = (part: unknown) => textAt(part, 'tool_call_id')
const nameOf = (part: unknown) => textAt(part, 'tool_name')

/** Content of a user prompt: a text, or a list of text, links and bytes. */
function promptOf(content: unknown): readonly Said[] {
  if (!isList(content)) return [words(compact(content))]
  return content.map((item) => {
    const text = asText(item) ?? textAt(item, 'content', 'text')
    if (text !== null) return words(text)
    const kind = (textAt(item, 'kind') ?? 'file').replace(/-url$/u, '')
    return words(stub(kind, textAt(item, 'media_type'), textAt(item, 'url', 'identifier')))
  })
}

/** Text of a request to try again: a text, or a list of validation errors. */
function retryOf(part: unknown): readonly Said[] {
  const content = own(part, 'content')
  const text = isList(content)
    ? content.map((item) => textAt(item, 'msg') ?? compact(item)).join('\n')
    : compact(content)
  if (nameOf(part) === null) return [event('injected', text, 'retry-prompt')]
  return [result(nameOf(part), idOf(part), text, true)]
}

function returnOf(part: unknown): readonly Said[] {
  const isError = ['failed', 'denied'].includes(textAt(part, 'outcome') ?? 'success')
  return [result(nameOf(part), idOf(part), compact(own(part, 'content')), isError)]
}

const callOf = (part: unknown) => [call(nameOf(part), idOf(part), own(part, 'args'))]

/** [I192] Parts of Pydantic AI messages, by `part_kind`. */
const PARTS: PartTable = {
  'system-prompt': (part) => [event('system', textAt(part, 'content') ?? '')],
  'user-prompt': (part) => promptOf(own(part, 'content')),
  'tool-return': returnOf,
  'builtin-tool-return': returnOf,
  'retry-prompt': retryOf,
  text: (part) => [words(textAt(part, 'content'))],
  thinking: (part) => [thought(textAt(part, 'content'))],
  'tool-call': callOf,
  'builtin-tool-call': callOf,
  file: (part) => [words(stub('file', textAt(own(part, 'content'), 'media_type')))],
}

const readPart: PartReader = byName(PARTS, 'part_kind')

function isMessage(value: unknown): boolean {
  const kind = own(value, 'kind')
  if (kind !== 'request' && kind !== 'response') return false
  const parts = own(value, 'parts')
  return isList(parts) && parts.some((part) => textAt(part, 'part_kind') !== null)
}

const LISTS = ['messages', 'all_messages', 'message_history', 'new_messages']

interface State {
  /** Instructions that the last request had: each request repeats them. */
  told: string | null
}

function turns(value: unknown, state: State): ReturnType<Dialect['turns']> {
  const kind = textAt(value, 'kind')
  if (kind !== 'request' && kind !== 'response')
    return unusable('neither a request nor a response of Pydantic AI')
  const at = timeAt(value, 'timestamp')
  const model = textAt(value, 'model_name')
  const found: Turn[] = []
  const instructions = textAt(value, 'instructions')
  if (instructions !== null && instructions !== state.told) {
    state.told = instructions
    found.push({ voice: { kind: 'system' }, content: instructions, at })
  }
  const voice = { kind: kind === 'request' ? ('user' as const) : ('agent' as const) }
  // Parts of a request have their own times, so each is a message.
  for (const part of listAt(value, 'parts')) {
    found.push({
      voice,
      content: [part],
      read: readPart,
      at: timeAt(part, 'timestamp') ?? at,
      model: kind === 'response' ? model : null,
    })
  }
  return found
}

/** [I192] Pydantic AI: messages as a list, a line each, or in an object. */
export const pydanticAi: Dialect<State> = {
  name: 'pydantic-ai',
  label: 'Pydantic AI messages (JSON, JSONL)',
  lists: LISTS,
  knows: (value) =>
    isMessage(value) ||
    (isList(value) && value.slice(0, 20).some(isMessage)) ||
    (isObject(value) &&
      LISTS.some((key) => has(value, key) && listAt(value, key).slice(0, 20).some(isMessage))),
  facts: (value) => ({
    id: textAt(value, 'conversation_id', 'run_id', 'id'),
    model: textAt(value, 'model_name'),
  }),
  start: () => ({ told: null }),
  turns,
}
