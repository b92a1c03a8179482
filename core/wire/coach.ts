import { z } from 'zod'
import { call, stream } from './method.ts'
import { CoachTask } from '../engine/schema/coach.ts'
import { steps, variant, nothing, session } from './shapes.ts'
import { FigureBasis } from '../engine/schema/basis.ts'
import { Column } from '../engine/schema/replay.ts'
import {
  CoachColumns,
  CoachEstimate,
  CoachFailure,
  CoachKeyState,
  CoachLabel,
  CoachLabRow,
  CoachOutput,
  CoachScore,
} from '../engine/schema/coach-wire.ts'

/** Prompt and rules as edited in the lab; null = as on disk. Nothing is stored by a run. */
export const CoachDraft = z.object({
  system: z.string().max(200_000).nullable(),
  rules: z.string().max(500_000).nullable(),
})
export type CoachDraft = Readonly<z.infer<typeof CoachDraft>>

/** The prompt and rules on disk, with the hash under which verdicts are stored. */
export const CoachFilesShown = z.object({
  system: z.string(),
  user: z.string(),
  rules: z.string(),
  promptHash: z.string(),
  /** Problem of the files. If set, the shipped rules are used. */
  problem: z.string().nullable(),
})

/** The lab's input. */
const lab = z.object({
  draft: CoachDraft,
  /** One output typed or selected, instead of the labelled ones. */
  text: z.string().max(2_000_000).nullable(),
  /** Only the labels of this opened session; null = all labels of the workspace, and the shipped ones. */
  session: z.object(session).nullable(),
})

/** A session, with its task if the operator gave one (V61). */
const ofTask = { ...session, task: CoachTask.optional() }

/**
 * The coach: verdicts about the agent's outputs. Only `coach.run` and `coach.lab` may send data, and only with the
 * setting `mode: model`.
 */
export const coachContract = {
  /** Verdicts from the rules and from cached or recorded results. Never calls a model. */
  'coach.session': call('main', ofTask, CoachColumns),
  /** Beginnings of all outputs, one a row of `coach.session` and after redaction, for the list of verdicts. */
  'coach.previews': call('main', ofTask, { seqs: Column, previews: z.array(z.string()) }),
  /** Path of the log to which every classification is written (V16). */
  'coach.log': call('main', nothing, { path: z.string() }),
  /** Refused for events that are no agent's output. */
  'coach.output': call('main', { ...ofTask, seq: z.int().min(0) }, CoachOutput),
  'coach.estimate': call(
    'main',
    { ...ofTask, seqs: z.array(z.int().min(0)).nullable() },
    CoachEstimate,
  ),
  /** Calls the model for these outputs (null = all). Cached verdicts are not requested again. */
  'coach.run': stream(
    'main',
    { ...ofTask, seqs: z.array(z.int().min(0)).nullable() },
    steps(
      variant('judged', { seqs: z.array(z.int()), dollars: z.number().nullable() }),
      variant('done', {
        calls: z.int(),
        cached: z.int(),
        failed: z.int(),
        dollars: z.number().nullable(),
        /** Why the batch ended early, if it did. */
        failure: CoachFailure.nullable(),
      }),
    ),
  ),
  /** Sets or (null) removes the label of an output; kept in `labels/`. */
  'coach.label': call(
    'main',
    { ...ofTask, seq: z.int().min(0), label: CoachLabel.nullable() },
    nothing,
  ),
  'coach.files': call('workspace', nothing, CoachFilesShown),
  /**
   * Writes the edited files into the workspace, atomically. `base` holds the texts that were edited, as returned by
   * `coach.files`. Refused if a file to write has changed since.
   */
  'coach.save': call(
    'workspace',
    CoachDraft.extend({ base: z.object({ system: z.string(), rules: z.string() }) }),
    { promptHash: z.string() },
  ),
  /** Estimates the data and cost of a lab run with a model. Refused if the draft is invalid. */
  'coach.labEstimate': call('main', lab, CoachEstimate),
  /** Judges all labelled outputs with the draft, beside the files on disk. `rules` never calls a model. */
  'coach.lab': stream(
    'main',
    lab.extend({ use: z.enum(['rules', 'model']) }),
    steps(
      variant('result', {
        rows: z.array(CoachLabRow),
        score: CoachScore,
        /** [L100] Basis of `score`. */
        basis: FigureBasis,
        before: CoachScore.nullable(),
        /** Source of `before`: the files on disk, or (a model, no draft) its verdicts under earlier prompts. */
        against: z.enum(['disk', 'earlier']),
        changed: z.int(),
        problem: z.string().nullable(),
        failure: CoachFailure.nullable(),
      }),
    ),
  ),
  'coach.key': call('main', nothing, CoachKeyState),
  /** Keeps or (null) forgets the key; it is never sent back to a window. */
  'coach.setKey': call('main', { key: z.string().min(1).max(4096).nullable() }, CoachKeyState),
  /** One short call with the current settings: whether key, address and model work. Sends no transcript. */
  'coach.test': call('main', nothing, {
    ok: z.boolean(),
    failure: CoachFailure.nullable(),
    elapsedMs: z.number(),
  }),
} as const
