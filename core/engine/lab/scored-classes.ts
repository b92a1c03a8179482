import type { Scored } from '../belief/score.ts'
import { scoreTurn } from '../belief/step.ts'
import type { Pipeline } from '../pipeline.ts'
import type { BeliefOptions } from '../schema/preset.ts'
import type { ScoreClasses, SlotPlan } from './score-class.ts'

/** Options that decide only after scoring: turning one of these scores nothing anew. */
const AFTER_SCORING = [
  'momentumThreshold',
  'breakMinSignals',
  'heldConfidenceFromScores',
  'widenMinSignals',
  'keepPrimaryWhenResisting',
  'primaryDisabledStopsSecondary',
  'belowThresholdStopsSecondary',
  'injectSkipNotices',
  'tolerant',
  'stickyPrimary',
  'maxResistedTurns',
  'decayAfterTurns',
  'challengerWinsTies',
] as const satisfies ReadonlyArray<keyof BeliefOptions>

/** Equal for pipelines that score a class alike. */
function scoringKey({ belief }: Pipeline): string {
  const { options, minSignals } = belief.rules
  const left = { ...options, ...Object.fromEntries(AFTER_SCORING.map((name) => [name, null])) }
  const domains = belief.set.domains.map(({ name, priority }) => [name, priority])
  return JSON.stringify([left, domains, [...minSignals]])
}

/** Scored classes are kept up to this number, a kilobyte or so each; for two ways of scoring. */
const KEPT_CLASSES = 40_000
const KEPT_WAYS = 2

/** A memo of `scoreTurn` by class. Which signals fired is that of a sample, how many is the turn's own. */
export interface ScoredClasses {
  of(pipeline: Pipeline, plan: SlotPlan): (one: number) => Scored
}

export function createScoredClasses(classes: ScoreClasses): ScoredClasses {
  const ways = new Map<string, Map<number, Scored>>()
  return {
    of: (pipeline, plan) => {
      const key = scoringKey(pipeline)
      const known = ways.get(key) ?? new Map<number, Scored>()
      ways.delete(key)
      ways.set(key, known)
      const [oldest] = ways.keys()
      if (ways.size > KEPT_WAYS && oldest !== undefined) ways.delete(oldest)
      return (one) => {
        const before = known.get(one)
        if (before !== undefined) return before
        const scored = scoreTurn(pipeline.belief, classes.sample(one, plan))
        if (known.size >= KEPT_CLASSES) known.clear()
        known.set(one, scored)
        return scored
      }
    },
  }
}
