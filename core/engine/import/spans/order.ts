import type { Span } from './record.ts'

/** Order of start; spans without a time stay behind the one before them in the file. */
export function inOrder(spans: readonly Span[]): readonly Span[] {
  let last = 0
  const placed = spans.map((span) => {
    last = span.start ?? last
    return { span, start: last }
  })
  const ordered = placed.toSorted((a, b) => a.start - b.start || a.span.nth - b.span.nth)
  return parentsFirst(ordered.map(({ span }) => span))
}

/** [I115] A span begins no later than those in it, whatever the clocks say. */
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
