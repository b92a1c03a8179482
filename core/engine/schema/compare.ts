import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { CorpusFlip, Draft, FlipCell, type Side } from './lab.ts'
import { OneSided, ReplayConfig } from './replay.ts'

/** What turns can be decided by: a configuration, a draft over one, or one as it was at a revision. */
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

/** [L50] The other side of a comparison: another way to decide, or what the file recorded when it ran. */
export const Compared = z.union([Decider, z.object({ kind: z.literal('observed') })])
export type Compared = Immutable<z.infer<typeof Compared>>

/** The same as a side of the lab; null for what was observed, which has no rules. */
export function sideOf(compared: Compared): Side | null {
  if (!('kind' in compared)) return { kind: 'config', config: compared }
  return compared.kind === 'observed' ? null : compared
}

/** The configuration that a side is, or lies over; null for what was observed. */
export function configOf(compared: z.input<typeof Compared>): z.input<typeof ReplayConfig> | null {
  if (!('kind' in compared)) return compared
  if (compared.kind === 'observed') return null
  return compared.kind === 'draft' ? compared.draft.config : compared.config
}

/** Stages beside the belief whose answers can differ between two sides. */
export const STAGES = ['query', 'self-signal', 'persona', 'prompt', 'verdict'] as const

/** [L51] An event for which a stage says something else on the other side. */
export const StageFlip = z.object({
  stage: z.enum(STAGES),
  seq: z.int().min(0),
  was: z.string(),
  is: z.string(),
})
export type StageFlip = Immutable<z.infer<typeof StageFlip>>

/** [L52] One difference between two configurations, switched by itself. */
export const FlipCause = z.object({
  /** `belief.maxChars`, `query.wholeWords`, or `domain file`, `model profile`, `texts that are turns`. */
  name: z.string(),
  from: z.string(),
  to: z.string(),
  /** Turns and events that flip when only this is switched; null: of a stage that is not compared here. */
  alone: z.int().nullable(),
  /** One of a smallest set that together makes all flips. */
  needed: z.boolean(),
})
export type FlipCause = Immutable<z.infer<typeof FlipCause>>

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
  /** At most `LISTED_FLIPS`. */
  stages: z.array(StageFlip),
  /** Of each stage that both sides have answers of: events compared, and flips among them. */
  stageTotals: z.array(z.object({ stage: z.enum(STAGES), compared: z.int(), flips: z.int() })),
  /** First event for which the sides part, whatever the stage. */
  first: z
    .object({ seq: z.int(), turn: z.int().nullable(), what: z.enum(['domains', ...STAGES]) })
    .nullable(),
  /** Turns of which the other side says something, where it is what was observed. */
  recorded: z.int().nullable(),
})
export type SessionDiff = Immutable<z.infer<typeof SessionDiff>>
