import { hash } from 'node:crypto'
import { isAbsolute, resolve, sep } from 'node:path'
import type { SessionStep } from './steps.ts'
import type { RealTokenizers } from '../../../engine/bundle/budget.ts'
import { buildBundle, type BuiltBundle } from '../../../engine/bundle/build.ts'
import type { BundleFiles, StepLibrary } from '../../../engine/bundle/ports.ts'
import { inputOf } from '../../../engine/bundle/record.ts'
import { type Result, err, ok } from '../../../engine/result.ts'
import type {
  BudgetOverrides,
  BundleEstimatorName,
  BundleOptions,
  StepRecord,
} from '../../../engine/schema/bundle.ts'
import { openMemoryFiles } from './memory-files.ts'
import { openRootFiles } from './root-files.ts'

/** Inputs for building a step, in addition to its record. */
interface Building {
  readonly library: StepLibrary
  readonly tokenizers: RealTokenizers
  readonly options: BundleOptions
  readonly budgets: BudgetOverrides | null
  readonly estimator: BundleEstimatorName | null
  /** For a record without `now`. */
  readonly now: number
  readonly until: number | null
  /** Used if the record has no files. */
  readonly files: BundleFiles
}

/** [A17] Builds the bundle of one recorded step. */
export function buildRecord(record: StepRecord, building: Building): Result<BuiltBundle> {
  const { library, tokenizers, options, budgets, estimator, now, until } = building
  const runId = autoRunId(record)
  const input = inputOf(record, { options, budgets, estimator, now, until, runId })
  if (!input.ok) return input
  const files = record.files ? openMemoryFiles(record.files) : building.files
  return buildBundle(input.value, { library, tokenizers, files })
}

/** Derives a run id from the content of a step without one: equal steps get equal ids. */
function autoRunId(record: StepRecord): string {
  const { step_id, run_number, results, manifest_path, state_paths } = record
  const what = JSON.stringify([step_id, run_number ?? 1, results, manifest_path, state_paths])
  return `auto-${hash('sha256', what).slice(0, 12)}`
}

/**
 * [A6] Base folders for the paths of a record: the folder that the operator named (any), else the record's own `root`
 * (a folder of the workspace), else the workspace.
 */
export function filesFor(
  record: Pick<StepRecord, 'root'>,
  roots: readonly string[],
  named: string | null,
): Result<BundleFiles> {
  if (named !== null) {
    const [workspace = '.'] = roots
    return ok(openRootFiles([isAbsolute(named) ? named : resolve(workspace, named)]))
  }
  const own = record.root ?? ''
  const places = roots.map((root) => ({ root, place: resolve(root, own) }))
  if (places.some(({ root, place }) => place !== root && !place.startsWith(root + sep)))
    return err({
      what: `"${own}" leads out of the workspace`,
      where: 'root',
      do: 'Name a folder of the workspace',
    })
  return ok(openRootFiles(places.map(({ place }) => place)))
}

/** [A3] Builds steps of sessions. Each step sees the history as of its time. `now` replaces an unknown time. */
export function createStepBuilder({
  roots,
  named,
  now,
  ...shared
}: StepBuilding): (step: SessionStep) => Result<BuiltBundle> {
  return ({ record, at }) => {
    if (!record.ok) return err(record.error)
    const files = filesFor(record.value, roots, named)
    if (!files.ok) return files
    return buildRecord(record.value, { ...shared, files: files.value, now: at ?? now(), until: at })
  }
}

type StepBuilding = Omit<Building, 'files' | 'now' | 'until'> & {
  readonly roots: readonly string[]
  /** Folder that the operator named. */
  readonly named: string | null
  readonly now: () => number
}
