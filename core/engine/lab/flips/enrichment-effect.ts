import type { EnrichmentEffect } from '../../schema/metrics.ts'
import type { SessionOutcome } from '../../schema/label.ts'
import type { CorpusSession, ScoredCorpus } from '../corpus/corpus.ts'
import { ratio } from '../metrics/metrics.ts'

type Side = EnrichmentEffect['with']

/** Domain numbers of one session: classified in some turn, and injected in some turn. */
interface Seen {
  readonly outcome: SessionOutcome
  readonly classified: ReadonlySet<number>
  readonly injected: ReadonlySet<number>
}

const PLACES = ['primary', 'secondary'] as const

function look(scored: ScoredCorpus, session: CorpusSession, outcome: SessionOutcome): Seen {
  const { enriched } = scored
  const classified = new Set<number>()
  const injected = new Set<number>()
  for (let turn = session.first; turn < session.first + session.turns.length; turn += 1)
    for (const [bit, place] of PLACES.entries()) {
      const domain = scored[place][turn] ?? -1
      if (domain < 0) continue
      classified.add(domain)
      if (((enriched[turn] ?? 0) & (1 << bit)) !== 0) injected.add(domain)
    }
  return { outcome, classified, injected }
}

function sideOf(sessions: readonly Seen[]): Side {
  const judged = sessions.filter(({ outcome }) => outcome.pass !== undefined)
  const passed = judged.filter(({ outcome }) => outcome.pass === true)
  const scores = sessions.flatMap(({ outcome }) => outcome.score ?? [])
  const sum = scores.reduce((total, score) => total + score, 0)
  return {
    sessions: sessions.length,
    passed: ratio(passed.length, judged.length),
    meanScore: scores.length === 0 ? null : sum / scores.length,
    scored: scores.length,
  }
}

/**
 * [T20] [L12] Outcomes of sessions by domain: with its text injected in some turn, and without it. Of those without,
 * also those where the domain was classified but its text withheld (model profile, B7, B8). Sessions without an outcome
 * do not count. This shows correlation, not causation: hard sessions are classified differently from easy ones.
 * `outcomes` is keyed by the index of the session.
 */
export function enrichmentEffect(
  scored: ScoredCorpus,
  outcomes: ReadonlyMap<number, SessionOutcome>,
): readonly EnrichmentEffect[] {
  const seen = scored.corpus.sessions.flatMap((session, index) => {
    const outcome = outcomes.get(index)
    return outcome === undefined ? [] : [look(scored, session, outcome)]
  })
  return scored.domains.map((domain, number) => {
    const without = seen.filter((session) => !session.injected.has(number))
    return {
      domain,
      with: sideOf(seen.filter((session) => session.injected.has(number))),
      without: sideOf(without),
      heldBack: sideOf(without.filter((session) => session.classified.has(number))),
    }
  })
}
