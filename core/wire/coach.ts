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

/** Prompt and rules as they are on disk, with the hash that verdicts are kept under. */
export const CoachFilesShown = z.object({
  system: z.string(),
  user: z.string(),
  rules: z.string(),
  promptHash: z.string(),
  /** What is wrong with the files; then the rules that ship are used. */
  problem: z.string().nullable(),
})

/** What the lab judges. */
const lab = z.object({
  draft: CoachDraft,
  /** One output typed or selected, instead of the labelled ones. */
  text: z.string().max(2_000_000).nullable(),
  /** Only the labels of this opened session; null = all labels of the workspace, and the shipped ones. */
  session: z.object(session).nullable(),
})

/** A session, and the task where a person says it (V61). */
const ofTask = { ...session, task: CoachTask.optional() }

/** The coach: verdicts about what the agent said. Only `coach.run` and `coach.lab` may send anything, and only with settings `mode: model`. */
export const coachContract = {
  /** By the rules and whatever is cached or recorded; never calls a model. */
  'coach.session': call('main', ofTask, CoachColumns),
  /** Beginnings of all outputs, one a row of `coach.session` and after redaction, for the list of verdicts. */
  'coach.previews': call('main', ofTask, { seqs: Column, previews: z.array(z.string()) }),
  /** Where every classification is written down (V16). */
  'coach.log': call('main', nothing, { path: z.string() }),
  /** Refused for events that are no agent's output. */
  'coach.output': call('main', { ...ofTask, seq: z.int().min(0) }, CoachOutput),
  'coach.estimate': call(
    'main',
    { ...ofTask, seqs: z.array(z.int().min(0)).nullable() },
    CoachEstimate,
  ),
  /** Asks the model about these outputs (null = all); what is cached is not asked again. */
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
   * Writes the edited files into the workspace, atomically. `base`: the texts that were edited, as
   * `coach.files` said them. Refused where a file that is written is another one by now.
   */
  'coach.save': call(
    'workspace',
    CoachDraft.extend({ base: z.object({ system: z.string(), rules: z.string() }) }),
    { promptHash: z.string() },
  ),
  /** What the lab on a model would send and cost. Refused when the draft cannot be used. */
  'coach.labEstimate': call('main', lab, CoachEstimate),
  /** Judges all labelled outputs with the draft, beside the files on disk. `rules` never calls a model. */
  'coach.lab': stream(
    'main',
    lab.extend({ use: z.enum(['rules', 'model']) }),
    steps(
      variant('result', {
        rows: z.array(CoachLabRow),
        score: CoachScore,
        /** [L100] What `score` stands on. */
        basis: FigureBasis,
        before: CoachScore.nullable(),
        /** What `before` is: the files on disk, or (a model, no draft) what it said under earlier prompts. */
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
