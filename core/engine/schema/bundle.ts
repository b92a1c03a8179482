import { ownOf } from './own.ts'
import { z } from 'zod'
import type { Immutable } from './immutable.ts'

/** [A7] Steps of the pipeline; 13 is Chapter 13. */
export const STEP_IDS = [1, 2, 3, 4, 5, 6, 13] as const
export const StepId = z.literal(STEP_IDS)
export type StepId = z.infer<typeof StepId>

/** Token estimator for a bundle's budgets. `larger` takes the larger of `words13` and `chars4`. */
export const BundleEstimatorName = z.enum(['words13', 'chars4', 'larger', 'o200k_base'])
export type BundleEstimatorName = z.infer<typeof BundleEstimatorName>

const tokens = z.int().min(0).max(1_000_000_000)

/** [A2] Token allocation, by the names of the object model. */
export const TokenBudget = z.object({
  ctx_max_tokens: tokens,
  tier0_reserved: tokens,
  tier1_cap: tokens,
  history_cap: tokens,
  telemetry_cap: tokens,
  generation_reserve: tokens,
})
export type TokenBudget = Immutable<z.infer<typeof TokenBudget>>
export const BUDGET_FIELDS = TokenBudget.keyof().options

const given = tokens.optional()

/**
 * [A2] Budgets as callers write them: every field may be missing, and may end in `_tokens` as in the
 * document's example. The two spellings of one field must not say different things.
 */
export const BudgetOverrides = z
  .strictObject({
    ...TokenBudget.partial().shape,
    tier0_reserved_tokens: given,
    tier1_cap_tokens: given,
    history_cap_tokens: given,
    telemetry_cap_tokens: given,
    generation_reserve_tokens: given,
  })
  .transform((fields, context) => {
    const budget: Partial<Record<keyof TokenBudget, number>> = {}
    const spelled = new Map(Object.entries(fields))
    for (const field of BUDGET_FIELDS) {
      const short = spelled.get(field)
      const long = spelled.get(`${field}_tokens`)
      if (short !== undefined && long !== undefined && short !== long)
        context.addIssue(`${field} and ${field}_tokens differ`)
      const value = short ?? long
      if (value !== undefined) budget[field] = value
    }
    return budget
  })
export type BudgetOverrides = Readonly<z.infer<typeof BudgetOverrides>>

/** [A6] One source file of the bundle. `sha256` is `FILE_NOT_FOUND` or `UNREADABLE` if it cannot be hashed. */
export const ProvenanceRecord = z.object({
  path: z.string(),
  sha256: z.string(),
  size_bytes: z.number().min(0),
})
export type ProvenanceRecord = Immutable<z.infer<typeof ProvenanceRecord>>

/** A1.3: one outcome that Chapter 13 has curated (`chapter13/summaries/*.json`). */
export const OutcomeRecord = z.object({
  step: z.int(),
  run_id: z.string(),
  result: z.string(),
  metric_delta: z.number().nullable().default(null),
  key_metric: z.string().nullable().default(null),
  timestamp: z.string().nullable().default(null),
})
export type OutcomeRecord = Immutable<z.infer<typeof OutcomeRecord>>

export const TrendDirection = z.enum(['rising', 'falling', 'flat'])

/** A1.3: how one key metric moved over the newest runs. `recent_values` are in order of the runs. */
export const TrendSummary = z.object({
  metric_name: z.string(),
  direction: TrendDirection,
  recent_values: z.array(z.number()),
  window_size: z.int(),
})
export type TrendSummary = Immutable<z.infer<typeof TrendSummary>>

const json = z.record(z.string(), z.unknown())

/** A1.2. Null summaries: there was nothing to build them from (A18). */
export const BundleContext = z.object({
  mission: z.string(),
  schema_excerpt: z.string(),
  grammar_name: z.string(),
  contracts: z.array(z.string()),
  guardrails: z.array(z.string()),
  inputs_summary: json.nullable(),
  evaluation_summary: z.union([json, z.array(z.unknown())]).nullable(),
  recent_outcomes: z.array(OutcomeRecord),
  trend_summary: z.array(TrendSummary),
  open_incidents: z.array(z.string()),
})
export type BundleContext = Immutable<z.infer<typeof BundleContext>>

export const BundleDiagnosticCode = z.enum([
  'manifest_missing',
  'manifest_unreadable',
  'manifest_invalid',
  'manifest_other_step',
  'state_missing',
  'state_unreadable',
  'results_empty',
  'metrics_missing',
  'results_unnamed',
  'evaluation_ignored',
  'grammar_fallback',
  'grammar_missing',
  'lines_malformed',
  'source_unreadable',
  'source_partial',
  'tier0_over_reservation',
  'tier0_over_context',
  'tier_truncated',
  'tier_dropped',
])
export type BundleDiagnosticCode = z.infer<typeof BundleDiagnosticCode>

/** A notice for readers of the bundle. `names`: the items concerned, for example metrics. */
export const BundleDiagnostic = z.object({
  code: BundleDiagnosticCode,
  message: z.string(),
  path: z.string().nullable(),
  names: z.array(z.string()),
})
export type BundleDiagnostic = Immutable<z.infer<typeof BundleDiagnostic>>

/** A1.1. Beyond the document: `estimator` (a prompt can be rendered from the bundle alone) and `diagnostics`. */
export const StepAwarenessBundle = z.object({
  bundle_version: z.literal('1.0.0'),
  step_id: StepId,
  step_name: z.string(),
  run_id: z.string(),
  is_chapter_13: z.boolean(),
  context: BundleContext,
  budgets: TokenBudget,
  estimator: BundleEstimatorName,
  provenance: z.array(ProvenanceRecord),
  diagnostics: z.array(BundleDiagnostic),
  generated_at: z.string(),
})
export type StepAwarenessBundle = Immutable<z.infer<typeof StepAwarenessBundle>>

/** Track 2 and counting, part of a preset; help in `bundle/options.ts`. */
export const BundleOptions = z.strictObject({
  estimator: BundleEstimatorName,
  outcomes: z.int().min(0).max(1000),
  summaryFiles: z.int().min(0).max(10_000),
  trendWindow: z.int().min(2).max(1_000_000),
  flatWithin: z.number().min(0).max(1),
  incidents: z.int().min(0).max(1000),
  scanBytes: z.int().min(0).nullable(),
})
export type BundleOptions = Immutable<z.infer<typeof BundleOptions>>

/** Names that callers use for an estimator. */
const ESTIMATOR_ALIASES: Readonly<Record<string, BundleEstimatorName>> = {
  recommended: 'larger',
  max: 'larger',
  literal: 'words13',
  o200k: 'o200k_base',
}

export const EstimatorChoice = z.preprocess(
  (value) =>
    typeof value === 'string' && Object.hasOwn(ESTIMATOR_ALIASES, value)
      ? ownOf(ESTIMATOR_ALIASES, value)
      : value,
  BundleEstimatorName,
)

/**
 * The JSON that an event of kind `step` carries in its `text`, and what `eval bundle` reads. `files`
 * are contents by path: with them no disk is read. `root`: folder of the workspace where paths start.
 */
export const StepRecord = z.object({
  step_id: z.int(),
  run_id: z.string().max(1000).nullish(),
  results: z.unknown().optional(),
  /** Stored next to the results: how the run was evaluated, and the agent's metadata about itself. */
  evaluation: z.unknown().optional(),
  agent_metadata: z.unknown().optional(),
  run_number: z.int().min(1).nullish(),
  manifest_path: z.string().max(4096).nullish(),
  state_paths: z.array(z.string().max(4096)).max(1000).nullish(),
  files: z.record(z.string(), z.string()).nullish(),
  root: z.string().max(4096).nullish(),
  is_chapter_13: z.boolean().nullish(),
  budgets: BudgetOverrides.nullish(),
  now: z.union([z.string(), z.number()]).nullish(),
  estimator: EstimatorChoice.nullish(),
  /** The prompt that was actually sent, if the recorder kept it. */
  prompt: z.string().nullish(),
})
export type StepRecord = Readonly<z.output<typeof StepRecord>>
