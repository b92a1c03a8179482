import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { ClassifyKinds } from './preset.ts'

/** A column: one number a row. Checked by one loop, because a session has up to 100,000 turns. */
export const Column = z.custom<readonly number[]>(
  (value) => Array.isArray(value) && value.every((cell) => typeof cell === 'number'),
  'a column is an array of numbers',
)

/** Configuration of a replay. `domains` and `profile` are file names in the workspace, without folder. */
export const ReplayConfig = z.object({
  preset: z.string(),
  domains: z.string(),
  profile: z.string().nullable(),
  /** Overrides the preset's `classify`; null = as the preset says. */
  classify: ClassifyKinds.nullable(),
})
export type ReplayConfig = Immutable<z.infer<typeof ReplayConfig>>

/** Codes of the `event` column are indexes into this list. */
export const EVENT_CODES = ['same', 'accept', 'hold', 'resist', 'widen', 'break'] as const

/** Rules of core/SPEC.md that decide what momentum does. Codes of the `rule` column index this list. */
export const RULE_CODES = [
  'M1',
  'M2',
  'M3',
  'M4',
  'B1',
  'B2',
  'B4',
  'B14',
  'L2',
  'L3',
  'L4',
] as const

/**
 * Columns of a whole replay for timeline, list and library, one row per turn. Domain numbers index `domains`; -1 =
 * none.
 */
export const ReplayColumns = z.object({
  config: ReplayConfig,
  domains: z.array(z.string()),
  /** [K12] Domains are skills: all that score fire. Absent: domains. */
  kind: z.literal('skill-rules').optional(),
  turns: z.int().min(0),
  /** `seq` of the event that the turn classifies. */
  seq: Column,
  primary: Column,
  secondary: Column,
  primaryScore: Column,
  secondaryScore: Column,
  /** Primary before momentum. */
  scoredPrimary: Column,
  momentum: Column,
  /** Index into EVENT_CODES. */
  event: Column,
  /** Index into RULE_CODES. */
  rule: Column,
  /** Domain held off this turn, or -1. */
  resisted: Column,
  /** Enrichment injected: bit 0 primary, bit 1 secondary. */
  enriched: Column,
  /** Scores of all domains that matched and are not barred (K15), row by row: pairs (domain, score) from scoreStart[i] to scoreStart[i + 1]. */
  scoreStart: Column,
  scorePairs: Column,
  threshold: z.int(),
  /** [B20] Turns whose text alone does not decide, with the domains that compete. Absent: the preset names no margin. */
  ambiguous: z
    .array(z.object({ turn: z.int().min(0), between: z.array(z.int()), lead: z.number() }))
    .optional(),
  /** Patterns that the watchdog cut off. */
  cutOffs: z.array(
    z.object({
      domain: z.string(),
      signal: z.int(),
      pattern: z.string(),
      turn: z.int(),
      chars: z.int(),
      elapsedMs: z.number(),
    }),
  ),
  warnings: z.array(z.string()),
})
export type ReplayColumns = Immutable<z.infer<typeof ReplayColumns>>

/** One turn that two configurations decide differently (`lab/diff.ts`). */
export const Flip = z.object({
  turn: z.int().min(0),
  /** [L38] Turn of the compared replay that classifies the same event. */
  other: z.int().min(0),
  fields: z.array(z.enum(['primary', 'secondary', 'signature', 'enrichment'])),
  /** `direct`: the scores before momentum differ, or the rule applied to equal state differs; `momentum`: only the state carried in does. */
  cause: z.enum(['direct', 'momentum']),
  /** Turn on which the difference in state began; equals `turn` if direct. */
  since: z.int().min(0),
})
export type Flip = Immutable<z.infer<typeof Flip>>

/** [L38] Turns of a comparison whose event the other side does not classify; they are no flips. */
export const OneSided = z.object({ base: z.int().min(0), other: z.int().min(0) })
export type OneSided = Immutable<z.infer<typeof OneSided>>
