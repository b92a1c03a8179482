import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/** The request type of a message (oracle-agent T003). */
export const QueryType = z.enum(['code', 'documentation', 'research', 'conversational', 'action'])
export type QueryType = z.infer<typeof QueryType>

export const QueryClassification = z.object({
  type: QueryType,
  confidence: z.number().min(0).max(1),
  /** Sorted (Q5). */
  keywords: z.array(z.string()),
  needsCode: z.boolean(),
  needsVault: z.boolean(),
  needsWeb: z.boolean(),
  /** Id of the prompt segment of this type. */
  segment: z.string(),
  /** Score of every type; null if the text was not scored (empty or very short). */
  scores: z.record(QueryType, z.number()).nullable(),
  question: z.boolean(),
  /** Which step decided. */
  by: z.enum(['empty', 'short', 'score', 'leading_imperative', 'followup', 'none']),
})
export type QueryClassification = Immutable<z.infer<typeof QueryClassification>>

/** Rules of query classification that change behaviour; help in `query/options.ts`. Q5 to Q9 hold in every preset. */
export const QueryOptions = z.strictObject({
  wholeWords: z.boolean(),
  leadingImperative: z.boolean(),
  noBoostWithoutMatch: z.boolean(),
  blankIsEmpty: z.boolean(),
})
export type QueryOptions = Immutable<z.infer<typeof QueryOptions>>
