import { z } from 'zod'
import { CoachDraft } from '../coach.ts'
import { call } from '../method.ts'
import { session } from '../shapes.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import { CoachTask, OutputType, Verdict, VerdictFlag } from '../../engine/schema/coach.ts'
import { CoachCall } from '../../engine/schema/coach-wire.ts'

/** One output with its task. */
const Item = z.object({
  text: z.string(),
  plan: z.string().nullable(),
  skill: z.string().nullable(),
  /** Success criteria of the file that `plan` names, once it has been read (V61). */
  criteria: z.array(z.string()).readonly().optional(),
  /** [V78] The user message before it; read only by the rules. */
  asked: z.string().nullable().optional(),
})
export type CoachItem = Immutable<z.infer<typeof Item>>

const Of = z.object({ ...session, task: CoachTask.optional() })

/** Numbers of the rules that reading a model's answer needs, and which files they came from. */
const Basis = z.object({
  promptHash: z.string(),
  rulesHash: z.string(),
  minConfidence: z.number(),
  /** Problem of the files, or a rule disabled because it hung. */
  problem: z.string().nullable(),
})
export type CoachBasis = Immutable<z.infer<typeof Basis>>

/** An output as the rules judge it, small enough to hold all of a session. */
const Row = z.object({
  seq: z.int(),
  /** SHA-256 of output and context. */
  content: z.string(),
  /**
   * The same with the plan and skill of the transcript, so that labels are kept when the operator gives another task.
   */
  labelContent: z.string(),
  type: OutputType,
  confidence: z.number(),
  reason: z.string(),
  /** Decided before any model (V10). */
  gated: z.boolean(),
  /** The agent continued without user input (V23). */
  wentOn: z.boolean(),
  flags: z.array(VerdictFlag),
  preview: z.string(),
  /** [L60] Answers of models that the file itself has, raw. */
  recorded: z.array(z.string()),
  /** Estimated size of the request. */
  tokens: z.int(),
})
export type CoachRow = Immutable<z.infer<typeof Row>>

const Rows = z.object({
  basis: Basis,
  /** Id of the session in its file, which labels are kept under. */
  id: z.string(),
  /** Why the plan's file was not read (V61). */
  planProblem: z.string().nullable(),
  rows: z.array(Row),
})
export type CoachRows = Immutable<z.infer<typeof Rows>>

/** An output with the rules' verdict and the request as it would be sent. */
const Prepared = z.object({
  seq: z.int(),
  content: z.string(),
  labelContent: z.string(),
  item: Item,
  wentOn: z.boolean(),
  preview: z.string(),
  recorded: z.array(z.string()),
  rules: Verdict,
  /** The continuation that the agent receives if no rule gives coaching text (V9). */
  continuation: z.string(),
  context: z.object({
    plan: z.string().nullable(),
    skill: z.string().nullable(),
    criteria: z.array(z.string()),
  }),
  request: CoachCall,
})
export type CoachPrepared = Immutable<z.infer<typeof Prepared>>

const PreparedSet = z.object({
  basis: Basis,
  id: z.string(),
  planProblem: z.string().nullable(),
  prepared: z.array(Prepared),
})
export type CoachPreparedSet = Immutable<z.infer<typeof PreparedSet>>

/** Calls from the main process to a thread about the coach: files, rules, requests. Never calls a model. */
export const coachRows = {
  'coach.rows': call('session', Of, Rows),
  'coach.prepare': call('session', Of.extend({ seqs: z.array(z.int().min(0)) }), PreparedSet),
  /** Outputs that are no session's: labelled or typed. `seq` of the answers is their place. */
  'coach.items': call('workspace', { items: z.array(Item), draft: CoachDraft }, PreparedSet),
} as const
