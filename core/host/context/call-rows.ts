import type { ContextCall } from '../../engine/context/fold.ts'
import { type ContextGroup, groupsByCall, partsOf } from '../../engine/context/parts.ts'
import { costOf, type PriceFile } from '../../engine/context/prices.ts'
import {
  contextTokens,
  type ContextSource,
  type ModelCall,
  NOT_IN_FILE,
} from '../../engine/schema/context.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { ContextReading } from './read-context.ts'

/** [X11] One call as it is written for others. Calls, events and turns are numbered from 1. */
export interface CallRow {
  readonly call: number
  readonly turn: number | null
  readonly event: number
  readonly at: number | null
  readonly model: string | null
  /** Recorded tokens in the context; null if not recorded. */
  readonly tokens: number | null
  readonly recorded: ModelCall | null
  readonly window: number | null
  readonly cost: number | null
  readonly currency: string | null
  readonly cut: {
    readonly reason: string
    readonly events: number
    readonly before: number | null
  } | null
}

/** [X11] One part of a context as it is written for others. */
export interface PartRow {
  readonly event: number | null
  readonly at: number | null
  readonly label: string
  readonly tokens: number
  readonly added: boolean
  readonly source: ContextSource | null
  /** The tool call that brought it in. */
  readonly cause: { readonly event: number | null; readonly name: string | null } | null
}

/** [X11] A call with the groups of its sources, the largest first. */
export interface GroupedCall {
  readonly call: ContextCall
  readonly row: CallRow
  readonly groups: readonly ContextGroup[]
}

interface OfSession {
  /** `seq` of each turn, in order. */
  readonly turns: readonly number[]
  readonly prices: PriceFile | null
}

/** [X11] All calls of a session in order, in one pass. */
export function* callRows(
  { turns, prices }: OfSession,
  reading: ContextReading,
): Generator<GroupedCall> {
  let nth = 0
  // Calls are in order, so the turn of each is the turn of the one before, or a later one.
  let turn = 0
  for (const { call, groups } of groupsByCall(reading.context)) {
    nth += 1
    const seq = call.to - reading.context.before
    while ((turns[turn] ?? seq) < seq) turn += 1
    yield { call, row: callRow(call, { nth, turn, prices }, reading), groups }
  }
}

/**
 * [X11] Whether a call answers a turn, from 1. A call is that of the turns since the call before: of several results,
 * which one call answers, too.
 */
export function isOfTurn(
  { added, to }: ContextCall,
  turn: number,
  turns: readonly number[],
  { context: { before, calls } }: ContextReading,
): boolean {
  const seq = turns[turn - 1]
  const next = turns[turn]
  if (seq === undefined) return false
  const place = seq + before
  if (to > place && added <= place) return true
  const isFirst = calls[0]?.to === to
  if (isFirst) return place < to
  return to > place && (next === undefined || to < next + before)
}

interface Numbers {
  readonly nth: number
  readonly turn: number
  readonly prices: PriceFile | null
}

function callRow(
  call: ContextCall,
  { nth, turn, prices }: Numbers,
  reading: ContextReading,
): CallRow {
  const { recorded, cut, to } = call
  const { before, events } = reading.context
  const model = reading.modelOf(call)
  const seq = to - before
  return {
    call: nth,
    turn: turn === 0 ? null : turn,
    event: seq + 1,
    at: events[to]?.at ?? null,
    model,
    tokens: recorded === null ? null : contextTokens(recorded),
    recorded,
    window: reading.windowOf(call),
    cost: recorded === null || prices === null ? null : costOf(recorded, model, prices),
    currency: prices?.currency ?? null,
    cut: cut === null ? null : { reason: cut.reason, events: cut.events, before: cut.before },
  }
}

/** [X11] The parts of the context of a call, the largest first. */
export function partRows(
  call: ContextCall,
  { events }: Pick<Session, 'events'>,
  { context: all }: ContextReading,
): readonly PartRow[] {
  const { parts, rest } = partsOf(all, call)
  const rows = parts.map((part): PartRow => ({
    event: part.seq === null ? null : part.seq + 1,
    at: part.seq === null ? null : (events[part.seq]?.at ?? null),
    label: part.label,
    tokens: part.tokens,
    added: part.added,
    source: part.source,
    cause:
      part.cause === null
        ? null
        : { event: part.cause.seq === null ? null : part.cause.seq + 1, name: part.cause.name },
  }))
  const other = { event: null, at: null, added: false, source: null, cause: null }
  return [...rows, ...(rest > 0 ? [{ ...other, label: NOT_IN_FILE, tokens: rest }] : [])].toSorted(
    (a, b) => b.tokens - a.tokens,
  )
}
