import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { Column } from './replay.ts'

/** Data of self-signals for the timeline: one row per agent response. */
export const ResponseColumns = z.object({
  /** `seq` of the response's event. */
  seq: Column,
  /** Index into SelfSignalType.options; -1 = none. */
  type: Column,
  /** 0 to 1; 0 if there is no self-signal. */
  confidence: Column,
  /** Diagnostics of the response. */
  diagnostics: Column,
  /** 1 = the same reason too many times in a row. */
  stuck: Column,
  /** 1 = too many responses without a self-signal, by an agent that has emitted one before. */
  silent: Column,
  /** 1 = the agent has emitted none so far: silence is how it works. */
  quiet: Column,
  /** Index into FallbackAction.options; -1 = none. */
  fallback: Column,
})
export type ResponseColumns = Immutable<z.infer<typeof ResponseColumns>>

/** Data of queries and prompts for the timeline: one row per user message. */
export const QueryColumns = z.object({
  seq: Column,
  /** Index into QueryType.options. */
  type: Column,
  confidence: Column,
  /** Token estimate of the composed prompt; -1 = it could not be composed. */
  tokens: Column,
  /** Budget in tokens that the prompts were composed for. */
  budget: z.int().min(0),
})
export type QueryColumns = Immutable<z.infer<typeof QueryColumns>>

/** One piece of a comparison of two texts, in order. */
export const DiffPart = z.object({ op: z.enum(['same', 'added', 'removed']), text: z.string() })
export type DiffPart = Immutable<z.infer<typeof DiffPart>>
