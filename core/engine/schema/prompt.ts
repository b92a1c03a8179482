import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { QueryType } from './query.ts'
import { Span } from './trace.ts'

/** A reusable part of a system prompt (oracle-agent T010). */
export const PromptSegment = z.strictObject({
  id: z.string(),
  /** Relative to the prompts folder. */
  file_path: z.string(),
  /** Lower comes first. */
  priority: z.number(),
  /** Query types that include it; empty = always. */
  conditions: z.array(QueryType),
  /** Missing or broken, it is an error; over budget, it stays with a warning (P2). */
  required: z.boolean(),
  token_estimate: z.number(),
})
export type PromptSegment = Immutable<z.infer<typeof PromptSegment>>

export const TokenEstimatorName = z.enum(['chars4', 'words13', 'o200k_base'])
export type TokenEstimatorName = z.infer<typeof TokenEstimatorName>

/** Rules of composition that change behaviour; help in `prompt/options.ts`. P2, P4, P5, P6, P8 hold in every preset. */
export const PromptOptions = z.strictObject({
  budget: z.int().min(0),
  estimator: TokenEstimatorName,
  admitByRealSize: z.boolean(),
  warnUnknownSegments: z.boolean(),
  strictVariables: z.boolean(),
})
export type PromptOptions = Immutable<z.infer<typeof PromptOptions>>

/** [L13] Template variables of one segment. */
export const VariableReport = z.object({
  /** Used by the template, in order of first use. */
  needed: z.array(z.string()),
  /** Needed and given. */
  supplied: z.array(z.string()),
  /** Needed, not given, and not guarded by a default or a test: renders as empty text. */
  missing: z.array(z.string()),
  /** Given and not needed by this template. */
  unused: z.array(z.string()),
})
export type VariableReport = Immutable<z.infer<typeof VariableReport>>

export const SegmentOutcome = z.enum([
  'included',
  'included_over_budget',
  'skipped_budget',
  'failed',
  'not_for_type',
])
export type SegmentOutcome = z.infer<typeof SegmentOutcome>

/** One segment of the registry (or an added one) and whether it was used. */
export const SegmentReport = z.object({
  id: z.string(),
  /** A file of the registry, or text that another stage added. */
  origin: z.enum(['registry', 'extra', 'added']),
  filePath: z.string().nullable(),
  priority: z.number(),
  required: z.boolean(),
  outcome: SegmentOutcome,
  /** One sentence: why it is in, or why not. */
  why: z.string(),
  /** The registry's estimate. */
  estimate: z.number(),
  /** Size by the preset's estimator; null when the text was not rendered. */
  size: z.number().nullable(),
  /** By estimator, in tokens; null when the text was not rendered. */
  sizes: z.record(z.string(), z.number()).nullable(),
  /** Least budget that admits it after the segments before it; null when it was not considered. */
  admittedFrom: z.number().nullable(),
  /** Place in the composed text; null when it is not in. */
  span: Span.nullable(),
  variables: VariableReport.nullable(),
})
export type SegmentReport = Immutable<z.infer<typeof SegmentReport>>

export const ComposedPrompt = z.object({
  content: z.string(),
  segmentsIncluded: z.array(z.string()),
  tokenEstimate: z.number(),
  /** The document's warnings, word for word. */
  warnings: z.array(z.string()),
  segments: z.array(SegmentReport),
  budget: z.int(),
  /** [L13] Given and used by no segment that is in. */
  unusedVariables: z.array(z.string()),
  /** Size of the whole text, separators included, by estimator. */
  sizes: z.record(z.string(), z.number()),
})
export type ComposedPrompt = Immutable<z.infer<typeof ComposedPrompt>>
