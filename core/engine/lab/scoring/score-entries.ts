import { exclusionOf, type DomainScore } from '../../belief/score.ts'
import type { Rules } from '../../belief/rules.ts'
import { createInterner } from '../corpus/interner.ts'
import { createPairTable, type PairTable } from '../corpus/pair-table.ts'

/** Scores of domains by number, under one set of rules. Two scores in which the rules see no difference are one. */
export interface ScoreEntries {
  /** Number of the score at a place with these counts. `NO_SCORE` if the domain does not match, -1 if not known yet. */
  known(place: number, part: number, against: number): number
  learn(place: number, part: number, against: number, score: DomainScore | null): number
  at(entry: number): DomainScore
  points(entry: number): number
  /** Equal for scores of one domain that lead to the same decision at the same rank. */
  kind(entry: number): number
  /** Level of the score as momentum distinguishes it (L113); 0 for no score. */
  level(entry: number): number
  /** Whether it may become first regardless of other matches: it is not the default domain, and is not barred. */
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

export function createScoreEntries(rules: Rules, levelOf: (score: number) => number): ScoreEntries {
  const known = createKnown()
  const scores = createInterner<DomainScore>()
  const taking: boolean[] = [false]
  const points: number[] = [0]
  const levels: number[] = [0]
  const alike = createInterner<string>()
  const kinds: number[] = [0]

  function entryOf(score: DomainScore | null, place: number): number {
    if (score === null) return NO_SCORE
    const seen = [place, score.score, score.matched, score.barred]
    const entry = scores.idOf(JSON.stringify(seen), () => score) + 1
    const { defaultDomain } = rules.options
    points[entry] = score.score
    const level = levelOf(score.score)
    levels[entry] = level + 1
    const excluded = exclusionOf(score, [score], rules)
    const kind = JSON.stringify([place, level, excluded])
    kinds[entry] = 1 + alike.idOf(kind, () => kind)
    taking[entry] = score.domain !== defaultDomain && excluded === null
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
    kind: (entry) => kinds[entry] ?? 0,
    level: (entry) => levels[entry] ?? 0,
    points: (entry) => points[entry] ?? 0,
    takesPart: (entry) => taking[entry] === true,
  }
}
