import { z } from 'zod'
import { BundleOptions } from './bundle.ts'
import type { Immutable } from './immutable.ts'
import { ProbeOptions } from './probe.ts'
import { PromptOptions } from './prompt.ts'
import { QueryOptions } from './query.ts'
import { SelfSignalOptions } from './self-signal.ts'

/** [L6] A pattern that multiplies the scores of the domains it names. */
export const AntiSignal = z.strictObject({
  pattern: z.string().min(1),
  domains: z.array(z.string()).min(1),
  factor: z.number().min(0).max(1),
})

export type AntiSignal = Immutable<z.infer<typeof AntiSignal>>

/** [L8] Which texts are classified and count for momentum. */
export const ClassifyKinds = z.strictObject({
  user: z.boolean(),
  agent: z.boolean(),
  tool: z.boolean(),
  /** [B27] tool results that say nothing; absent = they are turns like others. */
  notices: z.boolean().optional(),
})
export type ClassifyKinds = Immutable<z.infer<typeof ClassifyKinds>>

/** [B26] Which quoted stretches of a message are not scored. */
export const StripQuoted = z.strictObject({
  quotation: z.boolean(),
  fence: z.boolean(),
  log: z.boolean(),
  /** [B27] lines of a client; absent = they are scored. */
  notice: z.boolean().optional(),
})
export type StripQuoted = Immutable<z.infer<typeof StripQuoted>>

const optionalCount = z.int().min(1).nullable()

/**
 * Every rule that changes behaviour, by name (specs: DECISIONS sections 2 and 3). A preset sets all of them. Defaults
 * and one line of help for each are in `belief/options.ts`.
 */
export const BeliefOptions = z.strictObject({
  momentumThreshold: z.int().min(1),
  secondaryMinSignals: z.int().min(0),
  defaultDomain: z.string().min(1),
  /** [B1] [B2] null = the document's rule: any outside primary breaks. A domain not in the map needs 1. */
  breakMinSignals: z.record(z.string(), z.int().min(0).nullable()).nullable(),
  /** [B3] numbers of a restored secondary come from this turn's full scores. */
  heldConfidenceFromScores: z.boolean(),
  /** [B4] null = a strong single domain never widens. */
  widenMinSignals: optionalCount,
  /** [B5] the default domain yields to any other match. */
  defaultDomainYields: z.boolean(),
  /** [B6] a resisted turn keeps the primary that was in force. */
  keepPrimaryWhenResisting: z.boolean(),
  /** [B7] a disabled primary switches the secondary line off too. */
  primaryDisabledStopsSecondary: z.boolean(),
  /** [B8] a secondary below `secondaryMinSignals` gets no enrichment, reason `below_threshold`. */
  belowThresholdStopsSecondary: z.boolean(),
  /** [B9] true = skip notices are appended to the injected text, as the code does. */
  injectSkipNotices: z.boolean(),
  /** [B10] missing configuration and null lists are empty instead of an error. */
  tolerant: z.boolean(),
  /** [B14] same signature keeps the primary in force. */
  stickyPrimary: z.boolean(),
  /** [L2] after that many resisted turns in a row the challenger is accepted; null = never. */
  maxResistedTurns: optionalCount,
  /** [L3] after that many turns without a signal of the compound, momentum halves each turn. */
  decayAfterTurns: optionalCount,
  /** [L4] an outside domain that scores at least as much as the best inside one breaks. */
  challengerWinsTies: z.boolean(),
  /** [L5] least signals to be primary at all, per domain; a domain not in the map needs 1. */
  minSignals: z.record(z.string(), z.int().min(1)),
  /** [L6] */
  antiSignals: z.array(AntiSignal),
  /** [L7] [B16] most characters classified, half from the head and half from the tail; null = all. */
  maxChars: z.int().min(2).nullable(),
  /** [L7] remove `<think>…</think>` before scoring. */
  stripThinking: z.boolean(),
  /** [B25] remove codes of the terminal before scoring; absent = no. */
  stripCodes: z.boolean().optional(),
  /** [B26] which quoted stretches are removed before scoring; absent = none. */
  stripQuoted: StripQuoted.optional(),
  /** [L8] */
  classify: ClassifyKinds,
  /** DECISIONS section 5: `\b` and `\w` by ASCII rules, so that `请debug这个timeout` scores. */
  asciiBoundaries: z.boolean(),
  /** [B20] a lead below it (or a tie) makes the turn ambiguous; null or absent = no turn is. */
  abstainMargin: z.number().min(0).max(1000).nullable().optional(),
})
export type BeliefOptions = Immutable<z.infer<typeof BeliefOptions>>

/** A preset file (`profiles/presets/*.yaml`). */
export const Preset = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().min(1),
  title: z.string(),
  help: z.string(),
  belief: BeliefOptions,
  selfSignal: SelfSignalOptions,
  query: QueryOptions,
  prompt: PromptOptions,
  /** Absent: as in `recommended`. */
  bundle: BundleOptions.optional(),
  /** Absent: as in `recommended`. */
  probe: ProbeOptions.optional(),
})
export type Preset = Immutable<z.infer<typeof Preset>>
