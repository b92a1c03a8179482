import { ownOf } from '../schema/own.ts'
import type { BundleContext, BundleDiagnostic } from '../schema/bundle.ts'
import type { AgentManifest, StepData } from '../schema/step-data.ts'
import { counted } from '../result.ts'
import { diagnostic } from './diagnostics.ts'
import { isEmptyJson, isRecord } from './json.ts'

export type Summaries = Pick<BundleContext, 'inputs_summary' | 'evaluation_summary'> & {
  readonly diagnostics: readonly BundleDiagnostic[]
}

const EVALUATION = ['success', 'confidence', 'interpretation'] as const

/**
 * [A7] [A18] What the results say: the step's key metrics, and how the run was evaluated. For Chapter
 * 13 the evaluation is the results as they are, nested or not. From empty results nothing is built.
 */
export function summariseResults(
  results: unknown,
  step: StepData,
  manifest: AgentManifest | null,
): Summaries {
  if (isEmptyJson(results)) {
    const message = 'There are no results: nothing was evaluated, and nothing can be a success'
    const diagnostics = [diagnostic('results_empty', message, { names: step.key_metrics })]
    return { inputs_summary: null, evaluation_summary: null, diagnostics }
  }
  const chapter13 = step.step_id === 13
  const given = isRecord(results) ? results : {}
  const present = step.key_metrics.filter((metric) => Object.hasOwn(given, metric))
  const inputs = Object.fromEntries(present.map((metric) => [metric, ownOf(given, metric)]))
  return {
    inputs_summary: inputs,
    evaluation_summary: chapter13 ? asEvaluation(results) : evaluate(given, manifest),
    diagnostics: [...compareNames(given, step), ...(chapter13 ? [] : unusable(given))],
  }
}

/** The door lets only objects and lists through. */
function asEvaluation(results: unknown): BundleContext['evaluation_summary'] {
  if (Array.isArray(results)) return results as readonly unknown[] // only the element type is unknown
  return isRecord(results) ? results : null
}

/** Nothing is guessed: what the results do not say is null. */
function evaluate(
  given: Readonly<Record<string, unknown>>,
  manifest: AgentManifest | null,
): Record<string, unknown> {
  const { success, confidence, interpretation } = own(given)
  const condition = manifest?.success_condition
  return {
    success: typeof success === 'boolean' ? success : null,
    confidence: typeof confidence === 'number' ? confidence : null,
    interpretation: typeof interpretation === 'string' ? interpretation : null,
    ...(condition === undefined ? {} : { success_condition: condition }),
  }
}

function own(given: Readonly<Record<string, unknown>>) {
  const of = (name: string) => (Object.hasOwn(given, name) ? given[name] : undefined)
  return {
    success: of('success'),
    confidence: of('confidence'),
    interpretation: of('interpretation'),
  }
}

function unusable(given: Readonly<Record<string, unknown>>): readonly BundleDiagnostic[] {
  const kinds = { success: 'boolean', confidence: 'number', interpretation: 'string' } as const
  const values = own(given)
  return EVALUATION.flatMap((name) => {
    const value = values[name]
    if (value === undefined || value === null || typeof value === kinds[name]) return []
    const message = `"${name}" in the results is no ${kinds[name]}: it counts as not stated`
    return [diagnostic('evaluation_ignored', message, { names: [name] })]
  })
}

/** [A7] Metrics that the results lack, and results that no metric names. */
function compareNames(
  given: Readonly<Record<string, unknown>>,
  step: StepData,
): readonly BundleDiagnostic[] {
  const known = new Set<string>([...step.key_metrics, ...EVALUATION])
  const missing = step.key_metrics.filter((metric) => !Object.hasOwn(given, metric))
  const unnamed = Object.keys(given).filter((name) => !known.has(name))
  const shown = step.step_id === 13 ? 'shown in the evaluation only' : 'not in the prompt'
  return [
    ...(missing.length === 0
      ? []
      : [
          diagnostic(
            'metrics_missing',
            `${counted(missing.length, 'key metric')} of step ${step.step_id} not in the results`,
            { names: missing },
          ),
        ]),
    ...(unnamed.length === 0
      ? []
      : [
          diagnostic(
            'results_unnamed',
            `${counted(unnamed.length, 'result')} that no key metric names, ${shown}`,
            { names: unnamed },
          ),
        ]),
  ]
}
