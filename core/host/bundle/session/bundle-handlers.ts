import { createStepBuilder } from './build-step.ts'
import {
  bundleEstimators,
  DEFAULT_BUDGET,
  type RealTokenizers,
} from '../../../engine/bundle/budget.ts'
import type { BuiltBundle } from '../../../engine/bundle/build.ts'
import {
  compareProvenance,
  overflowWords,
  type MeasuredStep,
} from '../../../engine/bundle/compare.ts'
import { promptDiffers } from '../../../engine/bundle/guard.ts'
import { recommendedBundle } from '../../../engine/bundle/options.ts'
import { measure } from '../../../engine/bundle/report.ts'
import { formatProblem, type Result } from '../../../engine/result.ts'
import { BundleEstimatorName, type StepAwarenessBundle } from '../../../engine/schema/bundle.ts'
import type {
  BuiltStep,
  BundleChoice,
  BundleLibrary,
  StepBar,
} from '../../../engine/schema/bundle-wire.ts'
import type { BundleMeasure } from '../../../engine/schema/bundle-report.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import { loadStepLibrary } from './step-library.ts'
import { stepsOf, type SessionStep } from './steps.ts'
import { loadTokenizers } from './tokenizers.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import { diffTexts } from '../../platform/text-diff.ts'
import { createBreath } from '../../platform/threads/yielding.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { SessionService } from '../../sessions/session/service.ts'

/** Longer prompts are cut for the window. UTF-16 units. */
const MAX_PROMPT = 400_000
const MAX_PARTS = 2_000

/** Step bundles: of a session's step events, or entered by hand. Only data that is slow to count is cached. */
export function createBundleHandlers(
  service: SessionService,
  workspace: Workspace,
): HandlersOf<SessionContract, 'bundle'> {
  const prepare = (choice: BundleChoice) => preparing(choice, workspace)
  return {
    'bundle.session': async (input, { signal }) => {
      const factory = await prepare(input.choice)
      const breath = createBreath(signal)
      const bars: StepBar[] = []
      for (const step of stepsOf(service.session(input))) {
        bars.push(barOf(step, factory.build(step), factory.tokenizers))
        await breath()
      }
      const counted = bars.filter(({ problem }) => problem === null)
      const named = counted[0]?.estimator ?? factory.estimator
      return { steps: bars, words: overflowWords(counted, named) }
    },
    'bundle.step': async (input) => {
      const factory = await prepare(input.choice)
      const steps = stepsOf(service.session(input))
      const step = steps.find(({ seq }) => seq === input.seq)
      if (!step) throw noStep(input.seq)
      return factory.answer(step, previousOf(steps, step))
    },
    'bundle.build': async ({ record, choice }) => {
      const factory = await prepare(choice)
      const step = { seq: -1, at: null, label: String(record.step_id) }
      return factory.answer({ ...step, record: { ok: true, value: record } }, null)
    },
    'bundle.library': () => libraryInfo(workspace),
  }
}

function noStep(seq: number) {
  return refusal({
    what: `event ${seq} is no pipeline step`,
    where: 'this session',
    do: 'Choose another event',
  })
}

interface Factory {
  readonly tokenizers: RealTokenizers
  readonly estimator: BundleEstimatorName
  build(step: SessionStep): Result<BuiltBundle>
  answer(step: SessionStep, previous: SessionStep | null): BuiltStep
}

async function preparing(choice: BundleChoice, workspace: Workspace): Promise<Factory> {
  const { value: preset } = valueOrRefuse(await workspace.preset(choice.preset))
  const library = valueOrRefuse(loadStepLibrary(workspace.roots))
  const tokenizers = await loadTokenizers()
  const options = preset.bundle ?? recommendedBundle
  const { budgets, estimator, root: named } = choice
  const shared = { library, tokenizers, options, budgets, estimator }
  const { roots } = workspace
  // A bundle by hand sees the history as it is.
  const build = createStepBuilder({ ...shared, roots, named, now: () => Date.now() })
  return {
    tokenizers,
    estimator: estimator ?? options.estimator,
    build,
    answer: (step, previous) => {
      const built = valueOrRefuse(build(step))
      const before = previous === null ? null : build(previous)
      const last =
        previous !== null && before?.ok === true ? { previous, built: before.value } : null
      return answerOf(step, built, last, tokenizers)
    },
  }
}

interface Previous {
  readonly previous: SessionStep
  readonly built: BuiltBundle
}

function answerOf(
  step: SessionStep,
  built: BuiltBundle,
  last: Previous | null,
  tokenizers: RealTokenizers,
): BuiltStep {
  const { prompt, parts, report } = built
  const measures = measuresOf(built, tokenizers)
  const recorded = step.record.ok ? (step.record.value.prompt ?? null) : null
  return {
    ...shortenBundle(built.bundle),
    prompt: prompt.slice(0, MAX_PROMPT),
    promptChars: prompt.length,
    parts: parts.slice(0, MAX_PARTS),
    report,
    measures,
    words: overflowWords([measuredStep(step.label, built, measures)], report.estimator),
    recorded:
      recorded === null
        ? null
        : {
            same: promptDiffers(recorded, prompt) === null,
            diff: diffTexts(recorded.slice(0, MAX_PROMPT), prompt.slice(0, MAX_PROMPT)),
          },
    previous: last && {
      seq: last.previous.seq,
      label: last.previous.label,
      runId: last.built.bundle.run_id,
      diff: diffTexts(last.built.prompt.slice(0, MAX_PROMPT), prompt.slice(0, MAX_PROMPT)),
      provenance: compareProvenance(last.built.bundle.provenance, built.bundle.provenance),
    },
  }
}

function measuresOf(built: BuiltBundle, tokenizers: RealTokenizers): readonly BundleMeasure[] {
  return measure(built.layout, built.bundle.budgets, bundleEstimators(tokenizers))
}

function cutTiers({ report }: BuiltBundle) {
  return report.tiers
    .filter(({ state }) => state === 'truncated' || state === 'dropped')
    .map(({ tier }) => tier)
}

function measuredStep(
  label: string,
  built: BuiltBundle,
  measures: readonly BundleMeasure[],
): MeasuredStep {
  return {
    label,
    cut: cutTiers(built),
    tier0OverContext: built.report.tier0OverContext,
    measures,
  }
}

function barOf(step: SessionStep, built: Result<BuiltBundle>, tokenizers: RealTokenizers): StepBar {
  const { seq, label } = step
  const record = step.record.ok ? step.record.value : null
  const base = { seq, label, stepId: record?.step_id ?? 0 }
  if (!built.ok) return { ...base, ...NO_BUNDLE, problem: formatProblem(built.error) }
  const { report, bundle, prompt } = built.value
  const used = new Map(report.tiers.map((tier) => [tier.tier, tier.used]))
  const recorded = record?.prompt ?? null
  return {
    ...base,
    runId: bundle.run_id,
    estimator: report.estimator,
    context: report.context,
    reserve: report.generationReserve,
    tiers: {
      tier0: used.get('tier0') ?? 0,
      tier1: used.get('tier1') ?? 0,
      history: used.get('history') ?? 0,
      telemetry: used.get('telemetry') ?? 0,
    },
    framing: report.framing,
    headroom: report.headroom,
    fitsAtContext: report.fitsAtContext,
    cut: cutTiers(built.value),
    tier0OverContext: report.tier0OverContext,
    measures: measuresOf(built.value, tokenizers),
    recordedSame: recorded === null ? null : promptDiffers(recorded, prompt) === null,
    diagnostics: bundle.diagnostics.length,
    problem: null,
  }
}

const NO_BUNDLE = {
  runId: '',
  estimator: '',
  context: 0,
  reserve: 0,
  framing: 0,
  headroom: 0,
  fitsAtContext: 0,
  diagnostics: 0,
  tiers: { tier0: 0, tier1: 0, history: 0, telemetry: 0 },
  cut: [],
  tier0OverContext: false,
  measures: [],
  recordedSame: null,
}

/** The run of the same step before this one. */
function previousOf(steps: readonly SessionStep[], step: SessionStep): SessionStep | null {
  const id = (each: SessionStep): number | null =>
    each.record.ok ? each.record.value.step_id : null
  return steps.findLast((each) => each.seq < step.seq && id(each) === id(step)) ?? null
}

function libraryInfo({ roots }: Workspace): BundleLibrary {
  const { steps, problems } = valueOrRefuse(loadStepLibrary(roots))
  return {
    steps: [...steps.values()]
      .toSorted((a, b) => a.step_id - b.step_id)
      .map((step) => ({
        stepId: step.step_id,
        name: step.step_name,
        title: step.title,
        keyMetrics: step.key_metrics,
        grammar: step.grammar_name,
      })),
    budgets: DEFAULT_BUDGET,
    estimators: BundleEstimatorName.options,
    problems: problems.map(formatProblem),
  }
}

const MAX_TEXT = 20_000
const MAX_ITEMS = 1_000
/** Values in all; a tree beyond it is not readable anyway. */
const MAX_VALUES = 50_000

interface Meter {
  left: number
  shortened: number
}

/**
 * A bundle small enough for the window: long texts and lists are cut, and the cuts are counted. Results may have
 * megabytes, and a slider requests them many times a second.
 */
function shortenBundle(bundle: StepAwarenessBundle): {
  readonly bundle: StepAwarenessBundle
  readonly shortened: number
} {
  const meter: Meter = { left: MAX_VALUES, shortened: 0 }
  const { context } = bundle
  const inputs = shorten(context.inputs_summary, meter)
  const evaluation = shorten(context.evaluation_summary, meter)
  if (meter.shortened === 0) return { bundle, shortened: 0 }
  // Shortening keeps dictionaries dictionaries and lists lists.
  const short = { inputs_summary: inputs, evaluation_summary: evaluation } as Pick<
    typeof context,
    'inputs_summary' | 'evaluation_summary'
  >
  return {
    bundle: { ...bundle, context: { ...context, ...short } },
    shortened: meter.shortened,
  }
}

function shorten(value: unknown, meter: Meter): unknown {
  meter.left -= 1
  if (typeof value === 'string' && value.length > MAX_TEXT) {
    meter.shortened += 1
    return `${value.slice(0, MAX_TEXT)}…`
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return firstOf(value, meter).map((item) => shorten(item, meter))
  return Object.fromEntries(
    firstOf(Object.entries(value), meter).map(([key, item]) => [key, shorten(item, meter)]),
  )
}

function firstOf<T>(items: readonly T[], meter: Meter): readonly T[] {
  const most = Math.min(MAX_ITEMS, Math.max(0, meter.left))
  if (items.length <= most) return items
  meter.shortened += 1
  return items.slice(0, most)
}
