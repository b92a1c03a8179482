import { countSignals } from '../../belief/log.ts'
import { applyMomentum } from '../../belief/momentum.ts'
import {
  compareScores,
  exclusionOf,
  extractCompound,
  type DomainScore,
} from '../../belief/score.ts'
import { furtherPoints } from '../../belief/weights.ts'
import type { CompiledDomain } from '../../matcher/domains.ts'
import type { BeliefContext, BeliefOutcome } from '../../belief/step.ts'
import type { BeliefState, WhyNot } from '../../schema/trace.ts'
import { candidateChanges, type Situation } from '../flips/changes.ts'

/** Extra signals are tried up to this number. */
const MOST_EXTRA = 50

function primaryOf(situation: Situation): string {
  const scored = extractCompound(situation.scores, situation.rules)
  return applyMomentum(scored, situation.state, situation.rules).primary.domain
}

interface Raising {
  readonly scores: readonly DomainScore[]
  readonly of: CompiledDomain
}

/** The scores as they would be with `extra` more matched signals of the domain. */
function raise({ scores, of }: Raising, base: DomainScore, extra: number): readonly DomainScore[] {
  const matched = base.matched + extra
  const points = base.points + furtherPoints(of, base.points, extra)
  const score = points * base.factor
  const isEnough = base.barred !== 'excluded' && score >= (of.minScore ?? 0)
  const raised = { ...base, matched, points, score, barred: isEnough ? null : base.barred }
  const others = scores.filter((score) => score.domain !== base.domain)
  return [...others, raised].sort(compareScores)
}

function signalsNeeded(situation: Situation, base: DomainScore, of: CompiledDomain): number | null {
  for (let extra = 1; extra <= MOST_EXTRA; extra += 1) {
    const scores = raise({ scores: situation.scores, of }, base, extra)
    if (primaryOf({ ...situation, scores }) === base.domain) return extra
  }
  return null
}

function placeText(domain: string, outcome: BeliefOutcome): string {
  const { scores, primary } = outcome.scored
  const own = scores.find((score) => score.domain === domain)
  if (own === undefined) return 'None of its signals matched'
  const top = scores.find((score) => score.domain === primary.domain)
  if (top === undefined) return `It scored ${own.score}`
  if (own.score < top.score) return `It scored ${own.score}, ${top.domain} ${top.score}`
  const by = own.priority === top.priority ? 'configuration order' : 'priority'
  return `It tied with ${top.domain} at ${own.score}, and ${by} decided`
}

function reasonFor(domain: string, outcome: BeliefOutcome, context: BeliefContext): string {
  const { scored } = outcome
  const own = scored.scores.find((score) => score.domain === domain)
  const excluded = own === undefined ? null : exclusionOf(own, scored.scores, context.rules)
  if (excluded === 'default_yields') return 'The default domain yields to any other match (B5).'
  if (excluded === 'min_signals')
    return `It needs ${countSignals(context.rules.minSignals.get(domain) ?? 1)} to be primary (L5).`
  if (excluded === 'excluded') return 'A pattern that excludes it matched (K15).'
  if (excluded === 'min_score') {
    const least = context.set.byName.get(domain)?.minScore ?? 0
    return `It scored ${own?.score ?? 0} and needs ${least} (K15).`
  }
  if (scored.primary.domain !== domain) return `${placeText(domain, outcome)}.`
  return outcome.event === 'same'
    ? `It scored first, but the primary in force stays (${outcome.rule}).`
    : `It scored first, but momentum kept ${outcome.signature} (${outcome.rule}).`
}

function explain(context: BeliefContext, situation: Situation, outcome: BeliefOutcome) {
  return (of: CompiledDomain): WhyNot => {
    const { name, index, priority } = of
    const own = situation.scores.find((score) => score.domain === name)
    const none: DomainScore = {
      domain: name,
      order: index,
      priority,
      matched: 0,
      points: 0,
      factor: 1,
      score: 0,
      signals: [],
      barred: of.minScore === undefined ? null : 'min_score',
    }
    const changes = candidateChanges(situation, name)
      .filter((change) => primaryOf(change.apply(situation)) === name)
      .map(({ what, from, to }) => ({ what, from, to }))
    return {
      domain: name,
      score: own?.score ?? 0,
      reason: reasonFor(name, outcome, context),
      signalsNeeded: signalsNeeded(situation, own ?? none, of),
      changes,
    }
  }
}

/**
 * For every domain except the primary: the reason why it is not primary, the least number of further signals that would
 * make it so (up to 50), and option or state changes that each alone would. All results come from running scoring and
 * momentum again on this turn; nothing is estimated.
 */
export function whyNot(
  context: BeliefContext,
  outcome: BeliefOutcome,
  state: BeliefState,
): readonly WhyNot[] {
  const { scores } = outcome.scored
  const situation: Situation = { scores, state, rules: context.rules }
  return context.set.domains
    .filter((domain) => domain.name !== outcome.primary.domain)
    .map(explain(context, situation, outcome))
}
