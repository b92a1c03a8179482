import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { Dialect } from './domain.ts'
import { LabMetrics } from './metrics.ts'
import { BeliefOptions } from './preset.ts'
import { Ratio } from './ratio.ts'
import { Column, ReplayConfig } from './replay.ts'
import { Span } from './trace.ts'

/** A configuration that is not saved: the text of a domain file, and options of the preset. */
export const Draft = z.object({
  /** Preset, domain file and profile under the draft. */
  config: ReplayConfig,
  /** Text of the domain file (YAML); null = as saved. */
  domainsText: z.string().max(5_000_000).nullable(),
  /** Options that differ from the preset's. */
  options: BeliefOptions.partial(),
})
export type Draft = Immutable<z.infer<typeof Draft>>

/** One side of a comparison. A revision is anything that git understands (`HEAD`, `main~3`, a hash). */
export const Side = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('config'), config: ReplayConfig }),
  z.object({ kind: z.literal('draft'), draft: Draft }),
  z.object({
    kind: z.literal('revision'),
    config: ReplayConfig,
    revision: z.string().min(1).max(200),
  }),
])
export type Side = Immutable<z.infer<typeof Side>>

const TurnSide = z.object({
  primary: z.string(),
  secondary: z.string().nullable(),
  enriched: z.int(),
})

/** One turn of the corpus that two configurations decide differently. */
export const CorpusFlip = z.object({
  /** Index of the session in the corpus, turn in that session (from 0), `seq` of its event. */
  session: z.int(),
  turn: z.int(),
  seq: z.int(),
  fields: z.array(z.enum(['primary', 'secondary', 'signature', 'enrichment'])),
  cause: z.enum(['direct', 'momentum']),
  /** Turn of the session on which the difference began; equals `turn` if direct. */
  since: z.int(),
  before: TurnSide,
  after: TurnSide,
  /** Against the label of the turn: wrong before and right after is `fixed`. Null = no label. */
  verdict: z.enum(['fixed', 'broken', 'still_right', 'still_wrong']).nullable(),
  /** Signals ("domain/id or number") that fired on one side only. */
  gained: z.array(z.string()),
  lost: z.array(z.string()),
})
export type CorpusFlip = Immutable<z.infer<typeof CorpusFlip>>

/** Turns of one primary on this side and another one on the other side. */
export const FlipCell = z.object({ from: z.string(), to: z.string(), count: z.int() })
export type FlipCell = Immutable<z.infer<typeof FlipCell>>

/** The changes of a draft or a comparison over the corpus. */
export const FlipReport = z.object({
  turns: z.int(),
  /**
   * [L106] Number of turns decided so far, the first ones in the order of session and turn. Counts and lists cover only
   * those, and nothing is measured by labels yet. Null means all turns.
   */
  soFar: z.int().nullable(),
  total: z.int(),
  direct: z.int(),
  momentum: z.int(),
  /** Turns whose primary differs. */
  primaries: z.int(),
  fixed: z.int(),
  broken: z.int(),
  /** Pairs of primaries, the most frequent first. */
  cells: z.array(FlipCell),
  /** In order of session and turn; at most `LISTED_FLIPS`, the counts above have all. */
  flips: z.array(CorpusFlip),
  /** Flips by session index, all of them. */
  bySession: z.array(z.object({ session: z.int(), direct: z.int(), momentum: z.int() })),
  before: LabMetrics.nullable(),
  after: LabMetrics.nullable(),
  /** [B24] Turns marked ambiguous on either side; null: its preset names no margin. */
  ambiguous: z.object({ base: z.int().nullable(), side: z.int().nullable() }),
  /** Milliseconds: reading the draft, scanning new signals, folding, comparing and measuring. */
  elapsed: z.object({ compile: z.number(), scan: z.number(), fold: z.number(), diff: z.number() }),
  /** Signals whose matches had to be looked for. */
  scanned: z.int(),
  /**
   * [L38] Sides whose preset classifies other kinds of events than those that are turns of the corpus:
   * their own turns, and what momentum makes of them, are not in this comparison.
   */
  otherKinds: z.array(z.enum(['base', 'side'])),
  cutOffs: z.array(
    z.object({ domain: z.string(), pattern: z.string(), chars: z.int(), elapsedMs: z.number() }),
  ),
})
export type FlipReport = Immutable<z.infer<typeof FlipReport>>
export const LISTED_FLIPS = 2000

/** An error in a draft, with its position in the text. Lines and columns from 1. */
export const DraftProblem = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  /** Name of the lint rule, or `syntax`, `schema`, `pattern`. */
  rule: z.string(),
  what: z.string(),
  do: z.string(),
  line: z.int().min(1),
  column: z.int().min(1),
  endLine: z.int().min(1),
  endColumn: z.int().min(1),
  domain: z.string().nullable(),
  /** Index into the domain's signals. */
  signal: z.int().nullable(),
})
export type DraftProblem = Immutable<z.infer<typeof DraftProblem>>

/** A signal of a domain file, as far as its text says. */
export const ListedSignal = z.object({
  domain: z.string(),
  /** Index into the domain's signals. */
  index: z.int(),
  id: z.string().nullable(),
  pattern: z.string(),
  dialect: Dialect,
  note: z.string().nullable(),
  /** Line in the text of the file, from 1. */
  line: z.int(),
  change: z.enum(['same', 'added', 'changed']),
  /** [K21] A message on which it fires, or the reason why none exists; absent if not requested. */
  reach: z
    .discriminatedUnion('status', [
      z.object({ status: z.literal('reached'), text: z.string() }),
      z.object({ status: z.enum(['never', 'undecided']), why: z.string() }),
    ])
    .optional(),
})
export type ListedSignal = Immutable<z.infer<typeof ListedSignal>>

/** A row of the signal table, with its figures from the corpus. */
export const SignalRow = ListedSignal.extend({
  /** Turns of the corpus, and of the chosen session, on which it fired. */
  corpus: z.int(),
  session: z.int(),
  /** Of the turns it fired on: those whose primary is its domain. */
  own: z.int(),
  /** Of the labelled turns it fired on: those labelled (or accepting) its domain. */
  precision: Ratio,
  /** Epoch milliseconds of the commit or draft that wrote the line last; null = unknown. */
  editedAt: z.number().nullable(),
})
export type SignalRow = Immutable<z.infer<typeof SignalRow>>

/** Rules of the linter, with what each finds; findings of equal weight come in this order. */
export const LINT_TEXTS = [
  ['never-fired', 'A signal fired on no turn.'],
  ['cannot-match', 'A pattern, or an alternative of it, can match no text.'],
  ['unreachable', 'No message reaches a signal, a domain, a tie-break or a gate.'],
  ['fires-everywhere', 'A signal fires on so many turns that it tells nothing.'],
  ['other-domains', 'A signal fires mostly on turns of other domains.'],
  ['shadowed', 'A signal never decides: something else always does.'],
  ['duplicate', 'Two signals say the same.'],
  ['subsumed', 'A signal fires only where another of its domain does.'],
  ['no-word-boundary', 'A pattern matches inside longer words.'],
  ['untested', 'No labelled turn changes when the signal is deleted.'],
  ['unknown-domain', 'Something names a domain that does not exist.'],
  ['gates-nothing', 'A gate of the model profile gates nothing.'],
  ['dialect', 'Python and JavaScript read a pattern differently.'],
  ['super-linear', 'A pattern may take more than linear time.'],
  ['drift', 'Domain files disagree about which domains there are.'],
  ['momentum-lock', 'Momentum held a compound for many turns in a row.'],
  ['enrichment-no-help', 'Sessions with a domain’s enrichment went no better than those without.'],
] as const
export const LINT_RULES = LINT_TEXTS.map(([rule]) => rule)

/** One finding about a signal, a domain, a preset or a profile. */
export const LintFinding = z.object({
  rule: z.enum(LINT_RULES),
  severity: z.enum(['error', 'warning', 'info']),
  /** File as people know it (`profiles/domains/default.yaml`), with the line from 1 where known. */
  file: z.string(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  domain: z.string().nullable(),
  signal: z.int().nullable(),
  id: z.string().nullable(),
  pattern: z.string().nullable(),
  what: z.string(),
  do: z.string(),
  /** Turns (session index, turn) that show it, at most 20; `count` has all. */
  evidence: z.array(z.tuple([z.int(), z.int()])),
  count: z.int().nullable(),
})
export type LintFinding = Immutable<z.infer<typeof LintFinding>>

/** Smallest changes that would make another domain the primary of a turn. */
export const Counterfactual = z.object({
  domain: z.string(),
  /** Signals of the domain that did not fire, nearest first, with their missing parts. */
  near: z.array(
    z.object({
      signal: z.int(),
      id: z.string().nullable(),
      pattern: z.string(),
      /** Required literals that do not occur, of the alternative that lacks least; empty = they are there (or none is required), the rest of the pattern is not. */
      missing: z.array(z.string()),
      /** Occurrences of its literals in the scored text (`TurnTrace.text`). */
      present: z.array(Span),
    }),
  ),
  /** Each suffices alone. */
  edits: z.array(
    z.object({
      kind: z.enum(['add_signals', 'remove_signals', 'option']),
      /** Number of matches to add, names of signals to remove, or an option and its value. */
      what: z.string(),
      from: z.string(),
      to: z.string(),
      size: z.int(),
      /** Other turns of the corpus that it would flip; null = not computed (added matches have no pattern). */
      alsoFlips: z.int().nullable(),
      fixed: z.int().nullable(),
      broken: z.int().nullable(),
    }),
  ),
})
export type Counterfactual = Immutable<z.infer<typeof Counterfactual>>

/** Overlap of two signals or two domains. Every cell opens its turns. */
export const Matrix = z.object({
  names: z.array(z.string()),
  /** Turns on which the row fired. */
  totals: Column,
  /** Row by row, names.length² numbers: turns on which both fired. */
  both: Column,
  /** Turns on which both fired and belong to different domains, and the turn's primary is the column's: the row lost to it. */
  conflict: Column,
})
export type Matrix = Immutable<z.infer<typeof Matrix>>

/** [T16] The effect of removing a signal. */
export const AblationRow = z.object({
  domain: z.string(),
  index: z.int(),
  id: z.string().nullable(),
  pattern: z.string(),
  /** Turns on which it fired, and no longer does once it is deleted. */
  fired: z.int(),
  /** Turns of the corpus whose primary changes. */
  flips: z.int(),
  /** Labelled turns that become wrong, or right. */
  broken: z.int(),
  fixed: z.int(),
})
export type AblationRow = Immutable<z.infer<typeof AblationRow>>

/** [T18] A phrase that labelled turns of a domain have and others do not. Nothing is applied automatically. */
export const Suggestion = z.object({
  domain: z.string(),
  pattern: z.string(),
  phrase: z.string(),
  logOdds: z.number(),
  /** Labelled turns in the train part with the phrase: of the domain, of others. */
  trainOwn: z.int(),
  trainOther: z.int(),
  heldOwn: z.int(),
  heldOther: z.int(),
  /** Right answers of the held part before and after adding the signal. */
  heldBefore: Ratio,
  heldAfter: Ratio,
  /** Flips over the whole corpus. */
  flips: z.int(),
})
export type Suggestion = Immutable<z.infer<typeof Suggestion>>

/** One point of a what-if slider. */
export const WhatIf = z.object({
  value: z.number().nullable(),
  flips: z.int(),
  direct: z.int(),
  momentum: z.int(),
  fixed: z.int(),
  broken: z.int(),
  strict: Ratio,
  withAlternatives: Ratio,
})
export type WhatIf = Immutable<z.infer<typeof WhatIf>>
export const SLIDERS = [
  'momentumThreshold',
  'secondaryMinSignals',
  'maxResistedTurns',
  'decayAfterTurns',
  'widenMinSignals',
  'maxChars',
] as const
