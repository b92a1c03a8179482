import { z } from 'zod'
import type { Immutable } from './immutable.ts'

const Disabled = z.array(z.string()).nullable().optional()

/**
 * A model profile (`profiles/models/*.json`). Unknown keys are kept: eval frameworks write more
 * than we read. [L10] `disabled_domains` is accepted at the top level and under `bst`.
 */
export const ModelProfile = z.looseObject({
  model: z.string().optional(),
  disabled_domains: Disabled,
  bst: z.looseObject({ disabled_domains: Disabled }).optional(),
  aliases: z.record(z.string(), z.string()).optional(),
  context_window: z.number().optional(),
  tokenizer: z.string().optional(),
})
export type ModelProfile = Immutable<z.infer<typeof ModelProfile>>

/** [L10] The actual effect of a profile. Reported because a gate without effect looks like one that works. */
export const GateReport = z.object({
  disabled: z.array(z.string()),
  /** Names that no loaded domain has, neither by name nor by alias. */
  unknown: z.array(z.string()),
  /** `from` was mapped to the domain `to` by an alias. */
  mapped: z.array(z.object({ from: z.string(), to: z.string() })),
  source: z.enum(['top', 'bst', 'both', 'none']),
  warnings: z.array(z.string()),
})
export type GateReport = Immutable<z.infer<typeof GateReport>>

/** [F60] Advice for the operator about the profile of a session. */
export const ProfileAdvice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fits') }),
  /** Nothing is chosen, and there is a profile for the session's model. */
  z.object({ kind: z.literal('suggested'), model: z.string(), profile: z.string() }),
  /** Nothing is chosen, and no profile is for the session's model. */
  z.object({ kind: z.literal('no_profile'), model: z.string() }),
  /** The chosen profile is for another model. `profile` is the session's own, or null if none exists. */
  z.object({
    kind: z.literal('other_model'),
    model: z.string(),
    profile: z.string().nullable(),
  }),
  /** There is no profile of the chosen name; `profile` is the session's own, null = none is known. */
  z.object({ kind: z.literal('missing'), profile: z.string().nullable() }),
])
export type ProfileAdvice = Immutable<z.infer<typeof ProfileAdvice>>
