import type { EventKind } from '../../schema/event-kind.ts'
import { chatUserEvents } from './chat-user.ts'
import { flatText, piecesOf, type Piece } from './content-blocks.ts'
import { draft, type EventDraft, type Origin } from './drafts.ts'
import { asText, compact, entryOf, isList, isObject, own, textAt } from './guards.ts'
import { callEvent, resultEvent, type ToolCall, type ToolNames } from './tool-calls.ts'

/** [I8] Event kind by role. A role missing here is shown as `meta`, under its name. */
const KINDS: Readonly<Record<string, EventKind>> = {
  user: 'user',
  assistant: 'agent',
  system: 'system',
  developer: 'system',
  tool: 'tool_result',
  function: 'tool_result',
}

/** Receives the events of a message. */
export interface ChatTarget {
  readonly push: (event: EventDraft) => void
  /** Tool names by call id; calls of the message are added. */
  readonly calls: ToolNames
  readonly skip: (type: string) => void
  /** The session with its events so far. */
  readonly session?: { readonly events: readonly EventDraft[] }
}

/** The speaker: the kind of the message's own text, and the recorded name. */
export interface Speaker {
  readonly kind: EventKind
  readonly name: string | null
}

/** True for a role of chat completion messages. */
export function isChatRole(role: unknown): role is string {
  return typeof role === 'string' && Object.hasOwn(KINDS, role)
}

/** [I8] The speaker of a message by its role. */
export function speakerOf(message: unknown, role: string): Speaker {
  const kind = entryOf(KINDS, role) ?? 'meta'
  return { kind, name: textAt(message, 'name') ?? (kind === 'meta' ? role : null) }
}

/** Events of one message: reasoning, then its content, then its calls. */
export function takeChatMessage(
  message: unknown,
  speaker: Speaker,
  origin: Origin,
  target: ChatTarget,
): void {
  const thought = textAt(message, 'reasoning_content', 'reasoning')
  if (thought !== null) target.push(draft('reasoning', thought, origin))
  if (speaker.kind === 'tool_result') takeResult(message, speaker, origin, target)
  else takeContent(message, speaker, origin, target)
  takeCalls(message, origin, target)
}

/** The id that joins a result to its call; some harnesses keep a list of one. */
export function resultId(message: unknown): string | null {
  const list = own(message, 'tool_call_ids')
  return (
    textAt(message, 'tool_call_id') ??
    asText(isList(list) ? list[0] : null) ??
    textAt(message, 'call_id')
  )
}

function takeResult(message: unknown, speaker: Speaker, origin: Origin, target: ChatTarget): void {
  const content = own(message, 'content')
  const results = piecesOf(content).filter((piece) => piece.kind === 'result')
  // A tool's message of the Vercel AI SDK (I130) has a part for each result.
  if (results.length > 0 && isList(content) && results.length === content.length) {
    for (const piece of results) target.push(resultEvent(piece, origin, target.calls))
    return
  }
  const text = flatText(content)
  const result = { text, id: resultId(message), name: speaker.name }
  target.push(resultEvent(result, origin, target.calls))
}

function takeContent(message: unknown, speaker: Speaker, origin: Origin, target: ChatTarget): void {
  const { kind, name } = speaker
  const spoken: string[] = []
  const flush = (): void => {
    const joined = spoken.splice(0).join('\n')
    if (joined === '') return
    const events =
      kind === 'user'
        ? chatUserEvents(joined, name, origin, target.session?.events ?? null)
        : [draft(kind, joined, origin, { name })]
    for (const event of events) target.push(event)
  }
  for (const piece of [
    ...piecesOf(own(message, 'content')),
    ...piecesOf(own(message, 'refusal')),
  ]) {
    if (piece.kind === 'text' || piece.kind === 'stub') {
      if (piece.text !== '') spoken.push(piece.text)
    } else {
      flush()
      takePiece(piece, origin, target)
    }
  }
  flush()
}

type OtherPiece = Exclude<Piece, { readonly kind: 'text' | 'stub' }>

function takePiece(piece: OtherPiece, origin: Origin, target: ChatTarget): void {
  if (piece.kind === 'unknown') {
    target.skip(`part/${piece.type}`)
  } else if (piece.kind === 'reasoning') {
    target.push(draft('reasoning', piece.text, origin))
  } else if (piece.kind === 'call') {
    pushCall(piece, origin, target)
  } else {
    target.push(resultEvent(piece, origin, target.calls))
  }
}

function takeCalls(message: unknown, origin: Origin, target: ChatTarget): void {
  const legacy = own(message, 'function_call')
  if (isObject(legacy)) pushCall(callOf(legacy, null), origin, target)
  const calls = own(message, 'tool_calls')
  if (!isList(calls)) return
  for (const call of calls) {
    const inner = own(call, 'function') ?? own(call, 'custom')
    pushCall(callOf(isObject(inner) ? inner : call, call), origin, target)
  }
}

function callOf(target: unknown, call: unknown): ToolCall {
  const args = own(target, 'arguments') ?? own(target, 'input')
  return { name: textAt(target, 'name'), id: textAt(call, 'id'), text: compact(args) }
}

export function pushCall(call: ToolCall, origin: Origin, target: ChatTarget): void {
  target.push(callEvent(call, origin, target.calls))
}
