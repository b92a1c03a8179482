import { addTo } from '../../maps.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import { draft, type SessionDraft } from '../shared/drafts.ts'
import { factsText, type Item, type Span } from './record.ts'
import { TOOL_DEFINITIONS } from './beside-messages.ts'

/** A session that is made of spans, in order. */
export interface Thread {
  readonly session: SessionDraft
  /** A model call: the new items of its input, then its output. */
  readonly takeModel: (span: Span) => void
  /** A tool's run: the call, unless a model's output had it, and the result. */
  readonly takeTool: (span: Span) => void
  /** System prompts that only the span around the calls has. */
  readonly takeSystems: (span: Span) => void
  readonly takeInput: (span: Span) => void
  readonly takeOutput: (span: Span) => void
  /** Takes the error of a span. */
  readonly takeError: (span: Span) => void
  /** Judgements. */
  readonly takeNotes: (span: Span) => void
}

/** A message list that some call had, as a path; the lists of a thread share their beginnings. */
interface Node {
  next: Map<string, Node> | null
  /** A call ended here, and was answered. */
  answered: boolean
}

/** Calls whose results are known, and calls that still wait for a tool's span. */
interface Calls {
  readonly known: Set<string>
  readonly done: Set<string>
  readonly waiting: Map<string, Waiting>
  /** Ids of calls whose tool's span came. */
  readonly ran: Set<string>
  readonly names: Map<string, string>
  /** Results of tool spans by their words: a message that repeats one need not have an id. */
  readonly results: Map<string, number>
}

/** Ids of the calls of one tool (null without an id), and how many of them no longer wait. */
interface Waiting {
  readonly ids: Array<string | null>
  past: number
}

interface State {
  readonly session: SessionDraft
  readonly leave: (type: string) => void
  readonly root: Node
  readonly systems: Set<string>
  readonly calls: Calls
  /** The list of the call before, with its answer. */
  before: readonly Item[]
}

const ANSWER: readonly EventKind[] = ['agent', 'tool_call', 'reasoning']

export function createThread(session: SessionDraft, leave: (type: string) => void): Thread {
  const calls: Calls = {
    known: new Set(),
    done: new Set(),
    waiting: new Map(),
    ran: new Set(),
    names: new Map(),
    results: new Map(),
  }
  const state: State = { session, leave, root: newNode(), systems: new Set(), calls, before: [] }
  return {
    session,
    takeModel(span) {
      if (span.input.length === 0 && span.output.length === 0) {
        const name = span.name.slice(0, 80)
        if (span.error === null) push(state, factsText(span), span, { kind: 'meta', name })
        return
      }
      takeList(state, span)
    },
    takeTool: (span) => takeTool(state, span),
    takeSystems: (span) => withoutSystems(state, span),
    takeInput(span) {
      for (const item of span.input) say(state, item, span, span.at)
    },
    takeOutput(span) {
      for (const item of span.output) say(state, item, ended(span), span.endAt ?? span.at)
    },
    takeError(span) {
      if (span.error === null) return
      push(state, span.error, ended(span), {
        kind: 'system',
        name: span.name.slice(0, 80),
        isError: true,
      })
    },
    takeNotes(span) {
      for (const { draft: note } of span.notes)
        push(state, note, ended(span), { kind: note.kind, name: note.name })
    },
  }
}

function newNode(): Node {
  return { next: null, answered: false }
}

/**
 * [I31] New items are those after the longest prefix that this list shares with the list of any earlier call. If the
 * earlier list was answered, the next one contains the answer, perhaps reworded; it does not become a second event. If
 * a list has lost its beginning (cut, compacted), items in the same order in the previous call's list are not new
 * either. A system prompt becomes one event only.
 */
function takeList(state: State, span: Span): void {
  const items = withoutSystems(state, span)
  let node = state.root
  let shared = 0
  for (const item of items) {
    const next = node.next?.get(item.key)
    if (next === undefined) break
    node = next
    shared += 1
  }
  const isNew = newItems(state, items, shared, node.answered && shared > 0)
  for (const [n, item] of items.entries()) {
    if (n < shared) continue
    if (isNew(item, n)) say(state, item, span, span.at)
    else state.leave('message repeated')
    node = grow(node, item)
  }
  node.answered = span.output.length > 0
  for (const item of span.output) {
    say(state, item, ended(span), span.endAt ?? span.at)
    node = grow(node, item)
  }
  state.before = [...items, ...span.output]
}

/** [X20] System prompts and definitions of tools are repeated by each request. */
function isOfRequest({ draft: { kind, name } }: Item): boolean {
  return kind === 'system' || (kind === 'injected' && name === TOOL_DEFINITIONS)
}

/** The input without its system prompts and tools. New system prompts become events. */
function withoutSystems(state: State, span: Span): readonly Item[] {
  const items: Item[] = []
  for (const item of span.input) {
    if (!isOfRequest(item)) items.push(item)
    else if (!state.systems.has(item.key)) {
      state.systems.add(item.key)
      say(state, item, span, span.at)
    }
  }
  return items
}

function grow(node: Node, item: Item): Node {
  node.next ??= new Map()
  const known = node.next.get(item.key)
  if (known !== undefined) return known
  const next = newNode()
  node.next.set(item.key, next)
  return next
}

type IsNew = (item: Item, n: number) => boolean

/** Which of the items from `at` on are new. */
function newItems(state: State, items: readonly Item[], at: number, answered: boolean): IsNew {
  let from = at
  if (answered) while (ANSWER.includes(items[from]?.draft.kind ?? 'user')) from += 1
  const shared = at > 0 || state.before.length === 0
  const again = shared ? new Set<number>() : sameOrder(items, state.before)
  return (item, n) => n >= from && !again.has(n) && !isTold(state.calls, item)
}

/** Indices of the items that are also in `before`, in the same order. */
function sameOrder(items: readonly Item[], before: readonly Item[]): ReadonlySet<number> {
  const places = new Map<string, number[]>()
  for (const [n, item] of before.entries()) addTo(places, item.key, n)
  for (const list of places.values()) list.reverse()
  const again = new Set<number>()
  let cursor = -1
  for (const [n, item] of items.entries()) {
    const list = places.get(item.key)
    while (list !== undefined && list.length > 0 && (list.at(-1) ?? 0) <= cursor) list.pop()
    const place = list?.pop()
    if (place === undefined) continue
    cursor = place
    again.add(n)
  }
  return again
}

/** True for a call or a result that is already known from a tool's span or an earlier list. */
function isTold(calls: Calls, { draft: event, textKey }: Item): boolean {
  if (event.kind === 'tool_call') return event.callId !== null && calls.known.has(event.callId)
  if (event.kind !== 'tool_result') return false
  if (event.callId !== null) return calls.done.has(event.callId)
  const told = calls.results.get(textKey) ?? 0
  if (told > 0) calls.results.set(textKey, told - 1)
  return told > 0
}

function say(state: State, item: Item, span: Span, at: number | null): void {
  const { calls, session } = state
  const { kind, callId, isError } = item.draft
  let { name } = item.draft
  if (kind === 'tool_call') {
    if (callId !== null) calls.known.add(callId)
    if (callId !== null && name !== null) calls.names.set(callId, name)
    if (name !== null) wait(calls, name, callId)
  }
  if (kind === 'tool_result' && callId !== null) {
    calls.done.add(callId)
    name ??= calls.names.get(callId) ?? null
  }
  const isPrompt = kind === 'user' && session.parent !== null
  push(
    state,
    item.draft,
    { ...span, at, ...item.told },
    { kind: isPrompt ? 'subagent_prompt' : kind, name, callId, isError },
  )
}

function wait(calls: Calls, name: string, callId: string | null): void {
  const waiting = calls.waiting.get(name)
  if (waiting === undefined) calls.waiting.set(name, { ids: [callId], past: 0 })
  else waiting.ids.push(callId)
}

function takeTool(state: State, span: Span): void {
  const call = span.input.find(({ draft: event }) => event.kind === 'tool_call')
  const name = call?.draft.name ?? null
  const id = call?.draft.callId ?? null
  const { known, callId } = match(state.calls, name, id)
  const result = span.output[0]
  if (known) state.leave('tool call repeated')
  else if (call !== undefined) pushCall(state, call, span)
  if (result === undefined) return
  if (callId !== null && state.calls.done.has(callId)) {
    state.leave('message repeated')
    return
  }
  if (callId !== null) state.calls.done.add(callId)
  const { textKey } = result
  state.calls.results.set(textKey, (state.calls.results.get(textKey) ?? 0) + 1)
  const isError = result.draft.isError || span.error !== null
  push(
    state,
    result.draft,
    { ...ended(span), at: span.endAt ?? span.at, ...result.told },
    { kind: 'tool_result', name, callId, isError },
  )
}

function pushCall(state: State, call: Item, span: Span): void {
  const { name, callId } = call.draft
  if (callId !== null) state.calls.known.add(callId)
  push(state, call.draft, { ...span, ...call.told }, { kind: 'tool_call', name, callId })
}

/** Whether a model's output had the call of a tool's span: by id, else the first of that name that waits. */
function match(
  calls: Calls,
  name: string | null,
  id: string | null,
): { known: boolean; callId: string | null } {
  if (id !== null && calls.known.has(id)) {
    calls.ran.add(id)
    return { known: true, callId: id }
  }
  const waiting = name === null ? undefined : calls.waiting.get(name)
  while (waiting !== undefined && waiting.past < waiting.ids.length) {
    const callId = waiting.ids[waiting.past] ?? null
    waiting.past += 1
    if (callId !== null && (id !== null || calls.ran.has(callId))) continue
    return { known: true, callId: id ?? callId }
  }
  return { known: false, callId: id }
}

/** The span with the place of the record that ended it. */
function ended(span: Span): Span {
  return span.source === span.endSource ? span : { ...span, source: span.endSource }
}

interface Parts {
  readonly kind: EventKind
  readonly name?: string | null
  readonly callId?: string | null
  readonly isError?: boolean
}

function push(state: State, text: string | Item['draft'], span: Span, parts: Parts): void {
  const call = typeof text === 'string' ? undefined : text.call
  const { at, model, source } = span
  const { kind } = parts
  const isAgents = kind === 'agent' || kind === 'reasoning' || kind === 'tool_call'
  state.session.events.push(
    draft(kind, text, { at, model: isAgents ? model : null, source }, { ...parts, call }),
  )
}
