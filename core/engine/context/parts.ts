import { contextTokens, type ContextSource, NOT_IN_FILE } from '../schema/context.ts'
import type { SessionEvent } from '../schema/event.ts'
import type { ContextCall, SessionContext } from './fold.ts'
import { partLabel, sourceOf } from './source.ts'

/** One text in the context of a call. */
export interface ContextPart {
  /** `seq` of the event; null if the event precedes a branch, in the parent session. */
  readonly seq: number | null
  readonly label: string
  readonly tokens: number
  /** It was not in the context of the call before. */
  readonly added: boolean
  readonly source: ContextSource | null
  /** The tool call that brought it in; null if unknown. */
  readonly cause: PartCause | null
}

/** A tool call that brought a text into the context. */
export interface PartCause {
  /** Event of this session; null for one before the branch. */
  readonly seq: number | null
  /** The tool's name, as recorded. */
  readonly name: string | null
}

/** The context of one call. `parts` and `rest` add up to `tokens`. */
export interface CallParts {
  /** As recorded; the sum of the estimates if nothing is recorded. */
  readonly tokens: number
  readonly parts: readonly ContextPart[]
  /** Recorded tokens that no text of the file explains. */
  readonly rest: number
}

/** A name with the tokens of all parts under it. */
export interface ContextGroup {
  readonly label: string
  readonly tokens: number
  readonly parts: number
}

interface Sized {
  readonly tokens: number
  /** 1, or less if the texts would come to more than the recorded tokens. */
  readonly factor: number
  readonly rest: number
}

/** [X7] Estimates are scaled as measured, and never to more than the recorded tokens. */
export function sizeOf({ sums }: SessionContext, call: ContextCall): Sized {
  const estimated = (sums[call.to] ?? 0) - (sums[call.from] ?? 0)
  if (call.recorded === null) {
    const tokens = Math.round(estimated)
    return { tokens, factor: 1, rest: 0 }
  }
  const tokens = contextTokens(call.recorded)
  const factor = estimated === 0 ? 0 : Math.min(1, tokens / estimated)
  return { tokens, factor, rest: tokens - Math.round(estimated * factor) }
}

/** [X7] The parts of the context of a call in their order. Whole numbers that add up to its tokens. */
export function partsOf(context: SessionContext, call: ContextCall): CallParts {
  const { events, before, sums } = context
  const { tokens, factor, rest } = sizeOf(context, call)
  const base = sums[call.from] ?? 0
  const parts: ContextPart[] = []
  // A call precedes the texts that it brings in.
  const causes = new Map<string, PartCause>()
  let given = 0
  for (let place = call.from; place < call.to; place += 1) {
    const event = events[place]
    if (event === undefined) continue
    const seq = place < before ? null : event.seq
    if (event.kind === 'tool_call' && event.callId !== null)
      causes.set(event.callId, { seq, name: event.name })
    if (sums[place + 1] === sums[place]) continue
    const source = event.kind === 'injected' ? sourceOf(event) : null
    // Rounding the running sum, not each part, keeps the sum of the parts exact.
    const upTo = Math.round(((sums[place + 1] ?? 0) - base) * factor)
    parts.push({
      seq,
      label: partLabel(event),
      tokens: upTo - given,
      added: place >= call.added,
      source,
      cause: causes.get(source?.cause ?? '') ?? null,
    })
    given = upTo
  }
  return { tokens, parts, rest }
}

function ordered(
  groups: ReadonlyMap<string, { readonly tokens: number; readonly parts: number }>,
  rest: number,
): readonly ContextGroup[] {
  const list = [...groups].map(([label, group]) => ({ label, ...group }))
  const all = rest > 0 ? [...list, { label: NOT_IN_FILE, tokens: rest, parts: 0 }] : list
  return all.toSorted((a, b) => b.tokens - a.tokens || (a.label < b.label ? -1 : 1))
}

/**
 * [X7] The groups of every call in order, in one pass: a long session has many thousands of calls, each with
 * thousands of parts.
 */
export function* groupsByCall(
  context: SessionContext,
): Generator<{ readonly call: ContextCall; readonly groups: readonly ContextGroup[] }> {
  const { events, sums } = context
  let groups = new Map<string, { tokens: number; parts: number }>()
  let from = 0
  let place = 0
  for (const call of context.calls) {
    if (call.from !== from) {
      groups = new Map()
      from = call.from
      place = call.from
    }
    for (; place < call.to; place += 1) addEvent(groups, events[place], sizeAt(sums, place))
    const { tokens, factor } = sizeOf(context, call)
    const scaled = new Map<string, { tokens: number; parts: number }>()
    let sum = 0
    let given = 0
    for (const [label, group] of groups) {
      sum += group.tokens
      const upTo = Math.round(sum * factor)
      scaled.set(label, { tokens: upTo - given, parts: group.parts })
      given = upTo
    }
    yield { call, groups: ordered(scaled, call.recorded === null ? 0 : tokens - given) }
  }
}

function sizeAt(sums: Float64Array, place: number): number {
  return (sums[place + 1] ?? 0) - (sums[place] ?? 0)
}

function addEvent(
  groups: Map<string, { tokens: number; parts: number }>,
  event: SessionEvent | undefined,
  size: number,
): void {
  if (event === undefined || size === 0) return
  const label = partLabel(event)
  const group = groups.get(label) ?? { tokens: 0, parts: 0 }
  group.tokens += size
  group.parts += 1
  groups.set(label, group)
}
