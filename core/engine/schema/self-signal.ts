import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { Span } from './trace.ts'

/** An agent's statements about its own state (oracle-agent T002). */
export const SelfSignalType = z.enum([
  'need_turn',
  'context_sufficient',
  'stuck',
  'need_capability',
  'partial_answer',
  'delegation_recommended',
])
export type SelfSignalType = z.infer<typeof SelfSignalType>

export const FieldType = z.enum(['str', 'int', 'float', 'bool', 'list'])
export type FieldType = z.infer<typeof FieldType>

/** One field of the block, with its position in the text. */
export const SelfSignalField = z.object({
  name: z.string(),
  type: FieldType,
  /** From `<name>` to `</name>`. */
  span: Span,
  /** The value without blanks around it. */
  valueSpan: Span,
})
export type SelfSignalField = Immutable<z.infer<typeof SelfSignalField>>

/**
 * A parsed self-signal. `fields` is JSON: integers beyond 2^53 - 1 are `{"$int": "…"}`, floats that
 * JSON has no word for `{"$float": "inf" | "-inf" | "nan"}`.
 */
export const SelfSignal = z.object({
  type: SelfSignalType,
  confidence: z.number().min(0).max(1),
  fields: z.record(z.string(), z.unknown()),
  raw_xml: z.string(),
  /** Optional fields left out because their value was not allowed (S3). */
  dropped: z.array(z.string()),
  parts: z.array(SelfSignalField),
  span: Span,
  /** Time of the response in epoch milliseconds; null if the session has no times. */
  at: z.number().nullable(),
})
export type SelfSignal = Immutable<z.infer<typeof SelfSignal>>

export const DiagnosticCode = z.enum([
  'in_fence',
  'several',
  'unfinished',
  'not_matched',
  'unknown_type',
  'invalid_fields',
  'too_deep',
  'dropped_field',
  'short_reason',
  'long_reason',
  'duplicate_field',
  'confidence_defaulted',
  'confidence_clamped',
])
export type DiagnosticCode = z.infer<typeof DiagnosticCode>

/** [L14] A notice about a response's self-signal for the operator, with its span. */
export const SelfSignalDiagnostic = z.object({
  code: DiagnosticCode,
  span: Span,
  field: z.string().nullable(),
  message: z.string(),
})
export type SelfSignalDiagnostic = Immutable<z.infer<typeof SelfSignalDiagnostic>>

/** Counters carried from response to response (AgentSignalState). */
export const SelfSignalState = z.object({
  emitted: z.int().min(0),
  last: z.object({ type: SelfSignalType, reason: z.string() }).nullable(),
  consecutiveSameReason: z.int().min(0),
  turnsWithoutSignal: z.int().min(0),
})
export type SelfSignalState = Immutable<z.infer<typeof SelfSignalState>>

/** [L16] What to do when the agent does not say how it is doing, or says it is stuck. */
export const FallbackAction = z.enum(['continue', 'force_response', 'retry_with_hint', 'escalate'])
export type FallbackAction = z.infer<typeof FallbackAction>

export const Fallback = z.object({
  action: FallbackAction,
  trigger: z.enum(['no_signal', 'low_confidence', 'stuck_signal', 'stuck_loop']),
  reason: z.string(),
  /** Text to give to the agent with `retry_with_hint`. */
  hint: z.string().nullable(),
})
export type Fallback = Immutable<z.infer<typeof Fallback>>

/**
 * Every self-signal rule that changes behaviour (DECISIONS S1 to S11, L15, L16). One line of help for each is in
 * `self-signal/options.ts`. S12 to S17 apply in every preset.
 */
export const SelfSignalOptions = z.strictObject({
  tolerantOpenTag: z.boolean(),
  lenientLengths: z.boolean(),
  dropBadOptional: z.boolean(),
  textStaysText: z.boolean(),
  lenientLists: z.boolean(),
  firstFieldWins: z.boolean(),
  confidenceInTagOnly: z.boolean(),
  plainConfidence: z.boolean(),
  skipFences: z.boolean(),
  tidySeamOnly: z.boolean(),
  hideUnfinished: z.boolean(),
  stuckAfter: z.int().min(1),
  fallbackAfter: z.int().min(1),
  heuristicFallback: z.boolean(),
  lowConfidence: z.number().min(0).max(1),
})
export type SelfSignalOptions = Immutable<z.infer<typeof SelfSignalOptions>>
