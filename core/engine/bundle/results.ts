import { ownOf } from '../schema/own.ts'
import type { BundleContext, BundleDiagnostic } from '../schema/bundle.ts'
import type { AgentManifest, StepData } from '../schema/step-data.ts'
import { counted } from '../result.ts'
import { diagnostic } from './diagnostics.ts'
import { isEmptyJson, isRecord } from './json.ts'

export type Summaries = Pick<BundleContext, 'inputs_summary' | 'evaluation_summary'> & {
  readonly diagnostics: readonly BundleDiagnostic[]
}

/** Data recorded next to a step's results. */
export interface Around {
  readonly manifest: AgentManifest | null
  readonly evaluation?: unknown
  readonly agentMetadata?: unknown
}

const EVALUATION = ['success', 'confidence', 'interpretation'] as const

/**
 * [A7] [A18] Summarises the results: the step's key metrics, and how the run was evaluated. For Chapter 13 the
 * evaluation is the unmodified results, nested or not. Empty results produce no summaries.
 */
export function summariseResults(results: unknown, step: StepData, around: Around): Summaries {
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
    evaluation_summary: chapter13
      ? asEvaluation(results)
      : evaluate(placesOf(given, around), around.manifest),
    diagnostics: [
      ...compareNames(given, step),
      ...(chapter13 ? [] : unusable(placesOf(given, around))),
    ],
  }
}

/** The door lets only objects and lists through. */
function asEvaluation(results: unknown): BundleContext['evaluation_summary'] {
  if (Array.isArray(results)) return results as readonly unknown[] // only the element type is unknown
  return isRecord(results) ? results : null
}

type Place = readonly [where: string, values: Readonly<Record<string, unknown>>]

const IN_RESULTS = ['evaluation', 'evaluation_summary', 'agent_metadata'] as const

/**
 * [A18] Places that may hold an evaluation: the results, nested parts of them, or values next to them. The first place
 * that states a value wins.
 */
function placesOf(given: Readonly<Record<string, unknown>>, around: Around): readonly Place[] {
  const inside = IN_RESULTS.map((name) => [`${name} in the results`, given[name]] as const)
  const all: ReadonlyArray<readonly [string, unknown]> = [
    ['the results', given],
    ...inside,
    ['evaluation', around.evaluation],
    ['agent_metadata', around.agentMetadata],
  ]
  return all.flatMap(([where, values]): Place[] => (isRecord(values) ? [[where, values]] : []))
}

/** Names under which an agent states the same. */
const STATED = {
  success: { names: ['success'], type: 'boolean' },
  confidence: { names: ['confidence'], type: 'number' },
  interpretation: { names: ['interpretation', 'reasoning'], type: 'string' },
} as const

/**
 * The value that one place states for a name. `reasoning` counts as the interpretation only outside the results
 * themselves.
 */
function statedAt([where, values]: Place, name: (typeof EVALUATION)[number]): unknown {
  const names = where === 'the results' ? [name] : STATED[name].names
  return names.map((own) => (Object.hasOwn(values, own) ? values[own] : undefined)).find(isThere)
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Nothing is guessed: a value that no place states is null. */
function evaluate(
  places: readonly Place[],
  manifest: AgentManifest | null,
): Record<string, unknown> {
  const stated = EVALUATION.map((name) => {
    const values = places.map((place) => statedAt(place, name))
    return [name, values.find((value) => typeof value === STATED[name].type) ?? null] as const
  })
  const condition = manifest?.success_condition
  return {
    ...Object.fromEntries(stated),
    ...(condition === undefined ? {} : { success_condition: condition }),
  }
}

function unusable(places: readonly Place[]): readonly BundleDiagnostic[] {
  return places.flatMap((place) =>
    EVALUATION.flatMap((name) => {
      const value = statedAt(place, name)
      const { type } = STATED[name]
      if (!isThere(value) || typeof value === type) return []
      const message = `"${name}" in ${place[0]} is no ${type}: it counts as not stated`
      return [diagnostic('evaluation_ignored', message, { names: [name] })]
    }),
  )
}

/** [A7] Metrics that the results lack, and results that no metric names. */
function compareNames(
  given: Readonly<Record<string, unknown>>,
  step: StepData,
): readonly BundleDiagnostic[] {
  const known = new Set<string>([...step.key_metrics, ...EVALUATION, ...IN_RESULTS])
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
