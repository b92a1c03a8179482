import { argsText } from '../shared/call-parts.ts'
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
  call,
  event,
  result,
  speak,
  stub,
  takeParts,
  takeSaid,
  timeAt,
  words,
  type PartReader,
  type Place,
} from '../shared/said.ts'
import { noteUsage } from '../shared/usage.ts'

type Take = (value: unknown, place: Place) => void

const readPart: PartReader = (part) => {
  const plain = asText(part) ?? textAt(part, 'text')
  if (plain !== null) return [words(plain)]
  // An image is an object with its bytes.
  return isObject(part) && ['data', 'image_url', 'url'].some((key) => own(part, key) !== undefined)
    ? [words(stub('image'))]
    : 'untyped'
}

/** A message of the user, or of an agent under its name. */
const spoken: Take = (value, place) => {
  const source = textAt(value, 'source')
  const content = own(value, 'content')
  const voice = isPerson(source)
    ? ({ kind: 'user' } as const)
    : ({ kind: 'agent', name: source } as const)
  if (isList(content)) takeParts(content, readPart, voice, place)
  else speak(isObject(content) ? compact(content) : (asText(content) ?? ''), voice, place)
}

const PERSONS: readonly string[] = ['user', 'user_proxy', 'human', 'admin']

function isPerson(source: string | null): boolean {
  return source !== null && PERSONS.includes(source.toLowerCase())
}

const noted =
  (name: string): Take =>
  (value, place) =>
    takeSaid(event('meta', compact(own(value, 'content')), name), place)

function calls(list: unknown, place: Place): void {
  for (const one of isList(list) ? list : [])
    takeSaid(call(textAt(one, 'name'), textAt(one, 'id'), argsText(own(one, 'arguments'))), place)
}

function results(value: unknown, place: Place): void {
  for (const one of listAt(value, 'content')) {
    const isError = own(one, 'is_error') === true
    const text = compact(own(one, 'content'))
    takeSaid(result(textAt(one, 'name'), textAt(one, 'call_id'), text, isError), place)
  }
}

/** [I139] Messages and events of AgentChat, by type, and messages of an agent's context. */
const TYPES: Readonly<Record<string, Take>> = {
  TextMessage: spoken,
  MultiModalMessage: spoken,
  StopMessage: spoken,
  HandoffMessage: spoken,
  StructuredMessage: spoken,
  ToolCallSummaryMessage: spoken,
  ThoughtEvent: (value, place) =>
    takeSaid(event('reasoning', textAt(value, 'content') ?? ''), place),
  ToolCallRequestEvent: (value, place) => calls(own(value, 'content'), place),
  ToolCallExecutionEvent: results,
  MemoryQueryEvent: (value, place) =>
    takeSaid(
      event(
        'injected',
        listAt(value, 'content')
          .map((one) => compact(own(one, 'content') ?? one))
          .join('\n'),
        'memory',
      ),
      place,
    ),
  SelectSpeakerEvent: noted('select-speaker'),
  CodeGenerationEvent: (value, place) =>
    takeSaid(event('agent', textAt(value, 'content') ?? '', textAt(value, 'source')), place),
  CodeExecutionEvent: (value, place) => {
    const outcome = own(value, 'result')
    const code = own(outcome, 'exit_code')
    const text = textAt(outcome, 'output') ?? compact(outcome)
    takeSaid(result('code', null, text, typeof code === 'number' && code !== 0), place)
  },
  SystemMessage: (value, place) => speak(textAt(value, 'content') ?? '', { kind: 'system' }, place),
  UserMessage: (value, place) => {
    const content = own(value, 'content')
    takeParts(isList(content) ? content : [content], readPart, { kind: 'user' }, place)
  },
  AssistantMessage: (value, place) => {
    takeSaid(event('reasoning', textAt(value, 'thought') ?? ''), place)
    const content = own(value, 'content')
    if (isList(content)) calls(content, place)
    else speak(asText(content) ?? '', { kind: 'agent', name: textAt(value, 'source') }, place)
  },
  FunctionExecutionResultMessage: results,
}

/** Read and counted only: another message repeats their content. */
const COUNTED: readonly string[] = ['ModelClientStreamingChunkEvent', 'UserInputRequestedEvent']

export function isMessage(value: unknown): boolean {
  const type = textAt(value, 'type') ?? ''
  const known = entryOf(TYPES, type) !== undefined || COUNTED.includes(type)
  return known && own(value, 'content') !== undefined && textAt(value, 'source') !== null
}

/** A message of the context of one agent: not all have a source. */
export function takeMessage(value: unknown, around: Place): void {
  const type = textAt(value, 'type')
  const { writer, log } = around
  const at = timeAt(value, 'created_at')
  const place = { ...around, origin: { ...around.origin, at } }
  const take = type === null ? undefined : entryOf(TYPES, type)
  if (take === undefined) {
    if (type !== null && COUNTED.includes(type)) log.skip(type)
    else
      log.unusable(
        { value, ref: around.origin.source },
        `not a message: its type is ${(type ?? 'missing').slice(0, 60)}`,
      )
    return
  }
  const before = writer.count()
  take(value, place)
  noteUsage(writer, before, value)
  if (writer.count() === before) log.skip(`${type ?? ''} without content`)
}
