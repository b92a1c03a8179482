import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { Span } from './trace.ts'

/** [V70] The act of a sentence in an output. */
export const ActKind = z.enum([
  'obstacle',
  'request',
  'narration',
  'plan',
  'claim',
  'proof',
  'deliverable',
  'courtesy',
])
export type ActKind = z.infer<typeof ActKind>

/** [V73] The rules over acts, and the three outputs that they do not look at. */
export const ActRuleId = z.enum([
  'blank',
  'nothing_said',
  'blocked',
  'gate',
  'question',
  'offer',
  'waits',
  'promise',
  'announced',
  'open_end',
  'failed',
  'contradicted',
  'reported',
  'red',
  'part',
  'guessed',
  'tests',
  'left',
  'proven',
  'told',
  'bare',
  'answered',
  'unknown',
])
export type ActRuleId = z.infer<typeof ActRuleId>

/** [V72] Whether evidence speaks for the work, against it, or shows that part of it is left. */
export const ProofSign = z.enum(['for', 'against', 'part'])
export type ProofSign = z.infer<typeof ProofSign>

/** Evidence of one sentence: its kind, its sign, and how much it covers ("118 passed", "29 of 40"). */
export const Proof = z.object({
  kind: z.string(),
  sign: ProofSign,
  /** Words that state the amount; null if nothing is counted. */
  scope: z.string().nullable(),
  span: Span,
})
export type Proof = Immutable<z.infer<typeof Proof>>

/** A sentence with its act. `span` is in UTF-16 units of the output. */
export const SentenceAct = z.object({
  span: Span,
  act: ActKind,
  /** Kind of the cue that told the act (`gate`, `offer`, `blocker` …); null = none did. */
  how: z.string().nullable(),
  /** Id of that cue. */
  cue: z.string().nullable(),
  /** The claim is a guess ("should work"). */
  guessed: z.boolean(),
  /** A later sentence says that this obstacle is gone. */
  settled: z.boolean(),
  /** Number of code spans, paths, commits, links and figures in the sentence that a reader can look up. */
  particulars: z.int().min(0),
  proofs: z.array(Proof).readonly(),
})
export type SentenceAct = Immutable<z.infer<typeof SentenceAct>>

/** [V81] One sentence in display form. */
const ToldSentence = z.object({
  /** From 1. */
  number: z.int().min(1),
  text: z.string(),
  act: ActKind,
  /** "claim, a guess", "obstacle: stops the work, settled later". */
  words: z.string(),
  /** "against: 2 failed", "for: commit"; empty for none. */
  evidence: z.string(),
  /** Whether some evidence speaks against the work, or covers only part of it. */
  against: z.boolean(),
  /** The rule that decided went by it. */
  decided: z.boolean(),
})

/** [V81] Why the rules judged so, in plain words. */
export const CoachExplained = z.object({
  rule: ActRuleId,
  why: z.string(),
  /** The contribution of a model; null if the words leave nothing open. */
  model: z.string().nullable(),
  sentences: z.array(ToldSentence).readonly(),
  /** Sentences that are not listed because the output is too long. */
  more: z.int().min(0),
})
export type CoachExplained = Immutable<z.infer<typeof CoachExplained>>

/** [V73] Explains how the rules reached their verdict: the acts, the deciding rule, and its sentences. */
export const ActsTrace = z.object({
  rule: ActRuleId,
  /** Positions in `sentences` that the rule relied on. */
  by: z.array(z.int()).readonly(),
  sentences: z.array(SentenceAct).readonly(),
  /** Sentences that are not listed because the output is too long. */
  more: z.int().min(0),
})
export type ActsTrace = Immutable<z.infer<typeof ActsTrace>>
