import { changedColumns } from './changed-columns.ts'
import type { ScoredCorpus } from '../corpus/corpus.ts'
import { insideOf } from './inside.ts'

/**
 * Whether a turn has the same ranking in two answers by the same rules: only domains for which something counts
 * otherwise are looked at. Undefined where nothing can be told without the rankings.
 */
export function sameRankings(
  a: ScoredCorpus,
  b: ScoredCorpus,
): ((turn: number) => boolean) | undefined {
  const [one, other] = [insideOf(a), insideOf(b)]
  if (one === undefined || other === undefined) return undefined
  if (one.folded.memo !== other.folded.memo) return undefined
  const changed = changedColumns(one.columns, other.columns)
  if (changed.has(null)) return undefined
  const { domains } = b.pipeline.belief.set
  const places = [...domains.keys()].filter((place) => changed.has(domains[place]?.name ?? null))
  return (turn) =>
    places.every((place) => {
      const [was, is] = [one.rules.taking(place, turn), other.rules.taking(place, turn)]
      return was === is
    })
}
