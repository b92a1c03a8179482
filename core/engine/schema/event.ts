import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/**
 * What a record of a transcript is. `user` is what a person typed; everything a harness put under
 * the user's role has a kind of its own, because it must not be classified as the user's.
 */
export const EventKind = z.enum([
  'user',
  'agent',
  'reasoning',
  'tool_call',
  'tool_result',
  'injected',
  'command',
  'summary',
  'interruption',
  'subagent_prompt',
  'notification',
  'system',
  'meta',
  /** A step of a pipeline with its results; `text` is the JSON of a `StepRecord`. */
  'step',
])
export type EventKind = z.infer<typeof EventKind>

/** Where an event stands in its file: byte offset and length of the record, and its 1-based line. */
export const SourceRef = z.object({
  offset: z.int().min(0),
  length: z.int().min(0),
  line: z.int().min(1),
  /** Index into the transcript's `files`; absent for the opened file itself. */
  file: z.int().min(0).optional(),
})
export type SourceRef = Immutable<z.infer<typeof SourceRef>>

/** One record (or one block of a record) of a transcript, in file order. */
export const SessionEvent = z.object({
  /** 0-based place among the events of its session. */
  seq: z.int().min(0),
  kind: EventKind,
  text: z.string(),
  /** Epoch milliseconds, or null where the format has no times. */
  at: z.number().nullable(),
  /** Tool name of a call or result, author of a message, rule that recognised an injection. */
  name: z.string().nullable(),
  /** Joins a tool result to its call. */
  callId: z.string().nullable(),
  isError: z.boolean(),
  model: z.string().nullable(),
  source: SourceRef,
  /** Fields of the native format that this version does not know, written back as they were read. */
  extras: z.record(z.string(), z.unknown()).optional(),
})
export type SessionEvent = Immutable<z.infer<typeof SessionEvent>>
