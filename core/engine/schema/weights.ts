import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { Measured } from './queue.ts'

/** [L96] The fitted weight of one signal, by labels. */
export const FittedWeight = z.object({
  domain: z.string(),
  /** Place among the signals of the domain, from 0. */
  index: z.int(),
  id: z.string().nullable(),
  pattern: z.string(),
  /** Labelled turns that it fired on, and those of them that are labelled as its domain. */
  fired: z.int(),
  right: z.int(),
  /** Its weight in the file, and its weight by the labels. */
  now: z.number(),
  weight: z.number(),
})
export type FittedWeight = Immutable<z.infer<typeof FittedWeight>>

/** [L96] [L97] Weights by labels, measured on sources that they were not fitted on. */
export const FittedWeights = z.object({
  /** Signals whose weight would be another one; the largest changes first. */
  weights: z.array(FittedWeight),
  /** Numbers of labelled turns, of their sources, and of the folds they were split into. */
  labels: z.int(),
  sources: z.int(),
  madeFrom: z.array(z.string()),
  folds: z.int(),
  /** Right as the file is, and right where each fold is decided by weights fitted without it. */
  right: Measured,
  weighted: Measured,
  /** Labelled turns that become right and wrong there, and folds that gain and lose. */
  fixes: z.int(),
  breaks: z.int(),
  won: z.int(),
  lost: z.int(),
  /** Better beyond chance (L92): only then may the weights be taken. */
  wins: z.boolean(),
  /** Why nothing was fitted; null = it was. */
  note: z.string().nullable(),
})
export type FittedWeights = Immutable<z.infer<typeof FittedWeights>>
