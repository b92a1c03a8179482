import { isReadAt } from '../../belief/options.ts'
import { initialBeliefState, applyMomentum } from '../../belief/momentum.ts'
import type { Scored } from '../../belief/score.ts'
import { scoreTurn } from '../../belief/step.ts'
import type { Pipeline } from '../../pipeline.ts'
import type { ScoredCorpus } from '../corpus/corpus.ts'
import { patchPipeline, type PipelinePatch } from './patch.ts'

/** A session of the corpus up to one turn, ready to be decided again under changed rules. */
export interface Retelling {
  readonly pipeline: Pipeline
  /** Numbers of fired signals, and the scores, from the session's first turn to the turn in question. */
  readonly fired: ReadonlyArray<readonly number[]>
  readonly scored: readonly Scored[]
}

function changesScores({ options = {}, domains = new Map(), without }: PipelinePatch): boolean {
  if (without !== undefined && without.size > 0) return true
  if (Object.keys(options).some((name) => isReadAt('score', name))) return true
  return [...domains.values()].some(
    (domain) => domain.priority !== undefined || domain.minSignals !== undefined,
  )
}

/** Numbers of the signals that are left, as the patched pipeline counts them. */
function renumber(fired: readonly number[], without: ReadonlySet<number>): readonly number[] {
  const gone = [...without]
  return fired
    .filter((number) => !without.has(number))
    .map((number) => number - gone.filter((one) => one < number).length)
}

/** Collects the data needed to decide a turn again. Reads `decided` of every turn up to it. */
export function retell(scored: ScoredCorpus, turn: number): Retelling {
  const session = scored.corpus.sessions[scored.corpus.sessionOf(turn)]
  const first = session?.first ?? turn
  const turns = Array.from({ length: turn - first + 1 }, (_, index) => first + index)
  return {
    pipeline: scored.pipeline,
    fired: turns.map((one) => scored.fired(one)),
    scored: turns.map((one) => scored.decided(one).scored),
  }
}

/**
 * [T14] Primary of the turn if the patched configuration had applied from the session's start. A threshold that alone
 * flips a turn might have prevented momentum from reaching this state.
 */
export function primaryUnder(told: Retelling, patch: PipelinePatch): string {
  const { belief } = patchPipeline(told.pipeline, patch)
  const { without = new Set<number>() } = patch
  const again = changesScores(patch)
  let state = initialBeliefState
  let primary = ''
  for (const [index, before] of told.scored.entries()) {
    const fired = told.fired[index] ?? []
    const scored = again ? scoreTurn(belief, renumber(fired, without)) : before
    const decision = applyMomentum(scored, state, belief.rules)
    state = decision.state
    primary = decision.primary.domain
  }
  return primary
}
