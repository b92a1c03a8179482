import { plainName, stepOfLine, type StepNames } from '../../bundle/step-of-line.ts'
import { draft, type Origin } from '../shared/drafts.ts'
import { compact, epoch, idText, isObject, own, textAt } from '../shared/guards.ts'
import { readSessions, type SessionWriter, type SessionsReading } from '../shared/session-writer.ts'
import type { Importer, RawRecord } from '../source.ts'

/** Files of a results folder beside the one that was opened. */
const BESIDE = /^(?:watcher_failures|run_history|step[\w.-]*|results?[\w.-]*)\.jsonl?$/iu

/** Names of the steps that the document knows, as recorders write them. */
const NAMES: StepNames = new Map(
  (
    [
      [1, 'window_optimizer'],
      [2, 'scorer_meta'],
      [3, 'full_scoring'],
      [4, 'ml_meta'],
      [5, 'anti_overfit'],
      [6, 'prediction'],
      [13, 'chapter_13'],
      [13, 'chapter_13_feedback'],
      [5, 'anti_overfit_training'],
    ] as const
  ).map(([step, name]) => [plainName(name), step]),
)

/** [A13] The step by its number, its number as text, its name, or its agent's name. */
function stepOf(value: unknown): number | null {
  if (!isObject(value)) return null
  const step = stepOfLine(value, NAMES)
  return typeof step === 'number' && Number.isInteger(step) && step >= 1 && step <= 13 ? step : null
}

function resultsOf(value: unknown): unknown {
  return own(value, 'results') ?? own(value, 'metrics')
}

/** A line of `run_history.jsonl`, or the results of one step. */
function isStep(value: unknown): boolean {
  return stepOf(value) !== null && isObject(resultsOf(value))
}

function isFailure(value: unknown): boolean {
  return (
    (own(value, 'id') !== undefined || own(value, 'incident_id') !== undefined) &&
    textAt(value, 'message', 'error', 'failure_type', 'details') !== null &&
    resultsOf(value) === undefined
  )
}

interface Reading extends SessionsReading {
  readonly runs: Map<string, SessionWriter>
}

function runOf(value: unknown, { runs, writers }: Reading): SessionWriter {
  const id = idText(own(value, 'run_id')) ?? 'run'
  const known = runs.get(id)
  if (known !== undefined) return known
  const writer = writers.open(id)
  writer.session.title = id
  runs.set(id, writer)
  return writer
}

function take({ value, ref }: RawRecord, reading: Reading): void {
  const origin: Origin = { at: epoch(own(value, 'timestamp')), model: null, source: ref }
  if (isStep(value)) takeStep(value, origin, reading)
  else if (isFailure(value)) takeFailure(value, origin, reading)
  else
    reading.log.unusable({ value, ref }, 'no step of a pipeline: it has no number and no results')
}

/** [I83] Each step is an event whose text is the record that a step's bundle is built of. */
function takeStep(value: unknown, origin: Origin, reading: Reading): void {
  const step_id = stepOf(value)
  const run_id = idText(own(value, 'run_id'))
  const manifest_path = textAt(value, 'manifest_path')
  const run_number = own(value, 'run_number')
  const state_paths = own(value, 'state_paths')
  const record = {
    step_id,
    ...(run_id === null ? {} : { run_id }),
    ...(typeof run_number === 'number' ? { run_number } : {}),
    ...(manifest_path === null ? {} : { manifest_path }),
    ...(state_paths === undefined ? {} : { state_paths }),
    results: resultsOf(value),
  }
  runOf(value, reading).push(draft('step', compact(record), origin, { name: `step ${step_id}` }))
}

/** An incident joins the run that it names; one of a run without steps is counted. */
function takeFailure(value: unknown, origin: Origin, reading: Reading): void {
  const run = reading.runs.get(idText(own(value, 'run_id')) ?? 'run')
  if (run === undefined) {
    reading.log.skip('incident of another run')
    return
  }
  const parts = [textAt(value, 'failure_type'), textAt(value, 'details')]
  const text = textAt(value, 'message', 'error') ?? parts.filter((part) => part !== null).join(': ')
  const isError = own(value, 'severity') === 'error'
  run.push(draft('notification', text, origin, { name: 'incident', isError }))
}

/** [I83] Results of a pipeline: a history of runs, or a file a step. Each run is a session. */
export const pipelineRun: Importer = {
  name: 'pipeline-results',
  label: 'results of a pipeline',
  detect: (head) => head.objects.some(isStep),
  split: () => ({ by: 'records' }),
  read: readSessions<{ readonly runs: Map<string, SessionWriter> }>(
    () => ({ runs: new Map() }),
    take,
  ),
  companions: (_name, neighbours) => neighbours.filter((each) => BESIDE.test(each)),
}
