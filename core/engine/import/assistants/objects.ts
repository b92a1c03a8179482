import { compact, entryOf, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import {
  byName,
  call,
  event,
  result,
  skip,
  stub,
  words,
  type Said,
  type SaidEvent,
} from '../shared/said.ts'

/** Object types of the API. */
export const KINDS = ['thread', 'thread.message', 'thread.run', 'thread.run.step'] as const
const DEEPEST = 5
const LOOKED_AT = 100_000

/** [I136] All objects of a thread in a value, in order: lists, answers and dumps of several lists. */
export function* objectsIn(value: unknown, depth = 0): Generator {
  if (depth > DEEPEST) return
  if (isList(value)) {
    for (const item of value.slice(0, LOOKED_AT)) yield* objectsIn(item, depth + 1)
  } else if (isObject(value)) {
    const kind = textAt(value, 'object')
    if (kind?.startsWith('thread') === true) yield value
    else for (const member of Object.values(value)) yield* objectsIn(member, depth + 1)
  }
}

/** Whether a value is, or holds, an object that only this interface has. */
export function holdsThread(value: unknown): boolean {
  for (const found of objectsIn(value)) {
    const kind = textAt(found, 'object') ?? ''
    if (kind !== 'thread' && KINDS.some((known) => known === kind)) return true
  }
  return false
}

/** Contents of a message by type. */
export const readContent = byName({
  text: (part) => [words(textAt(own(part, 'text'), 'value') ?? textAt(part, 'text'))],
  refusal: (part) => [words(textAt(part, 'refusal'))],
  image_file: (part) => [words(stub('image', textAt(own(part, 'image_file'), 'file_id')))],
  image_url: (part) => [words(stub('image', textAt(own(part, 'image_url'), 'url')))],
})

/** Calls of a step, each with its output if it has one. */
export function callsOf(step: unknown): readonly SaidEvent[] {
  const failed = own(step, 'status') === 'failed'
  return listAt(own(step, 'step_details'), 'tool_calls').flatMap((one) => callOf(one, failed))
}

function callOf(one: unknown, failed: boolean): readonly SaidEvent[] {
  const type = textAt(one, 'type') ?? 'untyped'
  const id = textAt(one, 'id')
  const tool = own(one, type)
  const read = entryOf(TOOLS, type)
  if (read === undefined) return [call(type, id, tool)]
  const { name, args, output } = read(tool)
  const made = call(name ?? type, id, args)
  return output === null ? [made] : [made, result(name ?? type, id, output, failed)]
}

interface Tool {
  readonly name: string | null
  readonly args: unknown
  readonly output: string | null
}

const TOOLS: Readonly<Record<string, (tool: unknown) => Tool>> = {
  function: (tool) => ({
    name: textAt(tool, 'name'),
    args: own(tool, 'arguments'),
    output: outputOf(own(tool, 'output')),
  }),
  code_interpreter: (tool) => ({
    name: null,
    args: own(tool, 'input'),
    output: isList(own(tool, 'outputs')) ? listAt(tool, 'outputs').map(logOf).join('\n') : null,
  }),
  file_search: (tool) => ({
    name: null,
    args: own(tool, 'ranking_options'),
    output: outputOf(own(tool, 'results')),
  }),
}

function outputOf(value: unknown): string | null {
  return value === null || value === undefined ? null : compact(value)
}

function logOf(output: unknown): string {
  return textAt(output, 'logs') ?? stub('image', textAt(own(output, 'image'), 'file_id'))
}

/** Returns the error of a run or a step. */
export function errorOf(value: unknown): readonly Said[] {
  const error = own(value, 'last_error')
  const text = textAt(error, 'message')
  return text === null ? [skip(textAt(value, 'object') ?? 'run')] : [event('system', text, 'error')]
}
