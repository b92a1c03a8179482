import { countSignals } from '../belief/log.ts'
import { applyMomentum } from '../belief/momentum.ts'
import { compareScores, exclusionOf, extractCompound, type DomainScore } from '../belief/score.ts'
import type { BeliefContext, BeliefOutcome } from '../belief/step.ts'
import type { BeliefState, WhyNot } from '../schema/trace.ts'
import { candidateChanges, type Situation } from './changes.ts'

/** Extra signals are tried up to this number. */
const MOST_EXTRA = 50

function primaryOf(situation: Situation): string {
  const scored = extractCompound(situation.scores, situation.rules)
  return applyMomentum(scored, situation.state, situation.rules).primary.domain
}

/** The scores as they would be with `extra` more matched signals of the domain. */
function raise(
  scores: readonly DomainScore[],
  base: DomainScore,
  extra: number,
): readonly DomainScore[] {
  const matched = base.matched + extra
  const raised = { ...base, matched, score: matched * base.factor }
  const others = scores.filter((score) => score.domain !== base.domain)
  return [...others, raised].sort(compareScores)
}

function signalsNeeded(situation: Situation, base: DomainScore): number | null {
  for (let extra = 1; extra <= MOST_EXTRA; extra += 1) {
    const scores = raise(situation.scores, base, extra)
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
  if (scored.primary.domain !== domain) return `${placeText(domain, outcome)}.`
  return outcome.event === 'same'
    ? `It scored first, but the primary in force stays (${outcome.rule}).`
    : `It scored first, but momentum kept ${outcome.signature} (${outcome.rule}).`
}

function explain(context: BeliefContext, situation: Situation, outcome: BeliefOutcome) {
  return ({ name, index, priority }: BeliefContext['set']['domains'][number]): WhyNot => {
    const own = situation.scores.find((score) => score.domain === name)
    const none = {
      domain: name,
      order: index,
      priority,
      matched: 0,
      factor: 1,
      score: 0,
      signals: [],
    }
    const changes = candidateChanges(situation, name)
      .filter((change) => primaryOf(change.apply(situation)) === name)
      .map(({ what, from, to }) => ({ what, from, to }))
    return {
      domain: name,
      score: own?.score ?? 0,
      reason: reasonFor(name, outcome, context),
      signalsNeeded: signalsNeeded(situation, own ?? none),
      changes,
    }
  }
}

/**
 * For every domain but the primary: why it is not, the least number of further signals that would
 * make it so (up to 50), and option or state changes each of which alone would. All of it is found
 * by running scoring and momentum again on this turn, nothing is estimated.
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
