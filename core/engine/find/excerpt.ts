import type { PlainEvent } from '../schema/event.ts'
import type { Span } from '../schema/trace.ts'
import type { Query } from './query.ts'

/** UTF-16 units shown before the first match, and in all. */
const BEFORE = 60
const LENGTH = 240
/** Spans of one excerpt. */
const MAX_SPANS = 50

/** A piece of an event's text around the first match; spans are offsets in it. */
export interface ExcerptText {
  readonly text: string
  readonly spans: readonly Span[]
}

/**
 * [F9] The text around the first match of a text term that is not negated, with all matches in it. If the query has no
 * text term, the beginning of the event. `…` marks omitted text.
 */
export function excerptOf({ text }: Pick<PlainEvent, 'text'>, query: Query): ExcerptText {
  const patterns = query.terms.flatMap(({ negated, condition }) =>
    negated || condition.field !== 'text' ? [] : condition.any.map(({ regexp }) => regexp),
  )
  const first = Math.min(...patterns.map((regexp) => startOf(regexp, text)))
  const found = Number.isFinite(first) ? first : 0
  const start = whole(text, found <= BEFORE ? 0 : found - BEFORE)
  const end = whole(text, Math.min(text.length, start + LENGTH))
  const lead = start > 0 ? '…' : ''
  const spans: Span[] = []
  if (Number.isFinite(first)) {
    for (const regexp of patterns) spans.push(...spansOf(regexp, text, { from: found, end }))
  }
  const shift = lead.length - start
  return {
    text: `${lead}${text.slice(start, end)}${end < text.length ? '…' : ''}`,
    spans: merged(spans).map(([from, to]) => [from + shift, to + shift]),
  }
}

function startOf(regexp: RegExp, text: string): number {
  const at = text.search(regexp)
  return at < 0 ? Infinity : at
}

/** Matches that begin in the excerpt. A match that extends beyond it is cut. */
function spansOf(
  regexp: RegExp,
  text: string,
  { from, end }: { readonly from: number; readonly end: number },
): Span[] {
  const every = new RegExp(regexp.source, `${regexp.flags}g`)
  every.lastIndex = from
  const spans: Span[] = []
  for (let match = every.exec(text); match !== null; match = every.exec(text)) {
    if (match.index >= end || spans.length >= MAX_SPANS) break
    if (match[0] === '') every.lastIndex += 1
    else spans.push([match.index, Math.min(end, match.index + match[0].length)])
  }
  return spans
}

/** In order, overlapping ones joined. */
function merged(spans: readonly Span[]): Span[] {
  const joined: Span[] = []
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last !== undefined && start < last[1]) {
      joined[joined.length - 1] = [last[0], Math.max(last[1], end)]
    } else joined.push([start, end])
  }
  return joined
}

/** Never between the halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return at > 0 && at < text.length && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
