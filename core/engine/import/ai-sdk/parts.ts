import { asText, compact, entryOf, has, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { fileStub, modelOutput } from '../shared/model-output.ts'
import {
  call,
  event,
  result,
  skip,
  thought,
  words,
  type PartTable,
  type Said,
} from '../shared/said.ts'

const note = (name: string, value: unknown): readonly Said[] => [
  event('meta', compact(value), name),
]

/** [I130] Parts of UI messages (versions 4 to 6) and of model messages, by type. */
const PARTS: PartTable = {
  text: (part) => [words(textAt(part, 'text'))],
  reasoning: (part) => [thought(thoughtOf(part))],
  'redacted-reasoning': () => [thought('[redacted thinking]')],
  file: (part) => [words(fileStub('file', part))],
  image: (part) => [words(fileStub('image', part))],
  'reasoning-file': (part) => [thought(fileStub('file', part))],
  'step-start': () => [skip('step-start')],
  'source-url': (part) => [event('meta', sourceText(part), 'source')],
  'source-document': (part) => [event('meta', sourceText(part), 'source')],
  source: (part) => [event('meta', sourceText(own(part, 'source') ?? part), 'source')],
  'dynamic-tool': (part) => uiTool(part, textAt(part, 'toolName')),
  'tool-invocation': (part) => invocation(own(part, 'toolInvocation')),
  'tool-call': (part) => [
    call(textAt(part, 'toolName'), idOf(part), own(part, 'input') ?? own(part, 'args')),
  ],
  'tool-result': (part) => {
    const { text, isError } = modelOutput(part)
    return [result(textAt(part, 'toolName'), idOf(part), text, isError)]
  },
  'tool-error': (part) => [
    result(textAt(part, 'toolName'), idOf(part), messageOf(own(part, 'error')), true),
  ],
  'tool-approval-request': (part) => note('approval-request', part),
  'tool-approval-response': (part) => note('approval-response', part),
}

/** The content of a part, or the name of its kind if the kind is unknown. */
export function readPart(part: unknown): readonly Said[] | string {
  const plain = asText(part)
  if (plain !== null) return [words(plain)]
  const type = textAt(part, 'type')
  if (type === null) return 'untyped'
  // A tool may be named `call` or `result`: only parts of UI messages have a state.
  const isTool = type.startsWith('tool-') && type !== 'tool-invocation' && has(part, 'state')
  if (isTool) return uiTool(part, type.slice('tool-'.length))
  if (type.startsWith('data-')) return note(type, own(part, 'data'))
  return entryOf(PARTS, type)?.(part) ?? type
}

/** [I130] Whether a part is one that only messages of this kit have. */
export function isUiPart(part: unknown): boolean {
  const type = textAt(part, 'type')
  if (type === null || Array.isArray(part)) return false
  if (type === 'text') return typeof own(part, 'text') === 'string'
  if (type === 'reasoning') return ['text', 'reasoning'].some((key) => textAt(part, key) !== null)
  if (type === 'file') return textAt(part, 'url', 'data') !== null
  if (type === 'tool-invocation') return isObject(own(part, 'toolInvocation'))
  if (type.startsWith('tool-') || type === 'dynamic-tool') return idOf(part) !== null
  return type.startsWith('data-') || (type !== 'image' && entryOf(PARTS, type) !== undefined)
}

/** A part that only model messages have. */
export function isModelPart(part: unknown): boolean {
  const type = textAt(part, 'type')
  return (type === 'tool-call' || type === 'tool-result') && idOf(part) !== null
}

function idOf(part: unknown): string | null {
  return textAt(part, 'toolCallId')
}

function thoughtOf(part: unknown): string | null {
  const details = listAt(part, 'details').map((one) => textAt(one, 'text') ?? '[redacted thinking]')
  return textAt(part, 'text', 'reasoning') ?? details.join('\n')
}

/** A tool with its state, its input and, when there is one, its output. */
function uiTool(part: unknown, name: string | null): readonly Said[] {
  const id = idOf(part)
  const made = call(name, id, own(part, 'input') ?? own(part, 'rawInput'))
  const state = textAt(part, 'state')
  if (state === 'output-error')
    return [made, result(name, id, textAt(part, 'errorText') ?? 'error', true)]
  if (state === 'output-denied') {
    const why = textAt(own(part, 'approval'), 'reason') ?? 'denied'
    return [made, result(name, id, why, true)]
  }
  return has(part, 'output') ? [made, result(name, id, compact(own(part, 'output')))] : [made]
}

/** Version 4: `{state: "partial-call"|"call"|"result", toolCallId, toolName, args, result}`. */
export function invocation(tool: unknown): readonly Said[] {
  const name = textAt(tool, 'toolName')
  const id = idOf(tool)
  const made = call(name, id, own(tool, 'args'))
  return has(tool, 'result') ? [made, result(name, id, compact(own(tool, 'result')))] : [made]
}

function messageOf(error: unknown): string {
  return textAt(error, 'message') ?? (compact(error) || 'error')
}

function sourceText(source: unknown): string {
  const facts = [textAt(source, 'title'), textAt(source, 'url', 'filename', 'sourceId')]
  return facts.filter((fact) => fact !== null).join(' ')
}
