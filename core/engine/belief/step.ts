import type { DomainSet } from '../matcher/domains.ts'
import type { AntiSignal } from '../schema/preset.ts'
import type { Ambiguity, BeliefState, EnrichmentPlan } from '../schema/trace.ts'
import { ambiguityOf } from './ambiguity.ts'
import { buildPlan, generateEnrichment, type MissingConfig } from './enrichment.ts'
import { applyMomentum, type Decision } from './momentum.ts'
import type { Rules } from './rules.ts'
import { extractCompound, scoreDomains, type Scored } from './score.ts'

/** Inputs that stay the same for all turns of a replay. */
export interface BeliefContext {
  readonly set: DomainSet
  readonly rules: Rules
  /** Disabled domains of the model profile. */
  readonly disabled: ReadonlySet<string>
}

/** All that one turn decides, without spans and texts for readers. */
export interface BeliefOutcome extends Decision {
  readonly scored: Scored
  /** [B20] Null: the text decides, or the preset names no margin. */
  readonly ambiguous: Ambiguity | null
  readonly plan: EnrichmentPlan
  readonly enrichment: string
  /** [B10] Set if the document's code would raise; `enrichment` is then empty. */
  readonly enrichmentError: MissingConfig | null
}

/** [L6] Product of the factors of the anti-signals that fired, by domain. `fired` indexes the list. */
export function antiSignalFactors(
  antiSignals: readonly AntiSignal[],
  fired: readonly number[],
): ReadonlyMap<string, number> {
  const factors = new Map<string, number>()
  for (const index of fired) {
    const anti = antiSignals[index]
    for (const domain of anti?.domains ?? [])
      factors.set(domain, (factors.get(domain) ?? 1) * (anti?.factor ?? 1))
  }
  return factors
}

/**
 * Splits the numbers that fired: those of the domains come first, anti-signals follow them. `fired`
 * is ascending.
 */
export function splitFired(
  set: DomainSet,
  fired: readonly number[],
): readonly [signals: readonly number[], antiSignals: readonly number[]] {
  const first = set.signals.length
  if ((fired.at(-1) ?? 0) < first) return [fired, []]
  return [
    fired.filter((number) => number < first),
    fired.filter((number) => number >= first).map((number) => number - first),
  ]
}

/** Scores of one turn from the numbers of the signals and anti-signals that fired. */
export function scoreTurn(context: BeliefContext, fired: readonly number[]): Scored {
  const [signals, antis] = splitFired(context.set, fired)
  const factors = antiSignalFactors(context.rules.options.antiSignals, antis)
  return extractCompound(scoreDomains(context.set, signals, factors), context.rules)
}

/**
 * The one place where the scores of a text become a decision: momentum, then the plan of enrichment. The
 * pipeline, the lab and edits of batches differ only in how they obtain the scores (T5, L103, L112, F146).
 */
export function decide(
  { rules, disabled }: Pick<BeliefContext, 'rules' | 'disabled'>,
  scored: Scored,
  state: BeliefState,
): { readonly decision: Decision; readonly plan: EnrichmentPlan } {
  const decision = applyMomentum(scored, state, rules)
  return { decision, plan: buildPlan(decision, disabled, rules.options) }
}

/** One turn: score, momentum, plan, enrichment. Pure: the same input gives the same outcome. */
export function stepBelief(
  context: BeliefContext,
  state: BeliefState,
  fired: readonly number[],
): BeliefOutcome {
  const { set, rules } = context
  const scored = scoreTurn(context, fired)
  const { decision, plan } = decide(context, scored, state)
  const ambiguous = ambiguityOf(scored, rules.options)
  const classified = { ...decision, ambiguous }
  const text = generateEnrichment(classified, plan, set.byName, rules.options)
  return {
    ...decision,
    scored,
    ambiguous,
    plan,
    enrichment: text.ok ? text.value : '',
    enrichmentError: text.ok ? null : text.error,
  }
}
