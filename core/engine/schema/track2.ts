import { z } from 'zod'
import { OutcomeRecord } from './bundle.ts'
import type { Immutable } from './immutable.ts'

/** A step by its number, by its number as text, or by the name of the step or of its agent. */
const Step = z.union([z.int(), z.string()])

/** [A13] One line of `run_history.jsonl`. Values are in `metrics`, in `results`, or next to them. */
export const RunHistoryLine = z
  .looseObject({
    run_id: z.string().optional(),
    step: Step.nullish(),
    step_id: Step.nullish(),
    agent: z.string().nullish(),
    agent_name: z.string().nullish(),
    step_name: z.string().nullish(),
    timestamp: z.string().nullish(),
    metrics: z.record(z.string(), z.unknown()).nullish(),
    results: z.record(z.string(), z.unknown()).nullish(),
  })
  .refine(
    (line) =>
      [line.step, line.step_id, line.agent, line.agent_name, line.step_name].some(
        (value) => value !== undefined && value !== null,
      ),
    'step is missing',
  )
export type RunHistoryLine = Immutable<z.infer<typeof RunHistoryLine>>

/**
 * [A14] One line of `watcher_failures.jsonl`. Lines of one `id` are the story of one incident; it is
 * resolved when its last line says so: by `resolved`, `resolved_at` or `status`.
 */
export const WatcherFailureLine = z.looseObject({
  id: z.string().min(1).optional(),
  incident_id: z.string().min(1).optional(),
  step: Step.nullish(),
  step_id: Step.nullish(),
  agent: z.string().nullish(),
  agent_name: z.string().nullish(),
  step_name: z.string().nullish(),
  run_id: z.string().nullish(),
  timestamp: z.string().nullish(),
  severity: z.string().nullish(),
  message: z.string().nullish(),
  error: z.string().nullish(),
  /** If neither is present: the kind of failure, and its details. */
  failure_type: z.string().nullish(),
  details: z.unknown().optional(),
  status: z.string().nullish(),
  resolved: z.boolean().nullish(),
  resolved_at: z.string().nullish(),
})
export type WatcherFailureLine = Immutable<z.infer<typeof WatcherFailureLine>>

/** [A12] A file of `chapter13/summaries/`: one outcome, a list of them, or an object with the list. */
export const OutcomeFileWritten = z.union([
  OutcomeRecord,
  z.array(OutcomeRecord),
  z.object({ outcomes: z.array(OutcomeRecord) }),
])

/** The same as it is read: a record that cannot be used costs itself. */
export const OutcomeFile = z.union([
  z.array(z.unknown()),
  z.object({ outcomes: z.array(z.unknown()) }),
  OutcomeRecord,
])
