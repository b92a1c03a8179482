import { z } from 'zod'
import { EditTrace } from './edit-trace.ts'
import { EventKind } from './event-kind.ts'
import type { Immutable } from './immutable.ts'
import { Dialect } from './domain.ts'

/** `[start, end)` in UTF-16 code units of the text shown with it. */
export const Span = z.tuple([z.int().min(0), z.int().min(0)])
export type Span = Immutable<z.infer<typeof Span>>

/** Effect of momentum on a turn (compound-bst Step 3; resist: B1, widen: B4). */
export const MomentumEvent = z.enum(['same', 'accept', 'hold', 'resist', 'widen', 'break'])
export type MomentumEvent = z.infer<typeof MomentumEvent>

/** A domain with its evidence. `confidence` is the score (fractional only under anti-signals). */
export const Part = z.object({
  domain: z.string(),
  confidence: z.number(),
  /** Indexes into the domain's signals. */
  signals: z.array(z.int().min(0)),
})
export type Part = Immutable<z.infer<typeof Part>>

export const EnrichmentPlan = z.object({
  primary_enrichment: z.boolean(),
  secondary_enrichment: z.boolean(),
  reason_primary_skipped: z.enum(['disabled_in_profile']).nullable(),
  reason_secondary_skipped: z
    .enum(['disabled_in_profile', 'no_secondary_classified', 'below_threshold', 'primary_disabled'])
    .nullable(),
})
export type EnrichmentPlan = Immutable<z.infer<typeof EnrichmentPlan>>

/** State carried from turn to turn; `initialBeliefState` is B15. */
export const BeliefState = z.object({
  signature: z.string(),
  momentum: z.int().min(0),
  /** Primary in force (B6); null before the first turn. */
  primary: z.string().nullable(),
  /** Resisted turns in a row up to now (L2). */
  resistedRun: z.int().min(0),
  /** Turns in a row without a signal of the compound (L3). */
  unsupportedRun: z.int().min(0),
})
export type BeliefState = Immutable<z.infer<typeof BeliefState>>

export const SignalTrace = z.object({
  index: z.int().min(0),
  id: z.string().nullable(),
  pattern: z.string(),
  dialect: Dialect,
  note: z.string().nullable(),
  fired: z.boolean(),
  /** First spans in the classified text (at most 50); `count` has them all up to 1,000. */
  spans: z.array(Span),
  count: z.int().min(0),
  /** The watchdog cut this pattern off on this text. */
  cutOff: z.boolean(),
  /** [K14] Weight of a match. */
  weight: z.number(),
  /** [K15] */
  excludes: z.boolean(),
})
export type SignalTrace = Immutable<z.infer<typeof SignalTrace>>

export const DomainTrace = z.object({
  domain: z.string(),
  priority: z.int(),
  /** Score that was ranked (after anti-signals). */
  score: z.number(),
  /** Matched signals. */
  matched: z.int().min(0),
  /** 1-based place in the ranking; null when the domain did not take part. */
  rank: z.int().min(1).nullable(),
  /** Why a domain with matches was left out of the ranking. */
  excluded: z.enum(['default_yields', 'min_signals', 'min_score', 'excluded']).nullable(),
  /** [L6] factors applied, with the anti-signal's pattern. */
  factors: z.array(z.object({ pattern: z.string(), factor: z.number() })),
  signals: z.array(SignalTrace),
})
export type DomainTrace = Immutable<z.infer<typeof DomainTrace>>

/** Why this one and not that one, before momentum. */
export const TieBreak = z.object({
  between: z.array(z.string()),
  winner: z.string(),
  by: z.enum(['priority', 'order']),
})

export type TieBreak = Immutable<z.infer<typeof TieBreak>>

/** [B20] Domains between which a text alone does not decide. */
export const Ambiguity = z.object({
  /** At least two, best first. */
  between: z.array(z.string()),
  /** Score of the first minus score of the second. */
  lead: z.number(),
  /** `abstainMargin` of the preset. */
  margin: z.number(),
})
export type Ambiguity = Immutable<z.infer<typeof Ambiguity>>

/** Why a domain is not the primary of this turn, and the least that would make it so (found by re-running the rules). */
export const WhyNot = z.object({
  domain: z.string(),
  score: z.number(),
  /** One sentence. */
  reason: z.string(),
  /** Smallest number of further matched signals with which it would be primary; null = no number would. */
  signalsNeeded: z.int().min(1).nullable(),
  /** Option or state changes that would make it primary on this very text, each alone sufficient. */
  changes: z.array(z.object({ what: z.string(), from: z.string(), to: z.string() })),
})
export type WhyNot = Immutable<z.infer<typeof WhyNot>>

/** [B26] Why a stretch of a message is not scored. */
const QuotedKind = z.enum(['quotation', 'fence', 'log', 'notice'])
export type QuotedKind = z.infer<typeof QuotedKind>

/** [B26] A stretch of a message that is not scored, in UTF-16 units of the message. */
export const QuotedPart = z.object({ span: Span, why: QuotedKind })
export type QuotedPart = Immutable<z.infer<typeof QuotedPart>>

/** All that the belief tracker computed for one turn. */
export const TurnTrace = z.object({
  turn: z.int().min(0),
  seq: z.int().min(0),
  kind: EventKind,
  /** Text that was scored (after cutting and stripping); spans refer to it. */
  text: z.string(),
  /** Size of the text in the transcript and of the removed parts, in UTF-16 units. */
  input: z.object({
    chars: z.int().min(0),
    cutChars: z.int().min(0),
    thinkingChars: z.int().min(0),
    /** [B25] Codes of the terminal. */
    ansiChars: z.int().min(0),
    /** [B26] Quotations, fenced blocks and pasted logs. */
    quotedChars: z.int().min(0),
    /** The same, as stretches of the text in the transcript; at most 50. */
    quoted: z.array(QuotedPart),
  }),
  domains: z.array(DomainTrace),
  /** Before momentum. */
  scored: z.object({
    primary: Part,
    secondary: Part.nullable(),
    signature: z.string(),
    /** Score of the first minus score of the second; null with fewer than two. */
    margin: z.number().nullable(),
    tieBreak: TieBreak.nullable(),
    /** [B20] Null: the text decides, or the preset names no margin. */
    ambiguous: Ambiguity.nullable(),
  }),
  momentum: z.object({
    event: MomentumEvent,
    /** Rule of core/SPEC.md that decided, for example `M2` or `B1`. */
    rule: z.string(),
    reason: z.string(),
    threshold: z.int(),
    before: BeliefState,
    after: BeliefState,
    /** The challenger that was resisted on this turn, or null. */
    resisted: z.object({ domain: z.string(), confidence: z.number() }).nullable(),
    decayed: z.boolean(),
  }),
  primary: Part,
  secondary: Part.nullable(),
  signature: z.string(),
  plan: EnrichmentPlan,
  enrichment: z.string(),
  /** The lines of the document's Logging section, in order. */
  log: z.array(z.string()),
  /** Values written to shared state: `_bst_domain` and `_bst_compound` (`to_dict`). */
  written: z.object({ _bst_domain: z.string(), _bst_compound: z.unknown() }),
  /** [K24] Of skills: the files that were edited until the next turn; absent for domains. */
  edits: z.array(EditTrace).optional(),
  whyNot: z.array(WhyNot),
  warnings: z.array(z.string()),
})
export type TurnTrace = Immutable<z.infer<typeof TurnTrace>>
