import { exclusionOf, type DomainScore } from '../belief/score.ts'
import type { Rules } from '../belief/rules.ts'
import { createInterner } from './interner.ts'
import { createPairTable, type PairTable } from './pair-table.ts'

/** Scores of domains by number, under one set of rules. Two scores in which the rules see no difference are one. */
export interface ScoreEntries {
  /** Number of the score at a place with these counts; `NO_SCORE` where the domain does not match; -1: not known yet. */
  known(place: number, part: number, against: number): number
  learn(place: number, part: number, against: number, score: DomainScore | null): number
  at(entry: number): DomainScore
  points(entry: number): number
  /** Whether it may become first, whatever else matches: it is not the default domain, and nothing bars it. */
  takesPart(entry: number): boolean
}

/** Number of no score. */
export const NO_SCORE = 0

/** By place and counts; what counts against a domain is mostly nothing, and needs no table then. */
function createKnown() {
  const plain: number[][] = []
  const others: PairTable[] = []
  return {
    get: (place: number, part: number, against: number): number => {
      if (against !== 0) return others[place]?.get(part, against) ?? -1
      const row = plain[place]
      return row === undefined || part >= row.length ? -1 : (row[part] ?? 0) - 1
    },
    add: (place: number, part: number, against: number, entry: number): void => {
      if (against === 0) {
        const row = (plain[place] ??= [])
        while (row.length <= part) row.push(0)
        row[part] = entry + 1
      } else (others[place] ??= createPairTable()).add(part, against, entry)
    },
  }
}

export function createScoreEntries(rules: Rules): ScoreEntries {
  const known = createKnown()
  const scores = createInterner<DomainScore>()
  const taking: boolean[] = [false]
  const points: number[] = [0]

  function entryOf(score: DomainScore | null, place: number): number {
    if (score === null) return NO_SCORE
    const seen = [place, score.score, score.matched, score.barred]
    const entry = scores.idOf(JSON.stringify(seen), () => score) + 1
    const { defaultDomain } = rules.options
    points[entry] = score.score
    taking[entry] ??= score.domain !== defaultDomain && exclusionOf(score, [score], rules) === null
    return entry
  }

  return {
    known: known.get,
    learn: (place, part, against, score) => {
      const entry = entryOf(score, place)
      known.add(place, part, against, entry)
      return entry
    },
    at: (entry) => scores.at(entry - 1),
    points: (entry) => points[entry] ?? 0,
    takesPart: (entry) => taking[entry] === true,
  }
}
