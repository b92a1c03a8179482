import { z } from 'zod'
import { ActsTrace } from './coach-acts.ts'
import { SignalEntry } from './domain.ts'
import type { Immutable } from './immutable.ts'
import { Span } from './trace.ts'

/** [V1] The type of an agent's output. Only `status` goes back to the agent; all others reach the user. */
export const OutputType = z.enum(['question', 'status', 'completion', 'blocker', 'error'])
export type OutputType = z.infer<typeof OutputType>

export const VerdictSource = z.enum(['model', 'rules', 'cache', 'recorded'])
export type VerdictSource = z.infer<typeof VerdictSource>

/** [V2] Facts about a verdict that a reader has to know, besides its type. */
export const VerdictFlag = z.enum([
  'empty',
  'empty_promise',
  'narration',
  'unfinished',
  'approval_gate',
  'hedging',
  'no_evidence',
  'no_test_output',
  'unrecognised',
  'low_confidence',
  'cut',
  'unparsable',
  'bad_type',
  'bad_confidence',
  'coaching_on_pass',
  'no_coaching',
  'contradicted',
])
export type VerdictFlag = z.infer<typeof VerdictFlag>

/** Kinds of evidence that an output may show. */
export const EvidenceKind = z.enum([
  'test_output',
  'command_output',
  'commit',
  'link',
  'diff',
  'figure',
  'path',
])
export type EvidenceKind = z.infer<typeof EvidenceKind>

/** A place of the output that counted: evidence, or a cue that decided. Spans are UTF-16 units. */
export const CoachMark = z.object({ cue: z.string(), kind: z.string(), span: Span })
export type CoachMark = Immutable<z.infer<typeof CoachMark>>

/** The classifier's verdict on one output. `coaching_message` is null if the output passes. */
export const Verdict = z.object({
  type: OutputType,
  confidence: z.number().min(0).max(1),
  /** For tuning only; never part of a message to the agent or the user (L35). */
  reason: z.string(),
  coaching_message: z.string().nullable(),
  flags: z.array(VerdictFlag),
  source: VerdictSource,
  marks: z.array(CoachMark),
  /** [V73] Explains how the rules reached the verdict, sentence by sentence. Absent for a model's verdict. */
  acts: ActsTrace.optional(),
})
export type Verdict = Immutable<z.infer<typeof Verdict>>

/** Facts about the task while an output is judged. */
export interface CoachContext {
  /** Path of the plan file, or null. */
  readonly plan: string | null
  /** Name of the active skill, or null. */
  readonly skill: string | null
  /** Success criteria of the plan, in order. */
  readonly criteria: readonly string[]
}

/** [V61] The task as set by the operator. Null uses the transcript's; '' means none. */
export const CoachTask = z.object({
  /** A path, or the text of a plan (several lines). */
  plan: z.string().max(200_000).nullable(),
  skill: z.string().max(200).nullable(),
})
export type CoachTask = Readonly<z.infer<typeof CoachTask>>

const CueKind = z.enum([
  'question',
  'gate',
  'courtesy',
  'blocker',
  'error',
  'claim',
  'test_claim',
  'hedge',
  'promise',
  'narration',
  'progress',
  'act',
  'answer',
  'offer',
  'wait',
  'settle',
  'repair',
  'ahead',
])
export type CueKind = z.infer<typeof CueKind>

/** A pattern that means something in a sentence that the agent says itself. */
const Cue = z.strictObject({
  id: z.string().min(1),
  kind: CueKind,
  pattern: SignalEntry,
  /** The cue does not count in a sentence that this matches. */
  unless: SignalEntry.optional(),
})
export type Cue = Immutable<z.infer<typeof Cue>>

/** A pattern of evidence, anywhere in the output, code and quotations too. */
const EvidenceCue = z.strictObject({
  id: z.string().min(1),
  kind: EvidenceKind,
  pattern: SignalEntry,
})

/** Coaching for each reason of a rejection. `{quote}` is replaced by the words that caused it. */
const Coaching = z.strictObject({
  /** [V60] Message sent when the output is empty. */
  empty: z.string().optional(),
  empty_promise: z.string(),
  narration: z.string(),
  hedging: z.string(),
  no_evidence: z.string(),
  no_test_output: z.string(),
  /** [V75] Of a claim that its own figures speak against. */
  contradicted: z.string().optional(),
})

/** `prompts/coach/rules.yaml`: the rules that judge without a model. */
export const CoachRules = z.strictObject({
  $schema: z.string().optional(),
  /** [V6] A model's verdict below this becomes a question. */
  minConfidence: z.number().min(0).max(1),
  /** [V7] Longer outputs are cut for the model, to so many UTF-16 units. */
  maxChars: z.int().min(200),
  /**
   * [V76] The support that lets a claim pass. `told`: it names something that a reader can look up. `shown`: the output
   * contains the evidence itself, as in the coach's document; also the meaning of files from before this field.
   */
  claims: z.enum(['told', 'shown']).default('shown'),
  coaching: Coaching,
  /** The agent's continuation where nothing more specific is known; `{skill}`, `{plan}`, `{criteria}`. */
  continuation: z.strictObject({
    skill: z.record(z.string(), z.string()),
    anySkill: z.string(),
    plan: z.string(),
    plain: z.string(),
  }),
  cues: z.array(Cue),
  evidence: z.array(EvidenceCue),
})
export type CoachRules = Immutable<z.infer<typeof CoachRules>>
