import type { Item, Span, Trace } from './record.ts'

/** [I151] Adds what an event in a log tells to what others of the same span told before. */
export function tellTrace({ told }: Trace, event: Span): void {
  const before = told.get(event.id)
  if (before === undefined) {
    told.set(event.id, event)
    return
  }
  const { input, output, notes, group, agent, model } = event
  told.set(event.id, {
    ...before,
    ...{ input: [...before.input, ...input], output: [...before.output, ...output] },
    ...{ notes: [...before.notes, ...notes], group: before.group ?? group },
    ...{ agent: before.agent ?? agent, model: before.model ?? model },
    endAt: event.endAt ?? before.endAt,
    endSource: output.length > 0 ? event.source : before.endSource,
    structured: before.structured || event.structured,
  })
}

/**
 * [I151] A trace with the words that came as events in logs: a model call without words of its own
 * says them; where the span is another one, or never came, they are a call of their own in it.
 */
export function withTold(trace: Trace): Trace {
  if (trace.told.size === 0) return trace
  const spans = new Map(trace.spans)
  for (const [id, told] of trace.told) {
    const span = spans.get(id)
    if (span === undefined) spans.set(id, told)
    else if (span.role === 'model') spans.set(id, saying(span, told))
    else spans.set(`${id}#log`, within(span, told))
  }
  return { ...trace, spans }
}

function saying(span: Span, told: Span): Span {
  const [input, output] = [own(span.input, told.input), own(span.output, told.output)]
  return {
    ...span,
    ...{ input, output, notes: [...span.notes, ...told.notes] },
    ...{ group: span.group ?? told.group, model: span.model ?? told.model },
    source: input === told.input ? told.source : span.source,
    endSource: output === told.output ? told.endSource : span.endSource,
    structured: span.structured || told.structured,
  }
}

function own(items: readonly Item[], told: readonly Item[]): readonly Item[] {
  return items.length > 0 || told.length === 0 ? items : told
}

function within(span: Span, told: Span): Span {
  return { ...told, id: `${told.id}#log`, parent: span.id, library: span.library }
}
