import { type Result, err, ok } from '../result.ts'
import {
  type BudgetOverrides,
  type BundleDiagnostic,
  type BundleEstimatorName,
  type BundleOptions,
  type StepAwarenessBundle,
  StepId,
} from '../schema/bundle.ts'
import type { BuildReport, PromptPart } from '../schema/bundle-report.ts'
import type { StepData } from '../schema/step-data.ts'
import type { TokenEstimator } from '../tokens.ts'
import { budgetWith, bundleEstimators, type RealTokenizers } from './budget.ts'
import { diagnostic } from './diagnostics.ts'
import { copyJson, freezeTree } from './json.ts'
import { type Layout, layOut, partsOf } from './layout.ts'
import type { BundlePorts, StepLibrary } from './ports.ts'
import { reportOf, TIER_WORDS } from './report.ts'
import { type Around, summariseResults } from './results.ts'
import { stepNames } from './step-of-line.ts'
import { retrieve } from './retrieve.ts'
import { readSources } from './sources.ts'

/** A8.1. What building needs beside the files; clock and chance come in as `now` and `runId`. */
export interface BuildInput {
  readonly stepId: number
  /** Made by the caller when the step has none: the engine has no chance. */
  readonly runId: string
  readonly results: unknown
  /** Data stored next to the results that says how the run was evaluated (A18). */
  readonly beside?: Omit<Around, 'manifest'>
  readonly manifestPath: string | null
  readonly statePaths: readonly string[]
  readonly isChapter13: boolean
  readonly budgets: BudgetOverrides | null
  readonly estimator: BundleEstimatorName
  readonly options: BundleOptions
  /** Epoch milliseconds: `generated_at`. */
  readonly now: number
  /** [A3] Track 2 records that are later are left out; null = all are kept. */
  readonly until: string | null
}

/** A bundle and all that can be said about its prompt. */
export interface BuiltBundle {
  readonly bundle: StepAwarenessBundle
  readonly prompt: string
  readonly parts: readonly PromptPart[]
  readonly report: BuildReport
  readonly layout: Layout
}

/**
 * [A8] A8.1: the bundle of one step, deeply frozen. Equal input and files give an equal bundle; nothing is
 * written. Refused: an unknown step, the Chapter 13 flag on another step, results that are no JSON
 * object (or, for Chapter 13, list).
 */
export function buildStepAwarenessBundle(
  input: BuildInput,
  ports: BundlePorts,
): Result<StepAwarenessBundle> {
  const built = buildBundle(input, ports)
  return built.ok ? ok(built.value.bundle) : built
}

/** [A8] A8.3, the one entry point of a dispatcher: prompt, grammar and bundle. */
export function buildLlmContext(
  input: BuildInput,
  ports: BundlePorts,
): Result<{
  readonly prompt: string
  readonly grammarName: string
  readonly bundle: StepAwarenessBundle
}> {
  const built = buildBundle(input, ports)
  if (!built.ok) return built
  const { prompt, bundle } = built.value
  return ok({ prompt, grammarName: bundle.context.grammar_name, bundle })
}

/** [A5] A8.2: the prompt of a bundle. It says nothing of run id and time, which may differ. */
export function renderPromptFromBundle(
  bundle: StepAwarenessBundle,
  tokenizers: RealTokenizers = {},
): Result<string> {
  const count = bundleEstimators(tokenizers).get(bundle.estimator)
  if (!count) return err(noTokenizer(bundle.estimator))
  const { ctx_max_tokens, generation_reserve } = bundle.budgets
  return ok(layOut(bundle, count, ctx_max_tokens - generation_reserve).text)
}

/** The same with the report and the parts of the prompt, from one layout. */
export function buildBundle(input: BuildInput, ports: BundlePorts): Result<BuiltBundle> {
  const estimate = bundleEstimators(ports.tokenizers).get(input.estimator)
  if (!estimate) return err(noTokenizer(input.estimator))
  const count = countingOnce(estimate)
  const drafted = draft(input, ports)
  if (!drafted.ok) return drafted
  const bundle = drafted.value
  const { ctx_max_tokens, generation_reserve } = bundle.budgets
  const layout = layOut(bundle, count, ctx_max_tokens - generation_reserve)
  const report = reportOf(bundle, layout, { estimator: input.estimator, count })
  const diagnostics = [...bundle.diagnostics, ...budgetDiagnostics(report)]
  return ok({
    bundle: freezeTree({ ...bundle, diagnostics }),
    prompt: layout.text,
    parts: partsOf(layout),
    report,
    layout,
  })
}

/** Layout and report both count the tokens of the same long texts, so the counts are cached. */
const LONG = 65_536

function countingOnce(estimate: TokenEstimator): TokenEstimator {
  const known = new Map<string, number>()
  return (text) => {
    if (text.length < LONG) return estimate(text)
    const tokens = known.get(text) ?? estimate(text)
    known.set(text, tokens)
    return tokens
  }
}

function noTokenizer(name: string) {
  return { what: `the tokenizer ${name} is not loaded`, where: 'estimator', do: 'Choose another' }
}

/** [A11] Diagnostics that a bundle records when its prompt holds less than the bundle does. */
function budgetDiagnostics(report: BuildReport): readonly BundleDiagnostic[] {
  const [tier0] = report.tiers
  const found: BundleDiagnostic[] = []
  if (tier0 && tier0.used > tier0.limit)
    found.push(diagnostic('tier0_over_reservation', `tier 0 ${tier0.why}`))
  if (report.tier0OverContext)
    found.push(
      diagnostic(
        'tier0_over_context',
        `tier 0 alone does not fit: ${tier0?.used ?? 0} tokens, ${report.available} available; the other tiers are empty`,
      ),
    )
  for (const { tier, state, why, dropped } of report.tiers)
    if (state === 'truncated' || state === 'dropped')
      found.push(
        diagnostic(`tier_${state}`, `${TIER_WORDS[tier]} ${why}`, {
          names: dropped.map(({ what }) => what),
        }),
      )
  return found
}

function draft(input: BuildInput, ports: BundlePorts): Result<StepAwarenessBundle> {
  const step = stepOf(input, ports.library)
  if (!step.ok) return step
  const results = resultsOf(input, step.value.step_id)
  if (!results.ok) return results
  const { step_id, step_name, mission, schema_excerpt, guardrails } = step.value
  const { manifestPath, statePaths, options, until } = input
  const sources = readSources(ports.files, { stepId: step_id, manifestPath, statePaths })
  const { manifest } = sources
  const summaries = summariseResults(results.value, step.value, { manifest, ...input.beside })
  const agent = manifest === null ? null : { name: manifest.agent_name, step: step_id }
  const names = stepNames(ports.library.steps.values(), agent)
  const track2 = retrieve(ports.files, { step: step.value, names, options, until })
  const grammar = grammarOf(step.value, ports.library)
  return ok({
    bundle_version: '1.0.0',
    step_id,
    step_name,
    run_id: input.runId,
    is_chapter_13: step_id === 13,
    context: {
      mission,
      schema_excerpt,
      grammar_name: grammar.name,
      contracts: [...ports.library.contracts],
      guardrails: [...guardrails],
      inputs_summary: summaries.inputs_summary,
      evaluation_summary: summaries.evaluation_summary,
      recent_outcomes: track2.recent_outcomes,
      trend_summary: track2.trend_summary,
      open_incidents: track2.open_incidents,
    },
    budgets: budgetWith(input.budgets),
    estimator: input.estimator,
    provenance: [...sources.provenance, ...track2.provenance],
    diagnostics: [
      ...sources.diagnostics,
      ...summaries.diagnostics,
      ...grammar.diagnostics,
      ...track2.diagnostics,
    ],
    generated_at: new Date(input.now).toISOString(),
  })
}

/** [A18] 13 is Chapter 13, with or without the flag; the flag on another step is a mistake of the caller. */
function stepOf({ stepId, isChapter13 }: BuildInput, library: StepLibrary): Result<StepData> {
  const known = StepId.safeParse(stepId)
  if (!known.success)
    return err({
      what: `there is no step ${stepId}`,
      where: 'step_id',
      do: 'Steps are 1 to 6 and 13',
    })
  if (isChapter13 && stepId !== 13)
    return err({
      what: `step ${stepId} is not Chapter 13`,
      where: 'is_chapter_13',
      do: 'Leave the flag out, or use step_id 13',
    })
  const step = library.steps.get(stepId)
  if (step) return ok(step)
  return err({
    what: `there is no data of step ${stepId}`,
    where: 'prompts/steps',
    do: 'Add the file of this step',
  })
}

function resultsOf({ results }: BuildInput, step: StepId): Result<unknown> {
  if (results === null || results === undefined) return ok(null)
  const list = Array.isArray(results)
  if (typeof results !== 'object' || (list && step !== 13 && results.length > 0))
    return err({
      what: `results are ${list ? 'a list' : `a ${typeof results}`}`,
      where: 'results',
      do: step === 13 ? 'Give an object or a list' : 'Give an object with named values',
    })
  return copyJson(results, 'results')
}

/** A7.3: the step's grammar, or its fallback if the file is missing or invalid. */
function grammarOf(
  step: StepData,
  { grammars }: StepLibrary,
): { readonly name: string; readonly diagnostics: readonly BundleDiagnostic[] } {
  const { grammar_name: name, grammar_fallback: fallback } = step
  if (grammars.has(name)) return { name, diagnostics: [] }
  if (fallback !== null && grammars.has(fallback)) {
    const message = `${name} is missing or broken: ${fallback} is used`
    return {
      name: fallback,
      diagnostics: [diagnostic('grammar_fallback', message, { path: name })],
    }
  }
  const message = `${name} is missing or broken, and there is no fallback`
  return { name, diagnostics: [diagnostic('grammar_missing', message, { path: name })] }
}
