import type { SourceRef } from '../../schema/event.ts'
import {
  draft,
  sessionDraft,
  setEvents,
  type EventDraft,
  type Origin,
  type SessionDraft,
} from '../shared/drafts.ts'
import { epoch, own, textAt } from '../shared/guards.ts'
import type { ImportLog } from '../shared/import-log.ts'
import { tokensAt } from '../shared/model-calls.ts'
import type { RawRecord } from '../source.ts'
import { errorEvents, partEvents, type Speaker } from './parts.ts'
import { PART_TYPES } from './shapes.ts'

/** A message with the content read so far. */
interface Message {
  readonly at: number | null
  readonly model: string | null
  readonly speaker: Speaker
  readonly before: readonly EventDraft[]
  readonly parts: EventDraft[]
  readonly after: readonly EventDraft[]
  /** Number of parts that earlier calls of the message made. */
  counted: number
}

/** A session whose messages and parts may be in separate files. */
export interface OpenSession {
  readonly draft: SessionDraft
  readonly has: (message: string) => boolean
  /** Whether a part with this id was read. */
  readonly hasPart: (id: string | null) => boolean
  readonly takeFacts: (info: unknown) => void
  /** False for a message that is written once more. */
  readonly takeMessage: (info: unknown, record: RawRecord) => boolean
  /** `message` is the id of the message that a part belongs to. */
  readonly takePart: (part: unknown, message: string, record: RawRecord) => void
  /** Number of messages of which nothing was said. */
  readonly silent: () => number
  /** Puts the parts behind their messages. */
  readonly tidy: () => void
}

export function createSession(
  draftOf: SessionDraft,
  log: ImportLog,
  calls: Map<string, string>,
): OpenSession {
  const messages = new Map<string, Message>()
  const parts = new Set<string>()
  let moved = false

  const add = (events: readonly EventDraft[]): void => {
    for (const event of events) draftOf.events.push(event)
  }
  const open = (id: string, info: unknown, { ref }: RawRecord): Message => {
    const message = messageOf(info, ref, draftOf.thread)
    messages.set(id, message)
    add(message.before)
    add(message.after)
    if (message.after.length > 0) moved = true
    return message
  }
  return {
    draft: draftOf,
    has: (id) => messages.has(id),
    hasPart: (id) => id !== null && parts.has(id),
    takeFacts: (info) => takeFacts(info, draftOf),
    takeMessage(info, record) {
      const id = textAt(info, 'id') ?? `message-${messages.size + 1}`
      const isNew = !messages.has(id)
      if (isNew) open(id, info, record)
      else log.skip('message written again')
      draftOf.cwd ??= textAt(own(info, 'path'), 'cwd')
      if (own(info, 'tokens') !== undefined) log.skip('message/tokens')
      return isNew
    },
    takePart(part, id, record) {
      const message = messages.get(id) ?? open(id, null, record)
      const { at, model, speaker } = message
      const type = textAt(part, 'type') ?? 'untyped'
      parts.add(textAt(part, 'id') ?? '')
      const origin = { at, model, source: record.ref }
      if (type === 'step-finish') noteStep(part, message)
      noteChild(part, calls)
      const isKnown = PART_TYPES.has(type)
      if (!isKnown)
        log.unusable({ value: part, ref: record.ref }, `a part of an unknown type: ${type}`)
      const kept = isKnown ? partEvents(part, origin, speaker) : wordsOf(part, type, origin)
      if (kept.length === 0 && isKnown) log.skip(type)
      for (const event of kept) message.parts.push(event)
      add(kept)
      moved = true
    },
    silent: () => [...messages.values()].filter((one) => eventsOf(one).length === 0).length,
    tidy() {
      if (!moved) return
      moved = false
      const ordered = [...messages.values()].flatMap(eventsOf)
      setEvents(draftOf, ordered)
    },
  }
}

/** [X2] The end of a step has the counts of its call. Tokens from the cache are not a part of the input. */
function noteStep(part: unknown, message: Message): void {
  const tokens = own(part, 'tokens')
  const input = tokensAt(tokens, 'input')
  const first = message.parts[message.counted]
  message.counted = message.parts.length
  if (input === null || first === undefined) return
  const cache = own(tokens, 'cache')
  const reasoning = tokensAt(tokens, 'reasoning')
  first.call = {
    id: textAt(part, 'id'),
    input,
    cacheRead: tokensAt(cache, 'read') ?? 0,
    cacheWrite: tokensAt(cache, 'write') ?? 0,
    output: (tokensAt(tokens, 'output') ?? 0) + (reasoning ?? 0),
    reasoning,
    window: null,
  }
}

function takeFacts(info: unknown, session: SessionDraft): void {
  session.title = textAt(info, 'title') ?? session.title
  session.cwd = textAt(info, 'directory') ?? session.cwd
  session.startedAt = epoch(own(own(info, 'time'), 'created')) ?? session.startedAt
}

function eventsOf({ before, parts, after }: Message): readonly EventDraft[] {
  return [...before, ...parts, ...after]
}

function messageOf(info: unknown, source: SourceRef, thread: string): Message {
  const role = textAt(info, 'role')
  const at = epoch(own(own(info, 'time'), 'created'))
  const model = textAt(info, 'modelID') ?? textAt(own(info, 'model'), 'modelID')
  const speaker: Speaker = {
    role: role === 'user' || role === 'assistant' ? role : null,
    spoken: thread === 'main' ? 'user' : 'subagent_prompt',
    summary: own(info, 'summary') === true,
  }
  const origin = { at, model: role === 'assistant' ? model : null, source }
  const system = textAt(info, 'system')
  const ended = epoch(own(own(info, 'time'), 'completed')) ?? at
  return {
    at,
    speaker,
    model: origin.model,
    parts: [],
    counted: 0,
    before: system === null ? [] : [draft('system', system, origin)],
    after: errorEvents(own(info, 'error'), { ...origin, at: ended }),
  }
}

/** The result of a call names the session that it started. */
function noteChild(part: unknown, calls: Map<string, string>): void {
  const child = textAt(own(own(part, 'state'), 'metadata'), 'sessionId', 'sessionID')
  const call = textAt(part, 'callID')
  if (child !== null && call !== null) calls.set(child, call)
}

/** The words of a part whose type is not known. */
function wordsOf(part: unknown, type: string, origin: Origin): readonly EventDraft[] {
  const text = textAt(part, 'text', 'content')
  return text === null ? [] : [draft('meta', text, origin, { name: type })]
}

/** A session from its own record. With a parent it is a sub-agent's. */
export function sessionFor(info: unknown, id: string): SessionDraft {
  const parent = textAt(info, 'parentID')
  return parent === null ? sessionDraft(id) : sessionDraft(id, id, parent)
}
