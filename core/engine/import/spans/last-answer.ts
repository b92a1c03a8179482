import type { Family } from './family.ts'
import type { Item, Span } from './record.ts'
import type { SameCalls } from './same-call.ts'

/**
 * [I115] The outermost span with the answer that only it has: where the last model call of a trace was
 * recorded without one (a stream that nobody collected), and did not fail. Null where there is none to add.
 */
export function lastAnswer(spans: readonly Span[], family: Family, same: SameCalls): Span | null {
  const last = spans.findLast(
    (span) =>
      speaks(span) && (span.role === 'model' || span.role === 'tool') && !same.repeats(span),
  )
  if (last?.role !== 'model' || last.error !== null) return null
  if (same.whole(last).output.length > 0) return null
  const known = new Set(
    spans
      .filter(({ role }) => role === 'model')
      .flatMap(({ input, output }) => [...input, ...output].map(({ textKey }) => textKey)),
  )
  for (const span of spans) {
    if (span.role === 'model' || !(family.isTop(span) || family.parentOf(span) === null)) continue
    const output = answerIn(span.output).filter(({ textKey }) => !known.has(textKey))
    if (output.length > 0) return { ...span, output }
  }
  return null
}

function speaks({ input, output }: Span): boolean {
  return input.length > 0 || output.length > 0
}

/** What the agent says at the end of a list, which may begin with the question. */
function answerIn(output: readonly Item[]): readonly Item[] {
  const from = output.findLastIndex(({ draft }) => draft.kind !== 'agent') + 1
  return output.slice(from)
}
