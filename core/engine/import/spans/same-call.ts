import { addTo } from '../../maps.ts'
import { besides } from './beside.ts'
import type { Family } from './family.ts'
import { filled, type Gift } from './fill.ts'
import { rank, type Span } from './record.ts'

/** Which spans of a trace tell of a call that another span tells of too. */
export interface SameCalls {
  /** True for a span whose call another span stands for. */
  readonly repeats: (span: Span) => boolean
  /** The span beside it that stands for its call; null where there is none. */
  readonly standsFor: (span: Span) => Span | null
  /** A span that counts, with what only those know that repeat it. */
  readonly whole: (span: Span) => Span
}

/**
 * [I113] The same call, told by two instrumentations: of a model call inside another the inner one
 * counts, unless only the outer one has messages (I31); of two beside each other the one that knows more.
 */
export function sameCalls(spans: readonly Span[], family: Family): SameCalls {
  const gifts = new Map<Span, Gift[]>()
  const stand = new Map<Span, Span>()
  const repeated = nestedModels(spans, family.modelAround)
  for (const [to, gift] of nestedGifts(spans, family.modelAround, repeated)) addTo(gifts, to, gift)
  const counting = spans.filter((span) => !repeated.has(span))
  for (const { best, others } of besides(counting, family.sideOf)) {
    for (const from of others) {
      repeated.add(from)
      stand.set(from, best)
      addTo(gifts, best, { from, first: true, last: true })
    }
  }
  return {
    repeats: (span) => repeated.has(span),
    standsFor: (span) => stand.get(span) ?? null,
    whole: (span) => (gifts.get(span) ?? []).reduce(filled, span),
  }
}

type OuterOf = (span: Span) => Span | null

/** Of a model call and those inside it the inner ones stay, unless only the outer one has messages. */
function nestedModels(spans: readonly Span[], outerOf: OuterOf): Set<Span> {
  const models = spans.filter((span) => span.role === 'model')
  const inside = new Map<Span, number>()
  for (const span of models.toReversed()) {
    const outer = outerOf(span)
    const best = Math.max(rank(span), inside.get(span) ?? 0)
    if (outer !== null) inside.set(outer, Math.max(best, inside.get(outer) ?? 0))
  }
  const dropped = new Set<Span>()
  const covered = new Set<Span>()
  for (const span of models) {
    const outer = outerOf(span)
    const best = inside.get(span) ?? 0
    if (outer !== null && (covered.has(outer) || !dropped.has(outer))) covered.add(span)
    else if (best > 0 && best >= rank(span)) dropped.add(span)
  }
  return new Set([...dropped, ...covered])
}

/** Wrappers around one call are few; a hostile file may nest thousands. */
const MAX_WRAPPERS = 8

/** What model calls that do not count give to those around them, or in them, that do. */
function nestedGifts(
  spans: readonly Span[],
  outerOf: OuterOf,
  repeated: ReadonlySet<Span>,
): ReadonlyArray<readonly [Span, Gift]> {
  const gifts: Array<readonly [Span, Gift]> = []
  const heirs = new Map<Span, Span[]>()
  for (const span of spans) {
    if (span.role !== 'model') continue
    let outer = outerOf(span)
    for (let n = 0; n < MAX_WRAPPERS && outer !== null; n += 1, outer = outerOf(outer)) {
      if (!repeated.has(span) && repeated.has(outer)) addTo(heirs, outer, span)
      if (repeated.has(span) && !repeated.has(outer)) {
        gifts.push([outer, { from: span, first: true, last: true }])
        break
      }
    }
  }
  for (const [from, list] of heirs) {
    for (const [n, span] of list.entries()) {
      if (n > 0 && n < list.length - 1) continue
      gifts.push([span, { from, first: n === 0, last: n === list.length - 1 }])
    }
  }
  return gifts
}
