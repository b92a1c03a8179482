import { ownersOf } from '../../matcher/domains.ts'
import type { Posting, ScoredCorpus } from '../corpus/corpus.ts'

/** One domain in the coverage of a corpus, in turns. */
export interface DomainCoverage {
  readonly domain: string
  /** At least one of its signals fired. */
  readonly matched: number
  readonly primary: number
  readonly secondary: number
  /** It matched and no other domain did. */
  readonly alone: number
}

/** Coverage of a corpus by the signals. */
export interface Coverage {
  readonly turns: number
  /** Turns on which no signal of a domain fired: the default domain, or momentum, decides them. */
  readonly uncovered: number
  /** Turns by number of signals that fired, ascending; only numbers that occur. */
  readonly bySignals: ReadonlyArray<{ readonly signals: number; readonly turns: number }>
  readonly domains: readonly DomainCoverage[]
}

const NONE: ReadonlySet<number> = new Set()

/**
 * [T13] Coverage. Anti-signals do not count, because they are not evidence for a domain.
 * @param skipped turns that no figure counts (I212)
 */
export function coverageOf(scored: ScoredCorpus, skipped: ReadonlySet<number> = NONE): Coverage {
  const { turns } = scored.corpus
  const { primary: primaries, secondary: secondaries } = scored
  const firing = ownersOf(scored.pipeline.belief.set)
  const rows = scored.domains.map((domain) => {
    return { domain, matched: 0, primary: 0, secondary: 0, alone: 0 }
  })
  const bySignals = new Map<number, number>()
  for (let turn = 0; turn < turns; turn += 1) {
    if (skipped.has(turn)) continue
    const fired = scored.fired(turn).flatMap((number) => firing[number]?.index ?? [])
    const matched = new Set(fired)
    bySignals.set(fired.length, (bySignals.get(fired.length) ?? 0) + 1)
    for (const domain of matched) {
      const row = rows[domain]
      if (row === undefined) continue
      row.matched += 1
      if (matched.size === 1) row.alone += 1
    }
    const primary = rows[primaries[turn] ?? -1]
    const secondary = rows[secondaries[turn] ?? -1]
    if (primary !== undefined) primary.primary += 1
    if (secondary !== undefined) secondary.secondary += 1
  }
  return {
    turns: turns - skipped.size,
    uncovered: bySignals.get(0) ?? 0,
    bySignals: [...bySignals]
      .map(([signals, count]) => ({ signals, turns: count }))
      .sort((a, b) => a.signals - b.signals),
    domains: rows,
  }
}

/** [T13] The turns on which no signal of a domain fired. */
export function uncoveredTurns(scored: ScoredCorpus): Posting {
  const signals = scored.pipeline.belief.set.signals.length
  const turns: number[] = []
  for (let turn = 0; turn < scored.corpus.turns; turn += 1)
    if ((scored.fired(turn)[0] ?? signals) >= signals) turns.push(turn)
  return Uint32Array.from(turns)
}
