import {
  type BudgetOverrides,
  type BundleEstimatorName,
  type StepId,
  STEP_IDS,
  StepRecord,
} from '../../../core/engine/schema/bundle.ts'
import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { Input } from '../../../core/wire/rpc.ts'
import { type JsonProblem, readJson } from './read-json.ts'

export const FILE_ROLES = ['manifest', 'state', 'other'] as const
export type FileRole = (typeof FILE_ROLES)[number]

/** A file that is written in the form. */
export interface DraftFile {
  readonly role: FileRole
  readonly path: string
  readonly text: string
}

/** Contents of the form. Never written to a file. */
export interface Draft {
  readonly step: StepId
  readonly run: string
  readonly results: string
  /** Contents written here, or paths below a folder. */
  readonly source: 'here' | 'folder'
  readonly files: readonly DraftFile[]
  readonly root: string
  readonly manifest: string
  /** One path a line. */
  readonly states: string
  readonly budgets: BudgetOverrides
  readonly estimator: BundleEstimatorName | null
}

export const EXAMPLE: Draft = {
  step: 1,
  run: '',
  results:
    '{\n  "success": true,\n  "confidence": 0.8,\n  "survivor_count": 43870,\n  "precision": 0.61\n}',
  source: 'here',
  files: [],
  root: '',
  manifest: '',
  states: '',
  budgets: {},
  estimator: null,
}

const WHOLE_PATH = /^(?:[/\\~]|[a-z]:[/\\])/iu

export type Checked =
  | { readonly ok: true; readonly request: Input<TurnscopeContract, 'bundle.build'> }
  | { readonly ok: false; readonly field: string; readonly problem: JsonProblem | string }

const used = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The form as a request, or the first field that cannot be used. */
export function requestOf(draft: Draft, preset: string): Checked {
  const { step, run, source, root, budgets, estimator } = draft
  const results =
    draft.results.trim() === '' ? { ok: true as const, value: {} } : readJson(draft.results)
  if (!results.ok) return { ok: false, field: 'results', problem: results.problem }
  const files = draft.files.filter(({ path }) => path.trim() !== '')
  const manifests = files.filter(({ role }) => role === 'manifest')
  if (source === 'here' && manifests.length > 1)
    return {
      ok: false,
      field: 'files',
      problem: 'A step has one manifest; two files are marked as it.',
    }
  const here = {
    manifest_path: manifests[0]?.path ?? null,
    state_paths: files.filter(({ role }) => role === 'state').map(({ path }) => path),
    files: Object.fromEntries(files.map(({ path, text }) => [path, text])),
  }
  // An absolute path is a folder named by the operator. Any other path is inside the workspace.
  const folderName = source === 'folder' ? root.trim() : ''
  const named = WHOLE_PATH.test(folderName) ? folderName : null
  const folder = {
    manifest_path: draft.manifest.trim() === '' ? null : draft.manifest.trim(),
    state_paths: used(draft.states),
    root: named === null && folderName !== '' ? folderName : null,
  }
  const record = {
    step_id: step,
    run_id: run.trim() === '' ? null : run.trim(),
    results: results.value,
    is_chapter_13: step === 13,
    ...(source === 'here' ? here : folder),
  }
  const choice = { preset, estimator, budgets: { ...budgets }, root: named }
  return { ok: true, request: { record, choice } }
}

/** Fills a form from a step's record in a session; null if the text is no such record. */
export function draftOf(text: string): Draft | null {
  const json = readJson(text)
  const read = json.ok ? StepRecord.safeParse(json.value) : null
  const step = STEP_IDS.find((id) => id === read?.data?.step_id)
  if (!read?.success || step === undefined) return null
  const record = read.data
  const files = Object.entries(record.files ?? {}).map(([path, own]): DraftFile => ({
    path,
    text: own,
    role:
      path === record.manifest_path
        ? 'manifest'
        : (record.state_paths ?? []).includes(path)
          ? 'state'
          : 'other',
  }))
  return {
    step,
    run: record.run_id ?? '',
    results: JSON.stringify(record.results ?? {}, null, 2),
    source: record.files ? 'here' : 'folder',
    files,
    root: record.root ?? '',
    manifest: record.manifest_path ?? '',
    states: (record.state_paths ?? []).join('\n'),
    budgets: record.budgets ?? {},
    estimator: record.estimator ?? null,
  }
}
