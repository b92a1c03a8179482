import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { ComposedPrompt } from './prompt.ts'
import { QueryClassification } from './query.ts'
import { Fallback, SelfSignal, SelfSignalDiagnostic, SelfSignalState } from './self-signal.ts'

/** A claim in an agent's self-signal, compared with the observed facts. */
export const ClaimCheck = z.object({
  claim: z.string(),
  observed: z.string(),
  agrees: z.boolean(),
})
export type ClaimCheck = Immutable<z.infer<typeof ClaimCheck>>

/** All that was computed for one response of an agent. */
export const SelfSignalTrace = z.object({
  /** `seq` of the event. */
  seq: z.int().min(0),
  signal: SelfSignal.nullable(),
  terminal: z.boolean().nullable(),
  stripped: z.string(),
  diagnostics: z.array(SelfSignalDiagnostic),
  before: SelfSignalState,
  after: SelfSignalState,
  /** The same reason too many times in a row. */
  stuck: z.boolean(),
  /** Too many responses without a self-signal. */
  silent: z.boolean(),
  /** The agent has emitted none so far: silence is how it works, and is shown without alarm. */
  quiet: z.boolean(),
  fallback: Fallback.nullable(),
  claims: z.array(ClaimCheck),
})
export type SelfSignalTrace = Immutable<z.infer<typeof SelfSignalTrace>>

/** All that was computed for one message of the user. */
export const QueryTrace = z.object({
  seq: z.int().min(0),
  text: z.string(),
  classification: QueryClassification,
  /** Whether earlier text was there to follow up on. */
  hasContext: z.boolean(),
})
export type QueryTrace = Immutable<z.infer<typeof QueryTrace>>

/** Placement of another stage's text in the prompt. */
export const Placement = z.object({
  what: z.enum(['enrichment', 'probe_context']),
  segment: z.string(),
  chars: z.int().min(0),
  placed: z.boolean(),
  why: z.string(),
})
export type Placement = Immutable<z.infer<typeof Placement>>

/** The prompt that would have been used for a message, or the reason why none exists. */
export const PromptTrace = z.object({
  seq: z.int().min(0),
  prompt: ComposedPrompt.nullable(),
  error: z.object({ what: z.string(), where: z.string(), do: z.string() }).nullable(),
  placements: z.array(Placement),
})
export type PromptTrace = Immutable<z.infer<typeof PromptTrace>>
