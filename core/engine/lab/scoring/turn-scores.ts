import {
  compareScores,
  extractCompound,
  type DomainScore,
  type Scored,
} from '../../belief/score.ts'
import type { CompiledDomain } from '../../matcher/domains.ts'
import type { Pipeline } from '../../pipeline.ts'
import { scoreOfSample } from './class-scores.ts'
import type { CountColumns, Counts } from './count-columns.ts'
import type { SlotPlan } from './score-class.ts'
import { NO_SCORE, type ScoreEntries } from './score-entries.ts'

/** A pipeline, and what counts on every turn under it. */
export interface Ruled {
  readonly pipeline: Pipeline
  readonly plan: SlotPlan
  readonly counts: Counts
  readonly columns: CountColumns
}

/** Scores of the turns of a corpus under a pipeline, by number (`ScoreEntries`). */
export interface TurnScores {
  /** Number of the score of the domain at a place. */
  readonly entry: (place: number, turn: number) => number
  /** Score of the domain at a place; -Infinity: it does not match. */
  readonly points: (place: number, turn: number) => number
  /** Score of the domain at a place if it takes part in the turn; null if it does not match, or is barred (K15). */
  readonly taking: (place: number, turn: number) => number | null
  /** Ranks the domains that match on a turn into `ranked`, and answers how many they are. */
  readonly rank: (turn: number) => number
  readonly ranked: Uint32Array
  /** All domains that matched, ranked. Which signals they come from is only an example, here and below. */
  readonly ranking: (turn: number) => readonly DomainScore[]
  readonly scored: (turn: number) => Scored
}

/** Places in the order in which domains with equal scores are ranked (C2). */
function byRank(domains: readonly CompiledDomain[]): Uint32Array {
  const tied = domains.map(({ priority, index }, place) => {
    return { place, score: 0, priority, order: index }
  })
  return Uint32Array.from(tied.sort(compareScores), ({ place }) => place)
}

/** [L103] Scores of turns, made once for each number of what counts, by the function that scores a turn. */
export function createTurnScores(
  { pipeline, plan, counts, columns }: Ruled,
  entries: ScoreEntries,
): TurnScores {
  const { set, rules } = pipeline.belief
  const own = set.domains.map(({ name }) => columns.get(name) ?? counts.nothing)
  const places = byRank(set.domains)
  const against = columns.get(null) ?? counts.nothing
  const ranked = new Uint32Array(own.length)

  function learn(place: number, part: number, anti: number): number {
    const name = set.domains[place]?.name ?? null
    const sample = [...counts.of(name).sample(part, plan), ...counts.of(null).sample(anti, plan)]
    return entries.learn(place, part, anti, scoreOfSample(pipeline, sample, place))
  }

  function entry(place: number, turn: number): number {
    const part = own[place]?.[turn] ?? 0
    if (part === 0) return NO_SCORE
    const anti = against[turn] ?? 0
    const known = entries.known(place, part, anti)
    return known >= 0 ? known : learn(place, part, anti)
  }

  function rank(turn: number): number {
    let length = 0
    for (const place of places) {
      const one = entry(place, turn)
      if (one === NO_SCORE) continue
      const points = entries.points(one)
      let at = length
      for (; at > 0; at -= 1) {
        const before = ranked[at - 1] ?? 0
        if (entries.points(before) >= points) break
        ranked[at] = before
      }
      ranked[at] = one
      length += 1
    }
    return length
  }

  const ranking = (turn: number): readonly DomainScore[] =>
    Array.from(ranked.subarray(0, rank(turn)), (one) => entries.at(one))

  function taking(place: number, turn: number): number | null {
    const one = entry(place, turn)
    return one === NO_SCORE || entries.at(one).barred !== null ? null : entries.points(one)
  }

  function points(place: number, turn: number): number {
    const one = entry(place, turn)
    return one === NO_SCORE ? -Infinity : entries.points(one)
  }

  return {
    entry,
    points,
    taking,
    rank,
    ranked,
    ranking,
    scored: (turn) => extractCompound(ranking(turn), rules),
  }
}
