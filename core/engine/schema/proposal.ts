import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { Measured } from './queue.ts'

/** [L90] The target of a proposed signal. */
export const PROPOSAL_KINDS = ['phrase', 'pair', 'start', 'whole', 'negation'] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

/** [L90] [L92] A signal that the labels suggest, measured on sources that it was not made from. */
export const Proposal = z.object({
  domain: z.string(),
  kind: z.enum(PROPOSAL_KINDS),
  words: z.string(),
  pattern: z.string(),
  /** Labelled turns with it in its training data: of the domain, and of others. */
  own: z.int(),
  other: z.int(),
  /** On the held folds: labelled turns there, those that become right, and those that become wrong. */
  held: z.int(),
  fixes: z.int(),
  breaks: z.int(),
  /** Folds that it was found without, and in how many of them it wins and loses. */
  folds: z.int(),
  won: z.int(),
  lost: z.int(),
  /** Share of the turns it changes on held folds that it makes right. */
  precision: Measured,
  /**
   * [L94] Net gain on the unlabelled turns that it flips: how many more become right than wrong, by the second opinion.
   * Null without a second opinion.
   */
  expected: z.number().nullable(),
  /** Turns of the whole corpus whose primary changes. */
  flips: z.int(),
})
export type Proposal = Immutable<z.infer<typeof Proposal>>

export const Proposals = z.object({
  proposals: z.array(Proposal),
  /** Numbers of labelled turns, of their sources, and of the folds they were split into. */
  labels: z.int(),
  sources: z.int(),
  /** [L101] Their names, as a domain file says them. */
  madeFrom: z.array(z.string()),
  folds: z.int(),
  /** Right now, on all labels: signals may have been made from them. */
  right: Measured,
  /** Candidates that were tried, and those that lost, or did not win, on held folds. */
  tried: z.int(),
  refused: z.int(),
  /** The reason why there are none; null if a search was made. */
  note: z.string().nullable(),
})
export type Proposals = Immutable<z.infer<typeof Proposals>>
