import { flatText, piecesOf } from '../shared/content-blocks.ts'
import { draft, type EventDraft, type Origin } from '../shared/drafts.ts'
import { compact, isList, own, textAt } from '../shared/guards.ts'
import { callEvent, resultEvent, type ToolNames } from '../shared/tool-calls.ts'

/** What the blocks of one thread share. */
export interface BlockContext {
  readonly calls: ToolNames
  /** Counts a block that says nothing. */
  readonly skip: (type: string) => void
  /** A block of a type that is not known. */
  readonly unknown: (block: unknown, type: string) => void
}

/** Blocks of a message as texts and events, in order. */
export type Item =
  | { readonly text: string }
  /** Stands for bytes that are not text. */
  | { readonly stub: string }
  | { readonly event: EventDraft }

/** [I123] Types of blocks, under the names that different versions give them. */
const TYPES: Readonly<Record<string, 'call' | 'result' | 'thought'>> = {
  tool_use: 'call',
  tool_call: 'call',
  'tool-call': 'call',
  tool_result: 'result',
  'tool-result': 'result',
  thinking: 'thought',
  reasoning: 'thought',
}

export function itemsOf(content: unknown, origin: Origin, context: BlockContext): readonly Item[] {
  const blocks = isList(content) ? content : content === undefined ? [] : [content]
  return blocks.flatMap((block) => itemOf(block, origin, context))
}

function itemOf(block: unknown, origin: Origin, context: BlockContext): readonly Item[] {
  const type = textAt(block, 'type')
  const role = type !== null && Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
  if (role === 'call') return [{ event: callOf(block, origin, context.calls) }]
  if (role === 'result') return [{ event: resultOf(block, origin, context.calls) }]
  if (role === 'thought') {
    const text = textAt(block, 'thinking', 'text') ?? ''
    if (text !== '') return [{ event: draft('reasoning', text, origin) }]
    context.skip(`${type ?? 'untyped'} that is empty`)
    return []
  }
  const [piece] = piecesOf(block)
  if (piece?.kind === 'text') return [{ text: piece.text }]
  if (piece?.kind === 'stub') return [{ stub: piece.text }]
  return unknownItems(block, type ?? 'untyped', origin, context)
}

/** A block of an unknown type is listed; its words are kept. */
function unknownItems(
  block: unknown,
  type: string,
  origin: Origin,
  context: BlockContext,
): readonly Item[] {
  context.unknown(block, type)
  const text = textAt(block, 'text', 'content')
  return text === null ? [] : [{ event: draft('meta', text, origin, { name: type }) }]
}

function callOf(block: unknown, origin: Origin, calls: ToolNames): EventDraft {
  const name = textAt(block, 'name', 'toolName')
  const id = textAt(block, 'id', 'toolCallId', 'tool_call_id')
  const input = own(block, 'input') ?? own(block, 'args') ?? own(block, 'arguments')
  return callEvent({ text: compact(input), name, id }, origin, calls)
}

function resultOf(block: unknown, origin: Origin, calls: ToolNames): EventDraft {
  const name = textAt(block, 'name', 'toolName')
  const id = textAt(block, 'tool_use_id', 'toolCallId', 'tool_call_id')
  const text = flatText(own(block, 'content') ?? own(block, 'result') ?? own(block, 'output'))
  const isError = own(block, 'is_error') === true || own(block, 'isError') === true
  return resultEvent({ text, id, name, isError }, origin, calls)
}
