import { z } from 'zod'
import { CoachExplained } from './coach-acts.ts'
import { OutputType, Verdict, VerdictSource } from './coach.ts'
import { Column } from './replay.ts'

/** Settings for the coach's model calls. `off`: nothing is ever sent; the rules judge alone. */
export const CoachSettings = z.object({
  mode: z.enum(['off', 'model']),
  provider: z.enum(['anthropic', 'openai-compatible']),
  /** Null = the provider's own; needed for `openai-compatible` (`http://127.0.0.1:11434/v1`). */
  baseUrl: z.url().max(2000).nullable(),
  model: z.string().max(200),
  /** Prices in US dollars per million tokens; null = unknown, then no cost is shown. */
  inputPrice: z.number().min(0).nullable(),
  outputPrice: z.number().min(0).nullable(),
  timeoutSeconds: z.int().min(1).max(600),
  /** Calls a minute. */
  rateLimit: z.int().min(1).max(10_000),
  /** [V42] US dollars and tokens (in and out) that one run may use at most; null = no ceiling. */
  maxCost: z.number().min(0).nullable().default(null),
  maxTokens: z.int().min(1).nullable().default(null),
})
export type CoachSettings = z.infer<typeof CoachSettings>

/** Source of the model's key. `refused`: the machine would store it in plain text. */
export const CoachKeyState = z.object({
  from: z.enum(['none', 'environment', 'keychain', 'file']),
  /** Name of the environment variable, path of the 0600 file, or name of the keychain's backend. */
  where: z.string().nullable(),
  /** Whether this place can keep a key at all; `why` says why not. */
  canStore: z.boolean(),
  why: z.string().nullable(),
})
export type CoachKeyState = z.infer<typeof CoachKeyState>

/** Why a model gave no verdict. Shown as a clear state on the turn; the rules' verdict remains in force. */
export const CoachFailure = z.object({
  kind: z.enum([
    'off',
    'no_key',
    'unauthorized',
    'rate_limited',
    'timeout',
    'unreachable',
    'server_error',
    'cut_off',
    'refused',
    'too_large',
    'malformed',
    'cancelled',
    'restricted',
    'ceiling',
  ]),
  what: z.string(),
  do: z.string(),
  attempts: z.int().min(0),
})
export type CoachFailure = z.infer<typeof CoachFailure>

export const CoachCost = z.object({
  inputTokens: z.int().nullable(),
  outputTokens: z.int().nullable(),
  /** US dollars; null if prices or tokens are unknown. */
  dollars: z.number().nullable(),
  elapsedMs: z.number(),
})
export type CoachCost = z.infer<typeof CoachCost>

/** The operator's label for an output. */
export const CoachLabel = z.object({
  type: OutputType,
  note: z.string().max(2000).nullable(),
})
export type CoachLabel = z.infer<typeof CoachLabel>

/** Something to look at again (V12). */
export const CoachFindingText = z.object({ kind: z.string(), what: z.string() })

/** Verdicts of all outputs of a session, one row an agent event. Codes index `OutputType.options` etc. */
export const CoachColumns = z.object({
  seq: Column,
  type: Column,
  /** 0 or 1. */
  passes: Column,
  confidence: Column,
  /** Index into `VerdictSource.options`. */
  source: Column,
  /** Type by the rules. */
  rules: Column,
  /** 1 where rules and model, or two runs, disagree. */
  disagrees: Column,
  /** 1 if the model failed on this output. */
  failed: Column,
  /** Index into `OutputType.options` of the label, -1 = none. */
  label: Column,
  /** 1 if the agent continued unprompted (V23). */
  wentOn: Column,
  /** 1 if a gate decided, so that no model is ever called (V10). */
  gated: Column,
  /** Bit n: the rules' verdict has `VerdictFlag.options[n]`. */
  flags: Column,
})
export type CoachColumns = z.infer<typeof CoachColumns>

/** A request to a model as it would be sent. */
export const CoachCall = z.object({
  system: z.string(),
  user: z.string(),
  removed: z.int(),
  redacted: z.int(),
  promptHash: z.string(),
  tokens: z.int(),
  /** Decided by a gate: nothing would be sent. */
  gated: z.boolean(),
})

/** One output with all of the coach's data about it. */
export const CoachOutput = z.object({
  seq: z.int(),
  text: z.string(),
  verdict: Verdict,
  rules: Verdict,
  /** The agent continued unprompted (V23). A live run would not have stopped there for the user. */
  wentOn: z.boolean(),
  /** [V81] Why the rules judged so, sentence by sentence. */
  explained: CoachExplained.nullable(),
  /** The message that the agent would receive; null if the output passes. */
  message: z.string().nullable(),
  context: z.object({
    plan: z.string().nullable(),
    skill: z.string().nullable(),
    criteria: z.array(z.string()),
    /** Why the plan's file was not read (V61). */
    planProblem: z.string().nullable(),
  }),
  /**
   * The request that would be (or was) sent, after redaction. `removed` is the text cut by V7, `redacted` the number of
   * values.
   */
  request: CoachCall,
  /** The model's raw answer, if it gave one. */
  response: z.string().nullable(),
  failure: CoachFailure.nullable(),
  cost: CoachCost.nullable(),
  findings: z.array(CoachFindingText),
  /** Verdicts of other runs of the same output (prompt version, model), newest first. */
  runs: z.array(
    z.object({ verdict: Verdict, model: z.string(), promptHash: z.string(), at: z.number() }),
  ),
  label: CoachLabel.nullable(),
})
export type CoachOutput = z.infer<typeof CoachOutput>

/** The expected work of a batch, before anything is sent. */
export const CoachEstimate = z.object({
  outputs: z.int(),
  gated: z.int(),
  cached: z.int(),
  calls: z.int(),
  inputTokens: z.int(),
  /** An upper bound. */
  outputTokens: z.int(),
  dollars: z.number().nullable(),
  problem: CoachFailure.nullable(),
})
export type CoachEstimate = z.infer<typeof CoachEstimate>

/** A part of a whole with its counts. */
const Share = z.object({ hits: z.int(), of: z.int() })

/** Agreement of verdicts with labels. `harmful`: rejects that were passed, and questions that were continued. */
export const CoachScore = z.object({
  labelled: z.int(),
  type: Share,
  passOrBack: Share,
  rejectsPassed: Share,
  questionsContinued: Share,
  types: z.array(z.object({ type: OutputType, precision: Share, recall: Share })),
  confusion: z.array(z.object({ label: OutputType, verdict: OutputType, count: z.int() })),
})
export type CoachScore = z.infer<typeof CoachScore>

/** One labelled output in the lab: its verdict now, and with the prompt or rules before. */
export const CoachLabRow = z.object({
  /** `session` rows can be opened; `shipped` ones are the labelled outputs that come along. */
  from: z.enum(['session', 'shipped']),
  id: z.string(),
  seq: z.int().nullable(),
  preview: z.string(),
  /** Null for a text that was typed or selected without a label; it is not scored. */
  label: OutputType.nullable(),
  before: z.object({ type: OutputType, source: VerdictSource }).nullable(),
  after: z.object({ type: OutputType, source: VerdictSource, confidence: z.number() }),
  coaching: z.string().nullable(),
})
export type CoachLabRow = z.infer<typeof CoachLabRow>
