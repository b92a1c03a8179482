import { addTo } from '../../maps.ts'
import type { EventKind } from '../../schema/event-kind.ts'
import type { Family } from './family.ts'
import { libraryOf } from './library.ts'
import { rank, type Item, type Span } from './record.ts'

/** Spans of a trace that record the same call as another span. */
export interface SameCalls {
  /** True for a span whose call another span represents. */
  readonly repeats: (span: Span) => boolean
  /** The sibling span that represents its call; null if none exists. */
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

/**
 * Returns the data that repeated model calls pass on to the call that counts: to the one around them, or to those
 * inside.
 */
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

/** Spans beside each other that tell of one call: the one that knows most, and the others. */
interface Besides {
  readonly best: Span
  readonly others: readonly Span[]
}

/** A call may be told by a framework, its provider's SDK and a proxy; more are compared with no others. */
const MAX_OPEN = 16

/**
 * [I113] Spans of models or tools under the same agent and tool whose times overlap, that two
 * instrumentations wrote, and that say the same as far as both say something. The provider's id of
 * the answer decides alone where both have one. Equal calls after one another stay two.
 */
function besides(spans: readonly Span[], sideOf: (span: Span) => string): readonly Besides[] {
  const groups: Span[][] = []
  const groupOf = new Map<Span, Span[]>()
  const near = new Map<string, Span[]>()
  for (const span of spans) {
    const keys = keysOf(span, sideOf(span))
    const twin = keys
      .flatMap((key) => near.get(key)?.slice(-MAX_OPEN) ?? [])
      .find((other) => isSame(groupOf.get(other) ?? [other], span))
    const group = (twin === undefined ? undefined : groupOf.get(twin)) ?? []
    if (group.length === 0) groups.push(group)
    group.push(span)
    groupOf.set(span, group)
    for (const key of keys) addTo(near, key, span)
  }
  return groups.flatMap((group) => {
    const [best, ...others] = group.toSorted((a, b) => knows(b) - knows(a))
    return best === undefined || others.length === 0 ? [] : [{ best, others }]
  })
}

/** Spans of one call have one of these in common. */
function keysOf(span: Span, side: string): readonly string[] {
  if (span.role !== 'model' && span.role !== 'tool') return []
  const asked = said(span.input).at(-1)
  const answered = said(span.output).at(-1)
  return [asked, answered, span.answerId]
    .filter((key) => key !== undefined && key !== null)
    .map((key, n) => `${span.role}\0${side}\0${n}\0${key}`)
}

/** The words of a list: its system prompts and thoughts are not in every telling. */
function said(items: readonly Item[]): readonly string[] {
  return items
    .filter(({ draft }) => draft.kind !== 'system' && draft.kind !== 'reasoning')
    .map(({ textKey, draft }) =>
      draft.kind === 'tool_call' ? `${draft.name}\0${textKey}` : textKey,
    )
}

/** Whether the span is the same call as each of a group. An instrumentation never records a call twice. */
function isSame(group: readonly Span[], span: Span): boolean {
  return group.every((other) => isTwin(other, span))
}

function isTwin(a: Span, b: Span): boolean {
  const one = libraryOf(a)
  const two = libraryOf(b)
  if (one === null || two === null || one === two) return false
  if (a.answerId !== null && b.answerId !== null) return a.answerId === b.answerId
  if (!overlap(a, b)) return false
  const asked = endsAlike(said(a.input), said(b.input))
  const answered = endsAlike(said(a.output), said(b.output))
  return asked !== false && answered !== false && (asked ?? answered) === true
}

/** Both ends have to be known, and calls after one another only touch. */
function overlap(a: Span, b: Span): boolean {
  if (a.at === null || b.at === null || a.endAt === null || b.endAt === null) return false
  return Math.max(a.at, b.at) < Math.min(a.endAt, b.endAt)
}

/** Whether the shorter list is the end of the longer one; null if either is empty. */
function endsAlike(a: readonly string[], b: readonly string[]): boolean | null {
  const length = Math.min(a.length, b.length)
  if (length === 0) return null
  return a.slice(-length).every((key, n) => key === b.at(n - length))
}

/** Ranks a span by its content: messages before text, then an answer, then call ids, then the length of the input. */
function knows(span: Span): number {
  const ids = span.output.concat(span.input).filter(({ draft }) => draft.callId !== null).length
  const answers = span.output.length > 0 ? 1 : 0
  return rank(span) * 1e12 + answers * 1e11 + Math.min(ids, 1e4) * 1e6 + span.input.length
}

/** Data that a span receives from another span of the same call. */
interface Gift {
  readonly from: Span
  /** The given input is that of this call; false for the later ones of several calls in one. */
  readonly first: boolean
  /** The given output is that of this call. */
  readonly last: boolean
}

/** [I113] Completes a span with data that only the other one has. The order of the span's own messages is kept. */
function filled(span: Span, { from, first, last }: Gift): Span {
  const alone = first && last
  const whole: Span = {
    ...span,
    input: first ? withSystem(span, from) : span.input,
    output: last ? withAnswer(span, from, alone) : span.output,
  }
  if (!alone) return whole
  return {
    ...whole,
    model: span.model ?? from.model,
    error: span.error ?? from.error,
    endAt: span.endAt ?? from.endAt,
  }
}

function withSystem(span: Span, from: Span): readonly Item[] {
  if (span.input.length === 0) return given(from.input, from, from.at)
  if (has(span.input, 'system')) return span.input
  const systems = from.input.filter(({ draft }) => draft.kind === 'system')
  return [...given(systems, from, from.at), ...span.input]
}

/** Thoughts come before the answer, calls after it. */
function withAnswer(span: Span, from: Span, alone: boolean): readonly Item[] {
  const answer = given(from.output, { ...from, source: from.endSource }, from.endAt ?? from.at)
  if (span.output.length === 0) return answer
  if (!alone) return span.output
  const missing = (kind: EventKind): readonly Item[] =>
    has(span.output, kind) ? [] : answer.filter(({ draft }) => draft.kind === kind)
  return [...missing('reasoning'), ...span.output, ...missing('tool_call')]
}

function has(items: readonly Item[], kind: EventKind): boolean {
  return items.some(({ draft }) => draft.kind === kind)
}

function given(items: readonly Item[], { source }: Span, at: number | null): readonly Item[] {
  return items.map((item) => ({ ...item, told: { source, at } }))
}
