import { type Result, err, ok, parseJson } from '../result.ts'
import { fieldWords } from '../schema/issue-words.ts'
import {
  StepRecord,
  type BudgetOverrides,
  type BundleEstimatorName,
  type BundleOptions,
} from '../schema/bundle.ts'
import type { BuildInput } from './build.ts'

/** [A17] The step that an event's text describes. */
export function parseStepRecord(text: string, where: string): Result<StepRecord> {
  const value = parseJson(text)
  if (!value.ok) {
    const what = `the step is not JSON (${value.error})`
    return err({ what, where, do: 'Record a step as one JSON object' })
  }
  const parsed = StepRecord.safeParse(value.value)
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  return err({
    what: fieldWords(issue, 'the step'),
    where,
    do: 'See schemas/step-record.schema.json',
  })
}

/** Values that a caller adds to a record or uses instead of the record's own. */
export interface BuildChoice {
  /** Over the record's own budgets. */
  readonly budgets: BudgetOverrides | null
  /** Instead of the record's and the preset's. */
  readonly estimator: BundleEstimatorName | null
  readonly options: BundleOptions
  /** For a record without `now`: epoch milliseconds. */
  readonly now: number
  /** [A3] Track 2 as it was known then (epoch milliseconds); null = as it is. */
  readonly until: number | null
  /** For a record without a run id. */
  readonly runId: string
}

/** A record as the factory takes it; an unusable time is refused. */
export function inputOf(record: StepRecord, choice: BuildChoice): Result<BuildInput> {
  const now = record.now ?? choice.now
  const at = typeof now === 'number' ? now : Date.parse(now)
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15)
    return err({ what: `"${now}" is no time`, where: 'now', do: 'Give an ISO time' })
  const { until } = choice
  return ok({
    stepId: record.step_id,
    runId: (record.run_id ?? '') === '' ? choice.runId : (record.run_id ?? ''),
    results: record.results,
    beside: { evaluation: record.evaluation, agentMetadata: record.agent_metadata },
    manifestPath: record.manifest_path ?? null,
    statePaths: record.state_paths ?? [],
    isChapter13: record.is_chapter_13 ?? false,
    budgets: { ...record.budgets, ...choice.budgets },
    estimator: choice.estimator ?? record.estimator ?? choice.options.estimator,
    options: choice.options,
    now: at,
    until: until === null ? null : new Date(until).toISOString(),
  })
}
