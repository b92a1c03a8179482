import type { SourceRef } from '../../schema/event.ts'
import { callContent } from '../shared/call-messages.ts'
import { textContent, type EventContent } from '../shared/call-parts.ts'
import {
  draft,
  freshText,
  sessionDraft,
  type EventDraft,
  type Origin,
  type SessionDraft,
} from '../shared/drafts.ts'
import { compact, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { createNames } from '../shared/names.ts'
import { createAttachments, fromPool, type Attachments } from './attachments.ts'
import { sessionOfCalls } from './calls.ts'
import { answerOf, sortEvents, type Actor, type Note, type SampleEvents } from './events.ts'
import { attachUsage, usageOf } from '../shared/usage.ts'
import type { ModelCall } from '../../schema/context.ts'

/** A sample with everything that belongs to it, wherever the log keeps that. */
export interface Sample {
  readonly value: unknown
  readonly messages: readonly unknown[]
  readonly events: readonly unknown[]
  /** Messages that events refer to by number. */
  readonly pool: readonly unknown[]
  readonly attachment: (key: string) => unknown
  readonly source: SourceRef
  /** Place of one of its messages in the file. */
  readonly sourceOf: (message: object) => SourceRef
  /** Id of its session. */
  readonly id: string
}

/** A sample that is one object; the oldest logs keep events and attachments under `transcript`. */
export function sampleOf(value: unknown, source: SourceRef, id: string): Sample {
  const transcript = own(value, 'transcript')
  const list = (...candidates: unknown[]): readonly unknown[] => candidates.find(isList) ?? []
  const pool = list(own(value, 'message_pool'), own(own(value, 'events_data'), 'messages'))
  const attached = own(value, 'attachments') ?? own(transcript, 'content')
  const refs = own(value, 'message_refs')
  return {
    value,
    source,
    id,
    pool,
    messages: isList(refs) ? fromPool(refs, pool) : list(own(value, 'messages')),
    events: list(own(value, 'events'), own(transcript, 'events')),
    attachment: (key) => own(attached, key),
    sourceOf: () => source,
  }
}

/** [I30] The sessions of a sample: its messages, then its sub-agents. Scores and errors are events. */
export function sessionsOfSample(sample: Sample, log: ImportLog): readonly SessionDraft[] {
  const skip = (type: string): void => log.skip(type)
  const attachments = createAttachments(sample.attachment)
  const sorted = sortEvents(sample.events, sample.pool, attachments, skip)
  const session = sessionDraft(sample.id)
  session.startedAt = sorted.startedAt
  const making: Making = { sample, sorted, attachments, session, skip }
  const fromEvents = sample.messages.length === 0 || sorted.isCompacted
  const events =
    fromEvents && sorted.main.models.length > 0 ? callEvents(making) : messageEvents(making)
  session.events.push(...withNotes(events, [...retries(making), ...sorted.notes], sample.source))
  for (const { content, at } of verdicts(making))
    session.events.push(draft(content.kind, content.text, originOf(sample, at), content))
  const others = sorted.actors.filter((actor) => actor.models.length > 0)
  const subs = subAgents(others, making)
  const missing = attachments.missing()
  for (let count = 0; count < missing; count += 1) skip('attachment that is not there')
  return [session, ...subs]
}

interface Making {
  readonly sample: Sample
  readonly sorted: SampleEvents
  readonly attachments: Attachments
  readonly session: SessionDraft
  readonly skip: (type: string) => void
}

function originOf(sample: Sample, at: number | null): Origin {
  return { at, model: null, source: sample.source }
}

/** The events of the final state of the conversation. */
function messageEvents(making: Making): EventDraft[] {
  const { sample, attachments, skip, sorted } = making
  const times = timesOf(sorted)
  const calls = callsOf(sorted)
  const hasSources = sample.messages.some((message) => textAt(message, 'source') !== null)
  const ids = new Set(sample.messages.map((message) => textAt(message, 'id')))
  const hasIds = !ids.has(null)
  const events: EventDraft[] = []
  const names = new Map<string, string>()
  let at = sorted.startedAt
  for (const raw of sample.messages) {
    if (!isObject(raw)) {
      skip('message that is not an object')
      continue
    }
    at = times(raw) ?? at
    const typed = !hasSources || sorted.hasInput || isTyped(raw)
    const origin: Origin = { at, model: textAt(raw, 'model'), source: sample.sourceOf(raw) }
    const made = callContent([attachments.resolve(raw)], 'user', skip).events.map((content) =>
      eventOf(content, origin, typed, names),
    )
    attachUsage(made, calls(raw))
    events.push(...made)
  }
  for (const { event } of sorted.main.tools) {
    if (!names.has(textAt(event, 'id') ?? '')) skip('tool event outside of the messages')
  }
  for (const { event } of sorted.main.models) {
    const id = textAt(answerOf(event), 'id')
    if (id !== null && hasIds && !ids.has(id)) skip('model call outside of the messages')
  }
  return events
}

/** The event of a content of a message; `names` are those of tools, by call id. */
function eventOf(
  content: EventContent,
  origin: Origin,
  typed: boolean,
  names: Map<string, string>,
): EventDraft {
  const { kind, callId, text: words } = content
  if (kind === 'user' && !typed)
    return draft('injected', words, { ...origin, model: null }, { name: 'solver' })
  let { name } = content
  if (kind === 'tool_call' && callId !== null && name !== null) names.set(callId, name)
  if (kind === 'tool_result') name ??= names.get(callId ?? '') ?? null
  const isAgents = kind === 'agent' || kind === 'reasoning' || kind === 'tool_call'
  return draft(kind, words, isAgents ? origin : { ...origin, model: null }, { ...content, name })
}

/** [I30] User messages are those of the dataset (`input`) and of an operator. A solver writes the others. */
function isTyped(message: unknown): boolean {
  const source = own(message, 'source')
  return source === 'input' || source === 'operator'
}

/** Times of messages, which have none themselves: by the ids in events, else by the order of calls. */
function timesOf({ main }: SampleEvents): (message: unknown) => number | null {
  const byId = new Map<string, number>()
  const answers: Array<number | null> = []
  for (const { event, at, endAt } of main.models) {
    const id = textAt(answerOf(event), 'id')
    const end = endAt ?? at
    if (id !== null && end !== null) byId.set(id, end)
    answers.push(end)
  }
  for (const { event, at, endAt } of main.tools) {
    const end = endAt ?? at
    for (const key of ['id', 'message_id']) {
      const id = textAt(event, key)
      if (id !== null && end !== null) byId.set(id, end)
    }
  }
  let nth = 0
  return (message) => {
    const isAnswer = own(message, 'role') === 'assistant'
    const next = isAnswer ? (answers[nth] ?? null) : null
    if (isAnswer) nth += 1
    const id = textAt(message, 'id') ?? ''
    return byId.get(id) ?? byId.get(textAt(message, 'tool_call_id') ?? '') ?? next
  }
}

/** [X19] The numbers of the call that made a message: by the ids in events, else by the order of calls. */
function callsOf({ main }: SampleEvents): (message: unknown) => ModelCall | null {
  const calls = main.models.map(({ event }): ModelCall | null => {
    const usage = usageOf(own(own(event, 'output'), 'usage'))
    return usage === null ? null : { id: textAt(answerOf(event), 'id'), ...usage }
  })
  const byId = new Map(calls.flatMap((call) => (call?.id ? [[call.id, call] as const] : [])))
  let nth = 0
  return (message) => {
    if (own(message, 'role') !== 'assistant') return null
    const next = calls[nth] ?? null
    nth += 1
    return byId.size > 0 ? (byId.get(textAt(message, 'id') ?? '') ?? null) : next
  }
}

/** The events of all model calls. After a compaction, `messages` holds only the remaining messages. */
function callEvents({ sample, sorted, session, attachments, skip }: Making): EventDraft[] {
  const calls = { attachments, skip, source: sample.source }
  const { events } = sessionOfCalls(sessionDraft(session.id), sorted.main, calls)
  const written = solverTexts(sorted)
  let summaries = sorted.summaries.slice()
  return events.map((event) => {
    if (event.kind !== 'user') return event
    const [next] = summaries
    // The first new message after a compaction is the summary of the messages that were removed.
    if (next !== undefined && (event.at ?? 0) >= next) {
      summaries = summaries.filter((at) => at > (event.at ?? 0))
      return draft('summary', event, event, { name: 'compaction' })
    }
    return written.has(freshText(event))
      ? draft('injected', event, event, { name: 'solver' })
      : event
  })
}

/** Texts under the user's role that a solver wrote, if messages have a `source`. */
function solverTexts({ main, hasInput }: SampleEvents): ReadonlySet<string> {
  const texts = new Set<string>()
  let hasSources = false
  for (const { input } of main.models) {
    for (const message of input) {
      const content = own(message, 'content')
      hasSources ||= textAt(message, 'source') !== null
      if (own(message, 'role') === 'user' && !isTyped(message) && typeof content === 'string')
        texts.add(content)
    }
  }
  return hasSources && !hasInput ? texts : new Set()
}

function subAgents(actors: readonly Actor[], making: Making): readonly SessionDraft[] {
  const { sample, session, attachments, skip } = making
  const nameFor = createNames(' #')
  const ids = new Map(actors.map((actor) => [actor, nameFor(actor.name)]))
  return actors.map((actor) => {
    const name = ids.get(actor) ?? actor.name
    const above = actor.parent === null ? undefined : ids.get(actor.parent)
    const parent = above === undefined ? session.id : `${session.id}/${above}`
    const draft_ = sessionDraft(`${session.id}/${name}`, name, parent)
    return sessionOfCalls(draft_, actor, { attachments, skip, source: sample.source })
  })
}

/** Notes among messages, each before the first message that is later. */
function withNotes(
  events: readonly EventDraft[],
  notes: readonly Note[],
  source: SourceRef,
): EventDraft[] {
  const all: EventDraft[] = []
  let next = 0
  const push = (before: number): void => {
    for (
      let note = notes[next];
      note !== undefined && (note.at ?? 0) < before;
      note = notes[next]
    ) {
      const { content, at } = note
      all.push(draft(content.kind, content.text, { at, model: null, source }, content))
      next += 1
    }
  }
  for (const event of events) {
    push(event.at ?? 0)
    all.push(event)
  }
  push(Infinity)
  return all
}

/** Attempts that failed before this one. */
function retries({ sample, sorted }: Making): readonly Note[] {
  return listAt(sample.value, 'error_retries').map((error) => {
    const message = textAt(error, 'message') ?? 'an attempt failed without a message'
    return { content: textContent('system', message, 'failed attempt', true), at: sorted.startedAt }
  })
}

/** Scores, the error that ended the sample, and the limit that it met. */
function verdicts({ sample, attachments }: Making): readonly Note[] {
  const notes: Note[] = []
  const add = (name: string, shown: string, isError = false): void => {
    const kind = isError ? 'system' : 'meta'
    notes.push({ content: textContent(kind, shown, name, isError), at: null })
  }
  const error = own(sample.value, 'error')
  if (isObject(error)) add('error', textAt(error, 'message') ?? 'an error without a message', true)
  const limit = own(sample.value, 'limit')
  if (isObject(limit))
    add('limit', [own(limit, 'type'), own(limit, 'limit')].map(compact).join(' '))
  const single = own(sample.value, 'score')
  const scores = own(sample.value, 'scores') ?? (isObject(single) ? { score: single } : null)
  for (const [name, raw] of isObject(scores) ? Object.entries(scores) : []) {
    const score = attachments.resolve(raw)
    const parts = ['value', 'answer', 'explanation'].map((key) => compact(own(score, key)))
    const shown = parts.filter((part, n) => part !== '' && parts.indexOf(part) === n)
    add(name, shown.join(' · '))
  }
  return notes
}
