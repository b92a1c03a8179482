import type { RealTokenizers } from '../engine/bundle/budget.ts'
import type { StepLibrary } from '../engine/bundle/ports.ts'
import { formatProblem } from '../engine/result.ts'
import { type BundleOptions, StepRecord } from '../engine/schema/bundle.ts'
import { buildRecord } from '../host/session/bundle/build-step.ts'
import { openMemoryFiles } from '../host/session/bundle/memory-files.ts'
import { filterLines, type LineSource } from './jsonl.ts'

interface BundleFilterOptions {
  readonly library: StepLibrary
  readonly tokenizers: RealTokenizers
  readonly options: BundleOptions
  /** For lines without `now`: epoch milliseconds. */
  readonly clock: () => number
}

/**
 * `turnscope eval bundle`: `{"step_id","run_id"?,"results"?,"run_number"?,"files"?,"manifest_path"?,
 * "state_paths"?,"budgets"?,"is_chapter_13"?,"now"?,"estimator"?}` to
 * `{"bundle","prompt","grammar_name"}` or `{"error"}`. Files are those of the line; no disk is read.
 */
export function evalBundle(
  source: LineSource,
  { library, tokenizers, options, clock }: BundleFilterOptions,
): AsyncIterable<string> {
  const files = openMemoryFiles({})
  return filterLines(source, StepRecord, (record) => {
    const built = buildRecord(record, {
      ...{ library, tokenizers, options, files },
      ...{ budgets: null, estimator: null, until: null, now: clock() },
    })
    if (!built.ok) return { error: formatProblem(built.error) }
    const { bundle, prompt } = built.value
    return { bundle, prompt, grammar_name: bundle.context.grammar_name }
  })
}
