import type { Family } from './family.ts'
import type { Span } from './record.ts'
import type { SameCalls } from './same-call.ts'

/** [I113] Spans whose error is that of a span in them, or of the one that stands for their call. */
export function errorsPassedOn(
  spans: readonly Span[],
  family: Family,
  same: SameCalls,
): ReadonlySet<Span> {
  const passedOn = new Set<Span>()
  for (const span of spans) {
    if (span.error === null) continue
    if (same.standsFor(span)?.error === span.error) passedOn.add(span)
    let above = family.parentOf(span)
    while (above !== null && above.error === span.error && !passedOn.has(above)) {
      passedOn.add(above)
      above = family.parentOf(above)
    }
  }
  return passedOn
}
