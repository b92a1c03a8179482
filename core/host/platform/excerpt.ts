import type { Span } from '../../engine/schema/trace.ts'

/** Maximum UTF-16 units of an excerpt, and how many may precede the first span. */
const MOST = 400
const BEFORE = 80
const MAX_SPANS = 60

/** At most 400 units around the first span; spans are offsets in the excerpt. */
export function excerptAround(text: string, spans: readonly Span[]) {
  const inOrder = spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const first = inOrder[0]?.[0] ?? 0
  const start = first <= BEFORE ? 0 : whole(text, first - BEFORE)
  const lead = start > 0 ? '…' : ''
  const end = whole(text, Math.min(text.length, start + MOST - 2))
  const shown: Span[] = []
  for (const [from, to] of inOrder) {
    if (from >= end || shown.length === MAX_SPANS) break
    const shift = lead.length - start
    shown.push([from + shift, Math.min(to, end) + shift])
  }
  const excerpt = `${lead}${text.slice(start, end)}${end < text.length ? '…' : ''}`
  return { excerpt, spans: shown }
}

/** Never between the halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return at > 0 && at < text.length && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
