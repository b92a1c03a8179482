import type { SourceRef } from '../../schema/event.ts'
import type { EventContent } from '../shared/call-parts.ts'
import { draft, sessionDraft, type Origin, type SessionDraft } from '../shared/drafts.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import type { ImportLog } from '../shared/import-log.ts'
import type { Importer, RawRecord } from '../source.ts'
import type { Item, Span, SpanRecord, Trace } from './record.ts'
import { sessionsOfSpans, type SpanSessions } from './sessions.ts'

/** Reads a file record by record into spans. */
export function readSpans(
  take: (record: RawRecord, spans: SpanReader, log: ImportLog) => void,
): Importer['read'] {
  return (log) => {
    const spans = createSpanReader(log)
    return {
      take: (record) => take(record, spans, log),
      drafts: spans.drafts,
      tidy: spans.tidy,
    }
  }
}

/** Collects the spans of a file and makes sessions of them. */
export interface SpanReader {
  readonly take: (record: SpanRecord, source: SourceRef) => void
  /** [I151] Adds the data of a log event to its span, which may arrive before it, after it, or never. */
  readonly tell: (record: SpanRecord & { readonly id: string }, source: SourceRef) => void
  readonly drafts: () => Iterable<SessionDraft>
  /** Rebuilds the sessions. `told` are conversations whose messages are known from elsewhere. */
  readonly build: (told?: ReadonlySet<string>) => SpanSessions
  readonly tidy: () => void
}

export function createSpanReader(log: ImportLog): SpanReader {
  const traces = new Map<string, Trace>()
  // Events that are in no session yet: the host moves their texts out of memory like all others.
  let pool = sessionDraft('')
  let built: readonly SessionDraft[] = []
  let nth = 0
  let prints = createPrints()
  const read = (record: SpanRecord, source: SourceRef): { trace: Trace; span: Span } => {
    nth += 1
    log.used()
    prints = createPrints(prints.known)
    const id = record.trace ?? 'trace'
    const trace = traces.get(id) ?? { id, spans: new Map(), items: new Map(), told: new Map() }
    traces.set(id, trace)
    const keep = keeper(trace, record, { source, pool, print: prints.of })
    return { trace, span: spanOf(record, { trace: id, source, nth, keep }) }
  }
  const build = (told?: ReadonlySet<string>): SpanSessions => {
    pool = sessionDraft('')
    const made = sessionsOfSpans([...traces.values()].map(withTold), told)
    built = made.sessions
    return made
  }
  return {
    take(record, source) {
      const { trace, span } = read(record, source)
      const before = trace.spans.get(span.id)
      if (before === undefined) trace.spans.set(span.id, span)
      else if (isOther(before, span))
        trace.spans.set(`${span.id}#${nth}`, { ...span, id: `${span.id}#${nth}` })
      else if (adds(before, span)) trace.spans.set(span.id, merged(before, span))
      else log.skip('span repeated')
    },
    tell(record, source) {
      const { trace, span } = read(record, source)
      tellTrace(trace, span)
    },
    drafts: () => [pool, ...built],
    build,
    tidy: () => log.recount(build().left),
  }
}

interface Making {
  readonly trace: string
  readonly source: SourceRef
  readonly nth: number
  readonly keep: (content: EventContent, at: number | null) => Item
}

function spanOf(record: SpanRecord, making: Making): Span {
  const { keep, ...place } = making
  const { at, endAt } = record
  const input = record.input.events.map((content) => keep(content, at))
  const output = record.output.events.map((content) => keep(content, endAt ?? at))
  noteCall(record, output)
  return {
    ...record,
    ...place,
    endSource: making.source,
    id: record.id ?? `span-${making.nth}`,
    input,
    output,
    notes: record.notes.map((content) => keep(content, endAt ?? at)),
    structured: record.input.structured || record.output.structured,
  }
}

/** [X2] An answer that was said before in the same words keeps the numbers of its first call. */
function noteCall(
  { id, role, usage }: Pick<SpanRecord, 'id' | 'role' | 'usage'>,
  output: readonly Item[],
): void {
  const event = output[0]?.draft
  if (role !== 'model' || usage === null || usage === undefined || event === undefined) return
  event.call ??= { id, ...usage }
}

interface Keeping {
  readonly source: SourceRef
  readonly pool: SessionDraft
  readonly print: (text: string) => string
}

function keeper(
  trace: Trace,
  record: SpanRecord,
  { source, pool, print }: Keeping,
): Making['keep'] {
  return (content, at) => {
    const textKey = print(content.text)
    // An answer and its repetition in the next call may have different other fields.
    const which =
      content.kind === 'tool_result'
        ? content.callId
        : content.kind === 'agent'
          ? null
          : content.name
    const key = `${content.kind}\0${which ?? ''}\0${textKey}`
    const known = trace.items.get(key)
    if (known !== undefined && (content.callId === null || known.draft.callId === content.callId))
      return known
    const origin: Origin = { at, model: record.model, source }
    const item = { draft: draft(content.kind, content.text, origin, content), key, textKey }
    trace.items.set(key, item)
    pool.events.push(item.draft)
    return item
  }
}

/** The same id twice may be a repetition, or the second part of the span (LangSmith's patch). */
function isOther(before: Span, span: Span): boolean {
  return before.start !== null && span.start !== null && before.start !== span.start
}

function adds(before: Span, span: Span): boolean {
  return (
    (before.input.length === 0 && span.input.length > 0) ||
    (before.output.length === 0 && span.output.length > 0) ||
    (before.error === null && span.error !== null) ||
    before.notes.length < span.notes.length ||
    (before.group === null && span.group !== null)
  )
}

function filled(items: readonly Item[], others: readonly Item[]): readonly Item[] {
  return items.length > 0 ? items : others
}

/** True when the second record says how it ended. */
function closes(before: Span, span: Span): boolean {
  if (span.output.length > 0 || span.notes.length > 0) return true
  return before.error === null && span.error !== null
}

function writtenBy(before: Span, span: Span): Pick<Span, 'library' | 'answerId'> {
  return {
    library: before.library ?? span.library,
    answerId: span.answerId ?? before.answerId,
  }
}

function merged(before: Span, span: Span): Span {
  const whole: Span = {
    ...span,
    usage: span.usage ?? before.usage,
    nth: before.nth,
    source: before.input.length > 0 ? before.source : span.source,
    endSource: closes(before, span) ? span.endSource : before.endSource,
    name: before.name === '' ? span.name : before.name,
    parent: before.parent ?? span.parent,
    group: before.group ?? span.group,
    role: before.role === 'other' ? span.role : before.role,
    agent: before.agent ?? span.agent,
    start: before.start ?? span.start,
    at: before.at ?? span.at,
    model: span.model ?? before.model,
    ...writtenBy(before, span),
    error: before.error ?? span.error,
    facts: { ...before.facts, ...span.facts },
    input: filled(before.input, span.input),
    output: filled(span.output, before.output),
    notes: filled(span.notes, before.notes),
    structured: before.structured || span.structured,
  }
  // Only one of two records may know the role, and only the other one the numbers.
  noteCall(whole, whole.output)
  return whole
}

/** Fingerprints of the texts of one record, in order. */
interface Prints {
  readonly of: (text: string) => string
  readonly known: readonly Print[]
}

interface Print {
  readonly text: string
  readonly print: string
}

/** A call mostly repeats the list of the call before: comparing two texts is far cheaper than a fingerprint. */
function createPrints(before: readonly Print[] = []): Prints {
  const known: Print[] = []
  return {
    known,
    of(text) {
      const old = before[known.length]
      const same = old?.text === text ? old : { text, print: fingerprint(text) }
      known.push(same)
      return same.print
    },
  }
}

/** [I151] Adds the data of a log event to the earlier log data of the same span. */
function tellTrace({ told }: Trace, event: Span): void {
  const before = told.get(event.id)
  if (before === undefined) {
    told.set(event.id, event)
    return
  }
  const { input, output, notes, group, agent, model } = event
  told.set(event.id, {
    ...before,
    input: [...before.input, ...input],
    output: [...before.output, ...output],
    notes: [...before.notes, ...notes],
    group: before.group ?? group,
    agent: before.agent ?? agent,
    model: before.model ?? model,
    endAt: event.endAt ?? before.endAt,
    endSource: output.length > 0 ? event.source : before.endSource,
    structured: before.structured || event.structured,
  })
}

/**
 * [I151] A trace with the messages that arrived as log events. A model call without messages receives them. If the span
 * has another role or never arrived, they form a separate call.
 */
function withTold(trace: Trace): Trace {
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
  const input = own(span.input, told.input)
  const output = own(span.output, told.output)
  return {
    ...span,
    input,
    output,
    notes: [...span.notes, ...told.notes],
    group: span.group ?? told.group,
    model: span.model ?? told.model,
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
