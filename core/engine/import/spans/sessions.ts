import { addTo } from '../../maps.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import { draft, sessionDraft, type SessionDraft } from '../shared/drafts.ts'
import { createFamily, type Family } from './family.ts'
import { factsText, type Item, type Span, type Trace } from './record.ts'
import { sameCalls, type SameCalls } from './same-call.ts'
import { createThread, type Thread } from './thread.ts'

/** Sessions of spans, and how many spans and messages are not events, by type. */
export interface SpanSessions {
  readonly sessions: readonly SessionDraft[]
  readonly left: ReadonlyMap<string, number>
  /** [I152] Ids of the conversations that contain messages, and of their traces. */
  readonly spoken: ReadonlySet<string>
}

/**
 * [I31] Traces with the same group are one conversation. In it, spans are taken in order of their
 * start, because exporters write them when they end, or in any order.
 * @param told [I152] conversations whose words are known elsewhere: facts about their spans are left out
 */
export function sessionsOfSpans(
  traces: readonly Trace[],
  told: ReadonlySet<string> = NOBODY,
): SpanSessions {
  const left = new Map<string, number>()
  const leave = (type: string): void => void left.set(type, (left.get(type) ?? 0) + 1)
  const conversations = new Map<string, Trace[]>()
  for (const trace of traces) {
    addTo(conversations, groupOf(trace) ?? trace.id, trace)
  }
  const sessions: SessionDraft[] = []
  const spoken = new Set<string>()
  for (const [id, list] of conversations) {
    const made = conversation(id, list, leave)
    const speaks = made.some(({ events }) => events.some(({ kind }) => SPOKEN.includes(kind)))
    if (speaks) for (const name of [id, ...list.map((trace) => trace.id)]) spoken.add(name)
    else if (told.has(id)) continue
    for (const session of made) sessions.push(session)
  }
  return { sessions, left, spoken }
}

const NOBODY: ReadonlySet<string> = new Set()

const SPOKEN: readonly EventKind[] = [
  'user',
  'subagent_prompt',
  'agent',
  'tool_call',
  'tool_result',
]

function groupOf(trace: Trace): string | null {
  for (const span of trace.spans.values()) if (span.group !== null) return span.group
  return null
}

type Leave = (type: string) => void

function conversation(id: string, traces: readonly Trace[], leave: Leave): readonly SessionDraft[] {
  const main = createThread(sessionDraft(id), leave)
  const conversation: Conversation = {
    main,
    threads: new Map([['', main]]),
    labels: new Map(),
    leave,
    mainAgent: null,
  }
  const ordered = traces
    .map((trace) => ({ spans: inOrder([...trace.spans.values()]) }))
    .toSorted((a, b) => (a.spans[0]?.start ?? 0) - (b.spans[0]?.start ?? 0))
  for (const { spans } of ordered) takeTrace(spans, conversation)
  const threads = [...conversation.threads.values()]
  if (threads.every(({ session }) => session.events.length === 0)) {
    for (const { spans } of ordered) for (const span of spans) showFacts(span, main.session)
  }
  return threads.map(({ session }) => session)
}

interface Conversation {
  readonly main: Thread
  readonly threads: Map<string, Thread>
  /** Number of threads that used each agent name. */
  readonly labels: Map<string, number>
  readonly leave: Leave
  mainAgent: string | null
}

/** A span to which something is added when all others are taken. */
interface Later {
  readonly span: Span
  readonly thread: Thread
}

/** State shared by all spans of a trace. */
interface Scene {
  readonly conversation: Conversation
  readonly family: Family
  readonly same: SameCalls
  /** A model call has words: the spans around it only repeat them. */
  readonly speaks: boolean
  /** [I115] A model call has a system prompt. */
  readonly prompted: boolean
  readonly closing: Later[]
}

function takeTrace(spans: readonly Span[], conversation: Conversation): void {
  const family = createFamily(spans)
  const same = sameCalls(spans, family)
  const models = spans.filter((span) => span.role === 'model')
  const scene: Scene = {
    conversation,
    family,
    same,
    closing: [],
    speaks: models.some(hasContent),
    prompted: models.some(hasSystem),
  }
  const judged: Later[] = []
  const passedOn = errorsPassedOn(spans, family, same)
  for (const span of spans) {
    const thread = threadOf(span, family, conversation)
    takeSpan(span, thread, scene)
    if (!passedOn.has(span)) thread.takeError(span)
    if (span.notes.length > 0) judged.push({ span, thread })
  }
  const answer = lastAnswer(spans, family, same)
  if (answer !== null) threadOf(answer, family, conversation).takeOutput(answer)
  for (const { span, thread } of scene.closing.reverse()) thread.takeOutput(span)
  // Judgements come after all messages.
  for (const { span, thread } of judged) thread.takeNotes(span)
}

function takeSpan(span: Span, thread: Thread, scene: Scene): void {
  const { conversation, family, same, speaks, prompted } = scene
  const counts = !same.repeats(span)
  if (span.role === 'model' && counts) thread.takeModel(same.whole(span))
  else if (span.role === 'tool' && counts && !family.isSameTool(span))
    thread.takeTool(same.whole(span))
  else if (!speaks && family.isTop(span) && hasContent(span)) {
    thread.takeInput(span)
    scene.closing.push({ span, thread })
  } else {
    if (span.role === 'agent' || (span.role === 'other' && !prompted)) thread.takeSystems(span)
    conversation.leave(`span/${span.role}`)
  }
}

function hasSystem({ input }: Span): boolean {
  return input.some(({ draft: event }) => event.kind === 'system')
}

function hasContent(span: Span): boolean {
  return span.input.length > 0 || span.output.length > 0
}

/** [I31] The main thread, or that of a sub-agent: an agent inside another, or another agent beside the first. */
function threadOf(span: Span, family: Family, conversation: Conversation): Thread {
  const agent = family.subAgentOf(span)
  if (agent !== null) {
    const key = `${agent.trace}\0${agent.id}`
    return (
      conversation.threads.get(key) ??
      openThread(
        conversation,
        key,
        agent.agent ?? agent.name,
        parentOf(agent, family, conversation),
      )
    )
  }
  const name = family.topAgentOf(span)
  conversation.mainAgent ??= name
  if (name === null || name === conversation.mainAgent) return conversation.main
  const key = `\0${name}`
  return conversation.threads.get(key) ?? openThread(conversation, key, name, conversation.main)
}

function parentOf(agent: Span, family: Family, conversation: Conversation): Thread {
  // Ancestors begin earlier, so their threads are open; where clocks disagree it is the main one.
  const above = family.parentOf(agent)
  const outer = above === null ? null : family.subAgentOf(above)
  if (outer !== null)
    return conversation.threads.get(`${outer.trace}\0${outer.id}`) ?? conversation.main
  const name = above === null ? null : family.topAgentOf(above)
  return (name === null ? undefined : conversation.threads.get(`\0${name}`)) ?? conversation.main
}

function openThread(
  conversation: Conversation,
  key: string,
  label: string,
  parent: Thread,
): Thread {
  const count = (conversation.labels.get(label) ?? 0) + 1
  conversation.labels.set(label, count)
  const base = label === 'main' ? 'agent main' : label
  const name = count === 1 ? base : `${base} #${count}`
  const session = sessionDraft(`${conversation.main.session.id}/${name}`, name, parent.session.id)
  const thread = createThread(session, conversation.leave)
  conversation.threads.set(key, thread)
  return thread
}

/** A conversation without messages: shows the facts of its spans. */
function showFacts(span: Span, session: SessionDraft): void {
  const origin = { at: span.at, model: span.model, source: span.source }
  session.events.push(draft('meta', factsText(span), origin, { name: span.name.slice(0, 80) }))
}

/** [I113] Spans whose error was passed on from an inner span, or from the span that represents their call. */
function errorsPassedOn(
  spans: readonly Span[],
  family: Family,
  same: SameCalls,
): ReadonlySet<Span> {
  const passedOn = new Set<Span>()
  for (const span of spans) {
    if (span.error === null) continue
    if (same.standsFor(span)?.error === span.error) passedOn.add(span)
    let above = family.parentOf(span)
    while (above !== null && above.error === span.error && !passedOn.has(above)) {
      passedOn.add(above)
      above = family.parentOf(above)
    }
  }
  return passedOn
}

/**
 * [I115] The outermost span with an answer that only it has. Applies if the last model call of a trace did not fail but
 * was recorded without an answer (an uncollected stream). Null if there is nothing to add.
 */
function lastAnswer(spans: readonly Span[], family: Family, same: SameCalls): Span | null {
  const last = spans.findLast(
    (span) =>
      speaks(span) && (span.role === 'model' || span.role === 'tool') && !same.repeats(span),
  )
  if (last?.role !== 'model' || last.error !== null) return null
  if (same.whole(last).output.length > 0) return null
  const known = new Set(
    spans
      .filter(({ role }) => role === 'model')
      .flatMap(({ input, output }) => [...input, ...output].map(({ textKey }) => textKey)),
  )
  for (const span of spans) {
    if (span.role === 'model' || !(family.isTop(span) || family.parentOf(span) === null)) continue
    const output = answerIn(span.output).filter(({ textKey }) => !known.has(textKey))
    if (output.length > 0) return { ...span, output }
  }
  return null
}

function speaks({ input, output }: Span): boolean {
  return input.length > 0 || output.length > 0
}

/** The agent's messages at the end of a list, which may begin with the question. */
function answerIn(output: readonly Item[]): readonly Item[] {
  const from = output.findLastIndex(({ draft }) => draft.kind !== 'agent') + 1
  return output.slice(from)
}

/** Order of start; spans without a time stay behind the one before them in the file. */
function inOrder(spans: readonly Span[]): readonly Span[] {
  let last = 0
  const placed = spans.map((span) => {
    last = span.start ?? last
    return { span, start: last }
  })
  const ordered = placed.toSorted((a, b) => a.start - b.start || a.span.nth - b.span.nth)
  return parentsFirst(ordered.map(({ span }) => span))
}

/** [I115] Places a span before the spans inside it, regardless of their clocks. */
function parentsFirst(spans: readonly Span[]): readonly Span[] {
  const byId = new Map(spans.map((span) => [span.id, span]))
  const taken = new Set<Span>()
  const ordered: Span[] = []
  for (const span of spans) {
    const path: Span[] = []
    let at: Span | undefined = span
    while (at !== undefined && !taken.has(at)) {
      taken.add(at)
      path.push(at)
      at = at.parent === null ? undefined : byId.get(at.parent)
    }
    for (const each of path.reverse()) ordered.push(each)
  }
  return ordered
}
