import type { SourceRef } from '../../schema/event.ts'
import { NO_CONTENT, type CallContent } from '../shared/call-messages.ts'
import type { EventContent } from '../shared/call-parts.ts'
import type { EventDraft } from '../shared/drafts.ts'
import { compact, type JsonObject } from '../shared/guards.ts'
import type { Recorded } from '../shared/model-calls.ts'

/** A span, observation or run of any exporter. Unknown fields are null. */
export interface SpanRecord {
  /** Unique in its trace; null if the exporter wrote none or only zeros. */
  readonly id: string | null
  readonly parent: string | null
  readonly trace: string | null
  /** Id that joins several traces into one conversation. */
  readonly group: string | null
  readonly name: string
  readonly role: 'model' | 'tool' | 'agent' | 'other'
  /** Name of the agent that it belongs to. */
  readonly agent: string | null
  /** Orders spans; any unit, the same in the whole file. */
  readonly start: number | null
  /** Epoch milliseconds. */
  readonly at: number | null
  readonly endAt: number | null
  readonly model: string | null
  /** [I113] The instrumentation that wrote it: the name of its scope. */
  readonly library: string | null
  /** [I113] The id that the provider gave to the answer. */
  readonly answerId: string | null
  /** The exporter's message about a failure. */
  readonly error: string | null
  readonly input: CallContent
  readonly output: CallContent
  /** Judgements and the like, shown as `meta`: name and text. */
  readonly notes: readonly EventContent[]
  /** Shown if there is neither input nor output. */
  readonly facts: JsonObject
  /** [X2] Recorded numbers of a model call; absent or null if it has none. */
  readonly usage?: Recorded | null | undefined
}

/** A span about which nothing is known. */
export const EMPTY_SPAN: SpanRecord = {
  id: null,
  parent: null,
  trace: null,
  group: null,
  name: '',
  role: 'other',
  agent: null,
  start: null,
  at: null,
  endAt: null,
  model: null,
  library: null,
  answerId: null,
  error: null,
  input: NO_CONTENT,
  output: NO_CONTENT,
  notes: [],
  facts: {},
}

/** [I31] A content that became an event once; spans that repeat it refer to the same item. */
export interface Item {
  readonly draft: EventDraft
  /** The same for the same words of the same speaker. */
  readonly key: string
  /** The same for the same words. */
  readonly textKey: string
  /** [I113] Source and time of the span that stated the item, if the item was taken over from another span. */
  readonly told?: Pick<EventDraft, 'source' | 'at'>
}

/** A span while its file is read. */
export interface Span extends Omit<SpanRecord, 'id' | 'trace' | 'input' | 'output' | 'notes'> {
  readonly id: string
  readonly trace: string
  readonly source: SourceRef
  /** The record that says how it ended; the same unless two records make up the span. */
  readonly endSource: SourceRef
  readonly input: readonly Item[]
  readonly output: readonly Item[]
  readonly notes: readonly Item[]
  readonly structured: boolean
  /** Place in the file. */
  readonly nth: number
}

export interface Trace {
  readonly id: string
  readonly spans: Map<string, Span>
  readonly items: Map<string, Item>
  /** [I151] Data about its spans from events in logs. */
  readonly told: Map<string, Span>
}

/** Ranks a model call by its content: nothing (0), some text (1), messages (2). */
export function rank(span: Span): number {
  if (span.input.length === 0 && span.output.length === 0) return 0
  return span.structured ? 2 : 1
}

/** Facts of a span about which nothing else is known. */
export function factsText(span: Span): string {
  return compact({ span: span.name, ...span.facts }).slice(0, 4000)
}
