import { optionsKey } from '../belief/options.ts'
import type { Scored } from '../belief/score.ts'
import { scoreTurn } from '../belief/step.ts'
import type { Pipeline } from '../pipeline.ts'
import { createLru } from '../lru.ts'
import type { ScoreClasses, SlotPlan } from './score-class.ts'
import { keptIn } from '../maps.ts'

/** Equal for pipelines that score a class alike. */
function scoringKey({ belief }: Pipeline): string {
  const { options, minSignals } = belief.rules
  const domains = belief.set.domains.map(({ name, priority }) => [name, priority])
  return JSON.stringify([optionsKey(options, 'score'), domains, [...minSignals]])
}

/** Scored classes are kept up to this number, a kilobyte or so each; for two ways of scoring. */
const KEPT_CLASSES = 40_000
const KEPT_WAYS = 2

/** A memo of `scoreTurn` by class. The count of signals is exact; which ones fired is that of a sample. */
export interface ScoredClasses {
  of(pipeline: Pipeline, plan: SlotPlan): (one: number) => Scored
}

export function createScoredClasses(classes: ScoreClasses): ScoredClasses {
  const ways = createLru<string, Map<number, Scored>>(KEPT_WAYS)
  return {
    of: (pipeline, plan) => {
      const known = keptIn(ways, scoringKey(pipeline), () => new Map<number, Scored>())
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
