import { z } from 'zod'
import { BudgetOverrides, BundleEstimatorName, StepAwarenessBundle, TokenBudget } from './bundle.ts'
import {
  BuildReport,
  BundleMeasure,
  PromptPart,
  ProvenanceChange,
  TierName,
} from './bundle-report.ts'
import type { Immutable } from './immutable.ts'
import { DiffPart } from './answer-columns.ts'

/** Options for building step bundles. For null or absent values the record applies, else the preset. */
export const BundleChoice = z.object({
  preset: z.string(),
  estimator: BundleEstimatorName.nullable(),
  /** Over the record's budgets, which are over the defaults. */
  budgets: BudgetOverrides,
  /** Base folder for paths, set by the operator. Null: the record's own folder, else the workspace. */
  root: z.string().max(4096).nullable(),
})
export type BundleChoice = z.output<typeof BundleChoice>

/** One step event as a bar of the timeline. Tokens are those of `estimator`. */
export const StepBar = z.object({
  seq: z.int().min(0),
  stepId: z.int(),
  /** "3", "3 (second run)", "Chapter 13": as sentences name it after "step". */
  label: z.string(),
  runId: z.string(),
  estimator: z.string(),
  context: z.int(),
  reserve: z.int(),
  /** Tokens in the prompt, by tier. */
  tiers: z.object({ tier0: z.int(), tier1: z.int(), history: z.int(), telemetry: z.int() }),
  framing: z.int(),
  /** Negative when tier 0 alone does not fit. */
  headroom: z.int(),
  fitsAtContext: z.int(),
  /** Tiers that were cut or left out. */
  cut: z.array(TierName),
  tier0OverContext: z.boolean(),
  measures: z.array(BundleMeasure),
  /** [A4] Whether the recorded prompt is the bundle's; null = none was recorded. */
  recordedSame: z.boolean().nullable(),
  diagnostics: z.int(),
  /** Why there is no bundle; then all figures are 0. */
  problem: z.string().nullable(),
})
export type StepBar = Immutable<z.infer<typeof StepBar>>

/** The bundle of one step and all that is known about its prompt. */
export const BuiltStep = z.object({
  bundle: StepAwarenessBundle,
  /** Values of `bundle` that were shortened for the window; the command line prints it whole. */
  shortened: z.int(),
  /** At most 400,000 units; `promptChars` is the whole size. */
  prompt: z.string(),
  promptChars: z.int(),
  parts: z.array(PromptPart),
  report: BuildReport,
  /** The same prompt under every estimator. */
  measures: z.array(BundleMeasure),
  words: z.array(z.string()),
  /** [A4] The prompt that was actually sent, compared with this one; null if no prompt was recorded. */
  recorded: z.object({ same: z.boolean(), diff: z.array(DiffPart) }).nullable(),
  /** The run of the same step before it in the session. */
  previous: z
    .object({
      seq: z.int(),
      label: z.string(),
      runId: z.string(),
      diff: z.array(DiffPart),
      provenance: z.array(ProvenanceChange),
    })
    .nullable(),
})
export type BuiltStep = Immutable<z.infer<typeof BuiltStep>>

/** Options offered by a form for bundles. */
export const BundleLibrary = z.object({
  steps: z.array(
    z.object({
      stepId: z.int(),
      name: z.string(),
      title: z.string(),
      keyMetrics: z.array(z.string()),
      grammar: z.string(),
    }),
  ),
  budgets: TokenBudget,
  estimators: z.array(BundleEstimatorName),
  /** Files of prompts/steps that cannot be used. */
  problems: z.array(z.string()),
})
export type BundleLibrary = Immutable<z.infer<typeof BundleLibrary>>
