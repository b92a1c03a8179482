import { parseJson } from '../json/value.ts'
import { flatText, piecesOf, type Piece } from '../shared/content-blocks.ts'
import { draft, freshText, withText, type EventDraft, type Origin } from '../shared/drafts.ts'
import { without } from '../shared/envelope.ts'
import { compact, entryOf, isList, isObject, own, textAt } from '../shared/guards.ts'
import { ruleFor } from '../shared/user-text.ts'
import { isResultHeader, splitAgentText, splitUserText } from './tools.ts'

export interface ClineContext {
  /** Tool names by call id. */
  readonly calls: Map<string, string>
  readonly skip: (type: string) => void
  readonly spoken: 'user' | 'subagent_prompt'
}

/** Tools by which the agent addresses the user, and the field with the text. */
const SPEAKS: Readonly<Record<string, string>> = {
  attempt_completion: 'result',
  ask_followup_question: 'question',
  plan_mode_respond: 'response',
}

/** Texts of the harness under the user's role, beside results. The first that applies wins. */
const NOTES: ReadonlyArray<{
  readonly starts: string
  readonly kind: EventDraft['kind']
  readonly rule: string
}> = [
  { starts: '[ERROR]', kind: 'notification', rule: 'error' },
  { starts: '[TASK RESUMPTION]', kind: 'injected', rule: 'task-resumption' },
  { starts: '[NOTE]', kind: 'injected', rule: 'note' },
  { starts: '# TODO LIST', kind: 'injected', rule: 'todo-list' },
  { starts: '# task_progress', kind: 'injected', rule: 'todo-list' },
  { starts: '<explicit_instructions', kind: 'injected', rule: 'instructions' },
  { starts: '<file_content', kind: 'injected', rule: 'file' },
  { starts: '<folder_content', kind: 'injected', rule: 'file' },
  { starts: '<hook_context', kind: 'injected', rule: 'hook' },
]

/** Events of a message of the API's history; null when its role is not known. */
export function apiEvents(
  message: unknown,
  origin: Origin,
  context: ClineContext,
): EventDraft[] | null {
  const role = own(message, 'role')
  const content = own(message, 'content')
  const pieces = isList(content) ? joinResults(content) : piecesOf(content)
  if (role === 'assistant') return pieces.flatMap((piece) => agentPiece(piece, origin, context))
  if (role === 'user')
    return withStubs(
      pieces.flatMap((piece) => userPiece(piece, origin, context)),
      pieces.flatMap((piece) => (piece.kind === 'stub' ? [piece.text] : [])),
      draft(context.spoken, '', origin),
    )
  if (role !== 'system') return null
  return [draft('system', flatText(content), origin)]
}

/** Text and images of one message are one event. */
function withStubs(
  events: EventDraft[],
  stubs: readonly string[],
  empty: EventDraft,
): EventDraft[] {
  if (stubs.length === 0) return events
  const at = events.findLastIndex((event) => event.kind === empty.kind)
  const spoken = events[at]
  if (spoken === undefined) return [withText(empty, stubs.join('\n')), ...events]
  return events.with(at, withText(spoken, [freshText(spoken), ...stubs].join('\n')))
}

/** The result of an XML tool is a text block that names it and a second one that holds it. */
function joinResults(content: readonly unknown[]): readonly Piece[] {
  const joined: Piece[] = []
  let open = false
  for (const block of content) {
    const piece = fileOf(block) ?? piecesOf([block])[0]
    const before = joined.at(-1)
    if (piece === undefined) continue
    const body = piece.kind === 'text' && isBody(piece.text)
    if (open && body && before?.kind === 'text')
      joined[joined.length - 1] = { kind: 'text', text: `${before.text}\n${piece.text}` }
    else joined.push(piece)
    open = piece.kind === 'text' && HEADER_ALONE.test(piece.text) && isResultHeader(piece.text)
  }
  return joined
}

/** Bytes of the header's line and nothing after it. */
const HEADER_ALONE = /^[^\n]{0,2100}\s*$/

function isBody(text: string): boolean {
  return !isResultHeader(text) && !text.trimStart().startsWith('<environment_details>')
}

/** The SDK puts a mentioned file into a separate block. */
function fileOf(block: unknown): Piece | null {
  const content = own(block, 'content')
  if (own(block, 'type') !== 'file' || typeof content !== 'string') return null
  const path = textAt(block, 'path') ?? ''
  return { kind: 'text', text: `<file_content path="${path}">\n${content}\n</file_content>` }
}

function agentPiece(piece: Piece, origin: Origin, context: ClineContext): EventDraft[] {
  switch (piece.kind) {
    case 'text':
      return splitAgentText(piece.text).flatMap((part) => {
        if (part.kind === 'call') return callEvents(part.name, part.args, null, origin)
        return [draft(part.kind === 'text' ? 'agent' : 'reasoning', part.text, origin)]
      })
    case 'stub':
      return [draft('agent', piece.text, origin)]
    case 'reasoning':
      return piece.text === '' ? [] : [draft('reasoning', piece.text, origin)]
    case 'call':
      if (piece.id !== null && piece.name !== null) context.calls.set(piece.id, piece.name)
      return nativeCall(piece, origin)
    case 'result':
    case 'unknown':
      context.skip(`block/${piece.kind === 'unknown' ? piece.type : piece.kind}`)
      return []
  }
}

function nativeCall(piece: Extract<Piece, { kind: 'call' }>, origin: Origin): EventDraft[] {
  const { name, id } = piece
  if (name === null || !Object.hasOwn(SPEAKS, name))
    return [draft('tool_call', piece.text, origin, { name, callId: id })]
  return callEvents(name, parseJson(piece.text), id, origin)
}

/** A call. If the tool addresses the user, its text is the agent's text. */
function callEvents(
  name: string,
  args: unknown,
  callId: string | null,
  origin: Origin,
): EventDraft[] {
  const field = entryOf(SPEAKS, name)
  const words = field === undefined ? null : textAt(args, field)
  const call = (given: unknown): EventDraft =>
    draft('tool_call', compact(given), origin, { name, callId })
  if (words === null || field === undefined || !isObject(args)) return [call(args)]
  const others = without(args, field)
  const text = draft('agent', words, origin, { name, callId })
  return Object.keys(others).length === 0 ? [text] : [call(others), text]
}

function userPiece(piece: Piece, origin: Origin, context: ClineContext): EventDraft[] {
  if (piece.kind === 'text') return userText(piece.text, origin, context)
  if (piece.kind === 'stub') return []
  if (piece.kind !== 'result') {
    context.skip(`block/${piece.kind === 'unknown' ? piece.type : piece.kind} of a user`)
    return []
  }
  const name = context.calls.get(piece.id ?? '') ?? null
  return splitUserText(piece.text).flatMap((part) => {
    if (part.kind === 'typed') return [draft(context.spoken, part.text, origin)]
    if (part.kind === 'environment') return [environment(part.text, origin)]
    const given = part.kind === 'result' ? part.name : name
    const { id: callId, isError } = piece
    return [draft('tool_result', part.text, origin, { name: given, callId, isError })]
  })
}

function environment(words: string, origin: Origin): EventDraft {
  return draft('injected', words, origin, { name: 'environment-details' })
}

const FAILED = /^(?:The tool execution failed|Error |<error>)/

function userText(text: string, origin: Origin, context: ClineContext): EventDraft[] {
  const parts = splitUserText(text)
  const typed = parts.some((part) => part.kind === 'typed')
  return parts.flatMap((part) => {
    if (part.kind === 'typed') return [draft(context.spoken, part.text, origin)]
    if (part.kind === 'environment') return [environment(part.text, origin)]
    if (part.kind === 'result') {
      // The only result of a tool that addresses the user is the user's answer.
      if (part.text === '' && typed) return []
      const isError = FAILED.test(part.text)
      return [draft('tool_result', part.text, origin, { name: part.name, isError })]
    }
    const note = NOTES.find((row) => part.text.startsWith(row.starts)) ?? ruleFor(part.text)
    if (note !== null) return [draft(note.kind, part.text, origin, { name: note.rule })]
    // Words around a tagged text are the harness's.
    if (typed) return [draft('injected', part.text, origin, { name: 'around-feedback' })]
    return [draft(context.spoken, part.text, origin)]
  })
}
