import { applyMomentum } from '../belief/momentum.ts'
import { compareScores, extractCompound, type DomainScore } from '../belief/score.ts'
import type { Situation } from './changes.ts'

/** Removing more matches than this would not be a small change. */
const MOST_REMOVED = 6

/** The scores when each domain has so many matches fewer. */
function lowered(
  scores: readonly DomainScore[],
  fewer: ReadonlyMap<string, number>,
): readonly DomainScore[] {
  return scores
    .map((score) => {
      const matched = score.matched - (fewer.get(score.domain) ?? 0)
      return { ...score, matched, score: matched * score.factor }
    })
    .filter((score) => score.matched > 0)
    .sort(compareScores)
}

function primaryWith(situation: Situation, fewer: ReadonlyMap<string, number>): string {
  const scored = extractCompound(lowered(situation.scores, fewer), situation.rules)
  return applyMomentum(scored, situation.state, situation.rules).primary.domain
}

/** All ways to take `count` matches from the domains, as pairs (domain, how many). */
function* ways(
  domains: readonly DomainScore[],
  count: number,
): Generator<ReadonlyArray<readonly [string, number]>> {
  const [first, ...rest] = domains
  if (count === 0) yield []
  if (first === undefined || count === 0) return
  for (let own = Math.min(count, first.matched); own >= 0; own -= 1)
    for (const others of ways(rest, count - own))
      yield own === 0 ? others : [[first.domain, own], ...others]
}

/**
 * [T14] Ways to make the domain the turn's primary by taking away matches of other domains, fewest
 * first: how many of each. Found by trying all of them, up to 6 matches; it is for the caller to say
 * which signals, because a score only counts them.
 */
export function* removals(
  situation: Situation,
  domain: string,
): Generator<ReadonlyMap<string, number>> {
  const others = situation.scores.filter((score) => score.domain !== domain)
  const all = others.reduce((sum, score) => sum + score.matched, 0)
  for (let count = 1; count <= Math.min(MOST_REMOVED, all); count += 1)
    for (const way of ways(others, count)) {
      const fewer = new Map(way)
      if (primaryWith(situation, fewer) === domain) yield fewer
    }
}
