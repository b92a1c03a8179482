import type { EventKind } from '../../schema/event-kind.ts'
import type { Item, Span } from './record.ts'

/** What a span is given by another one that tells of the same call. */
export interface Gift {
  readonly from: Span
  /** The given input is that of this call; false for the later ones of several calls in one. */
  readonly first: boolean
  /** The given output is that of this call. */
  readonly last: boolean
}

/** [I113] A span with what only the other one knows: the order of its own words stays. */
export function filled(span: Span, { from, first, last }: Gift): Span {
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
