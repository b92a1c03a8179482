import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import type { ContextSource, ModelCall } from './context.ts'
import type { EventKind } from './event-kind.ts'

/** Position of an event in its file: byte offset and length of the record, and its 1-based line. */
export const SourceRef = z.object({
  offset: z.int().min(0),
  length: z.int().min(0),
  line: z.int().min(1),
  /** Index into the transcript's `files`; absent for the opened file itself. */
  file: z.int().min(0).optional(),
})
export type SourceRef = Immutable<z.infer<typeof SourceRef>>

/** A text itself, or its position in the session's text store. */
export type EventText = string | number

/** Store for texts, so that an open session does not hold them all in memory. */
export interface TextReader {
  /** The text that is kept in a place, unit for unit as it was put there. */
  get(place: number): string
}

/** One record (or one block of a record) of a transcript, in file order. Plain data: it may be copied. */
export interface SessionEvent {
  /** 0-based place among the events of its session. */
  readonly seq: number
  readonly kind: EventKind
  /** Read it with `textOf`. */
  readonly text: EventText
  /** UTF-16 units of the text. */
  readonly chars: number
  /** The text is nothing but white space. */
  readonly blank: boolean
  /** [B27] A tool result with nothing but notices of its client. Absent for all other events. */
  readonly notice?: boolean
  /** Epoch milliseconds, or null if the format has no times. */
  readonly at: number | null
  /** Tool name of a call or result, author of a message, rule that recognised an injection. */
  readonly name: string | null
  /** Joins a tool result to its call. */
  readonly callId: string | null
  readonly isError: boolean
  readonly model: string | null
  readonly source: SourceRef
  /** Fields of the native format that this version does not know, written back as they were read. */
  readonly extras?: Readonly<Record<string, unknown>>
  /** [X1] Source of an injected text. Absent for all other events, to keep them small. */
  readonly from?: ContextSource
  /** [X2] The model call that this event is the first output of. */
  readonly call?: ModelCall
}

/** The text of an event; `texts` is the store of its session. */
export function textOf({ text }: Pick<SessionEvent, 'text'>, texts: TextReader): string {
  return typeof text === 'string' ? text : texts.get(text)
}

/** For sessions whose events hold their texts themselves. */
export const NO_TEXTS: TextReader = {
  get(place) {
    throw new RangeError(`no text is kept in place ${place}`)
  },
}

/** An event with its text in it. */
export interface PlainEvent extends SessionEvent {
  readonly text: string
}

/** The events of a session with their texts in them: only for sessions that fit into memory. */
export function plainEvents({ events, texts }: SessionTexts): readonly PlainEvent[] {
  return events.map((event) => ({ ...event, text: textOf(event, texts) }))
}

/** Events, and where their texts are. */
export interface SessionTexts {
  readonly events: readonly SessionEvent[]
  readonly texts: TextReader
}
