import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { CorpusFlip, Draft, FlipCell, type Side } from './lab.ts'
import { OneSided, ReplayConfig } from './replay.ts'

/** Side of a comparison: a configuration, a draft over one, or a configuration as of a revision. */
export const Decider = z.union([
  ReplayConfig,
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('draft'), draft: Draft }),
    z.object({
      kind: z.literal('revision'),
      config: ReplayConfig,
      revision: z.string().min(1).max(200),
    }),
  ]),
])
export type Decider = Immutable<z.infer<typeof Decider>>

/** [L50] The other side of a comparison: another way to decide, or the decisions recorded in the file at run time. */
export const Compared = z.union([Decider, z.object({ kind: z.literal('observed') })])
export type Compared = Immutable<z.infer<typeof Compared>>

/** A side that decides; null for recorded decisions. */
export function deciderOf(compared: Compared): Decider | null {
  return 'kind' in compared && compared.kind === 'observed' ? null : compared
}

/** The same as a side of the lab; null for recorded decisions, which have no rules. */
export function sideOf(compared: Compared): Side | null {
  if (!('kind' in compared)) return { kind: 'config', config: compared }
  return compared.kind === 'observed' ? null : compared
}

/** The configuration of a side, or the one under its draft; null for recorded decisions. */
export function configOf(compared: z.input<typeof Compared>): z.input<typeof ReplayConfig> | null {
  if (!('kind' in compared)) return compared
  if (compared.kind === 'observed') return null
  return compared.kind === 'draft' ? compared.draft.config : compared.config
}

/** Stages beside the belief whose answers can differ between two sides. */
export const STAGES = ['query', 'self-signal', 'persona', 'prompt', 'verdict'] as const
export type Stage = (typeof STAGES)[number]

/** [L51] An event for which a stage says something else on the other side. */
export const StageFlip = z.object({
  stage: z.enum(STAGES),
  seq: z.int().min(0),
  was: z.string(),
  is: z.string(),
})
export type StageFlip = Immutable<z.infer<typeof StageFlip>>

/** [L51] A stage that has nothing to compare, and why: nothing is left out in silence. */
export const Uncompared = z.object({
  stage: z.enum(STAGES),
  /**
   * In order: the file has no record of the stage; nothing was probed; both sides probe alike; one coach judges both
   * sides; the texts were left out.
   */
  why: z.enum(['not_recorded', 'not_probed', 'same_probe', 'same_rules', 'no_texts']),
})
export type Uncompared = Immutable<z.infer<typeof Uncompared>>

/** [L52] One difference between two configurations, switched individually. */
export const FlipCause = z.object({
  /** `belief.maxChars`, `query.wholeWords`, or `domain file`, `model profile`, `texts that are turns`. */
  name: z.string(),
  from: z.string(),
  to: z.string(),
  /**
   * Number of flips if only this difference is switched. Null if it could not be counted; the group gives the reason.
   */
  alone: z.int().nullable(),
  /** One of a smallest set that together makes all flips. */
  needed: z.boolean(),
})
export type FlipCause = Immutable<z.infer<typeof FlipCause>>

/**
 * [T83] Differences whose effect is counted in something else than turns and events of a comparison: messages
 * that the probe answers otherwise, step bundles with another prompt, verdicts; or not at all.
 */
export const CauseGroup = z.object({
  group: z.enum(['stages', 'probe', 'bundle', 'verdict']),
  causes: z.array(FlipCause),
  /** Null: not counted. */
  flips: z.int().nullable(),
  why: z.enum(['corpus', 'not_probed', 'probe_failed', 'no_steps']).nullable(),
})
export type CauseGroup = Immutable<z.infer<typeof CauseGroup>>

/** All that differs in one session. Turns of flips are those of this side; `session` is always 0. */
export const SessionDiff = z.object({
  turns: z.int(),
  total: z.int(),
  direct: z.int(),
  momentum: z.int(),
  /** Turns whose primary differs. */
  primaries: z.int(),
  fixed: z.int(),
  broken: z.int(),
  /** At most `LISTED_FLIPS`; the counts above have all. */
  flips: z.array(CorpusFlip),
  cells: z.array(FlipCell),
  oneSided: OneSided,
  /** [B24] Turns marked ambiguous on either side; null: its preset names no margin. */
  ambiguous: z.object({ base: z.int().nullable(), other: z.int().nullable() }),
  /** At most `LISTED_FLIPS`. */
  stages: z.array(StageFlip),
  /** Of each stage that both sides have answers of: events compared, and flips among them. */
  stageTotals: z.array(z.object({ stage: z.enum(STAGES), compared: z.int(), flips: z.int() })),
  uncompared: z.array(Uncompared),
  /** First event on which the sides differ, in any stage. */
  first: z
    .object({ seq: z.int(), turn: z.int().nullable(), what: z.enum(['domains', ...STAGES]) })
    .nullable(),
  /** Number of turns with a record, if the other side is the recorded run. */
  recorded: z.int().nullable(),
})
export type SessionDiff = Immutable<z.infer<typeof SessionDiff>>
