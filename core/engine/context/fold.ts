import type { SessionEvent, TextReader } from '../schema/event.ts'
import type { EventKind } from '../schema/event-kind.ts'
import { contextTokens, type ModelCall } from '../schema/context.ts'
import { cutAt, type CutReason } from './cuts.ts'

/** All inputs that determine the content of the context. */
export interface ContextInput {
  /** Name of the importer: some formats note errors of the client as `system`. */
  readonly format: string
  /** Events of the parent before a branch; none for other sessions. */
  readonly before: readonly SessionEvent[]
  readonly events: readonly SessionEvent[]
  readonly texts: TextReader
  /** Estimated tokens of an event's text, at least 0. */
  readonly tokens: (event: SessionEvent) => number
}

/** Text removed from the context before a call. */
export interface ContextCut {
  /** `shrank`: the recorded tokens fell by half and the file does not say why. */
  readonly reason: CutReason | 'shrank'
  /** Index among all events at which the context starts again. */
  readonly at: number
  /** Events that left. */
  readonly events: number
  /** Recorded tokens of the call before; null if not recorded. */
  readonly before: number | null
}

/** One call of the model with its place. Places count the events before a branch too. */
export interface ContextCall {
  /** Place of its first output. The context consists of the events before that place. */
  readonly to: number
  /** Place of the first event in the context. */
  readonly from: number
  /** Place from which events are new since the call before. */
  readonly added: number
  /** Null if the file records no usage. */
  readonly recorded: ModelCall | null
  readonly cut: ContextCut | null
}

/** [X6] The calls of a session, and its events with estimates. */
export interface SessionContext {
  readonly events: readonly SessionEvent[]
  /** Number of events before the session's own. */
  readonly before: number
  readonly calls: readonly ContextCall[]
  /** Tokens of all events before each place, as scaled; one entry more than events. */
  readonly sums: Float64Array
}

const OUTPUT: ReadonlySet<EventKind> = new Set(['agent', 'reasoning', 'tool_call'])
const NEVER: ReadonlySet<EventKind> = new Set(['meta', 'step'])
/** Formats whose `system` events are notices of the client; their system prompt is not in the file. */
const CLIENT_NOTICES: ReadonlySet<string> = new Set(['claude-code', 'claude-stream', 'gemini-cli'])

/** Whether an event can be part of a model's answer: its words and calls, and facts between them. */
export function isOfAnswer(kind: EventKind): boolean {
  return OUTPUT.has(kind) || NEVER.has(kind)
}

/** [X6] Whether the model reads an event. Notices of the client, errors and facts about the session are not read. */
export function isInContext({ kind, isError }: SessionEvent, format: string): boolean {
  if (NEVER.has(kind)) return false
  return kind !== 'system' || !(isError || CLIENT_NOTICES.has(format))
}

/** [X6] [X8] Walks through a session once and records each call with the contents of its context. */
export function foldContext(input: ContextInput): SessionContext {
  const { format, before, texts, tokens } = input
  const events = before.length === 0 ? input.events : [...before, ...input.events]
  const own = before.length
  const isRecorded = events.some(({ call }) => call !== undefined)
  const estimates = new Float64Array(events.length)
  const calls: ContextCall[] = []
  let start = 0
  let cut: ContextCut | null = null
  const begins = createBeginnings()
  for (const [place, event] of events.entries()) {
    const last = calls.at(-1)
    const reason = cutAt(event, texts)
    // A summary behind its own boundary is the same cut.
    if (reason !== null && (cut === null || reason === 'cleared')) {
      const lost = total(last)
      cut = { reason, at: place, events: place - start, before: lost }
      start = place
    }
    if (isRecorded ? event.call !== undefined : begins(event)) {
      const recorded = event.call ?? null
      const made = { to: place, from: start, added: last?.to ?? 0, recorded, cut }
      calls.push(cut === null ? { ...made, cut: shrunk(made, last) } : made)
      cut = null
    }
    estimates[place] = isInContext(event, format) ? tokens(event) : 0
  }
  const all = { events, before: own, sums: scaled(calls, estimates) }
  return { ...all, calls: calls.filter(({ to }) => to >= own) }
}

/** [X6] Whether the agent begins to speak with an event. Asked for each event in order. */
function createBeginnings(): (event: SessionEvent) => boolean {
  let spoke = false
  return ({ kind }) => {
    if (NEVER.has(kind)) return false
    const isBeginning = OUTPUT.has(kind) && !spoke
    spoke = OUTPUT.has(kind)
    return isBeginning
  }
}

function total(call: ContextCall | undefined): number | null {
  const recorded = call?.recorded ?? null
  return recorded === null ? null : contextTokens(recorded)
}

/** [X8] A fall of the recorded tokens that no event explains. */
function shrunk(call: Omit<ContextCall, 'cut'>, last: ContextCall | undefined): ContextCut | null {
  const before = total(last)
  const now = total({ ...call, cut: null })
  if (before === null || now === null || now >= before / 2) return null
  return { reason: 'shrank', at: call.added, events: 0, before }
}

/** Estimated growth below this is too small to measure a session by. */
const LEAST = 100
const FEWEST = 3
/** Tokenizers differ by less than this from each other. */
const LOWEST = 0.5
const HIGHEST = 2.5

/**
 * [X7] Scales the estimates of texts added between two calls to the recorded growth of the context. Growth that no
 * tokenizer explains (images, hidden thoughts) counts as not measured. The median of the session applies to such
 * growth, before the first call, and after a cut.
 */
function scaled(calls: readonly ContextCall[], estimates: Float64Array): Float64Array {
  const growths = calls.map((call, nth) => growthOf(call, calls[nth - 1], estimates))
  const measured = growths.flatMap((growth) =>
    growth !== null && growth.estimated >= LEAST ? [growth.ratio] : [],
  )
  const median = measured.toSorted((a, b) => a - b)[Math.floor(measured.length / 2)] ?? 1
  const scale = measured.length < FEWEST ? 1 : median
  const sums = new Float64Array(estimates.length + 1)
  let place = 0
  const addUpTo = (end: number, factor: number): void => {
    for (; place < end; place += 1)
      sums[place + 1] = (sums[place] ?? 0) + (estimates[place] ?? 0) * factor
  }
  for (const [nth, { to }] of calls.entries()) addUpTo(to, growths[nth]?.ratio ?? scale)
  addUpTo(estimates.length, scale)
  return sums
}

interface Growth {
  readonly estimated: number
  readonly ratio: number
}

/** Returns null if nothing can be measured. */
function growthOf(
  call: ContextCall,
  last: ContextCall | undefined,
  estimates: Float64Array,
): Growth | null {
  const before = total(last)
  const now = total(call)
  if (last === undefined || call.cut !== null || before === null || now === null) return null
  let estimated = 0
  for (let place = last.to; place < call.to; place += 1) estimated += estimates[place] ?? 0
  const ratio = (now - before) / estimated
  return ratio >= LOWEST && ratio <= HIGHEST ? { estimated, ratio } : null
}
