import type { SessionOutcome } from '../../schema/label.ts'
import type { EnrichmentEffect } from '../../schema/metrics.ts'
import type { ScoredCorpus } from '../corpus/corpus.ts'
import { enrichmentEffect } from '../flips/enrichment-effect.ts'
import { withEvidence, type Finding } from './lint-finding.ts'

/** Held turns in a row from which on they are worth a look: the lock-in chip of the list says so too. */
const LEAST_HELD = 5
/** Held this long, the compound has decided more turns than any text did. */
const SEVERE = 10

/** Nothing of a signal is in these findings. */
const NO_SIGNAL = { signal: null, id: null, pattern: null, evidence: [], count: null } as const

interface Run {
  readonly from: number
  readonly length: number
}

/** The longest run of turns whose text alone decides differently from the compound in force. */
function longestHeld(scored: ScoredCorpus, first: number, end: number): Run {
  let best: Run = { from: first, length: 0 }
  let from = first
  for (let turn = first; turn <= end; turn += 1) {
    const decided = turn < end ? scored.decided(turn) : null
    const isHeld = decided !== null && decided.scored.signature !== decided.signature
    const isSame = turn === from || decided?.signature === scored.state(turn).signature
    if (isHeld && isSame) continue
    if (turn - from > best.length) best = { from, length: turn - from }
    from = isHeld ? turn : turn + 1
  }
  return best
}

/**
 * [L39] [L1] The longest run of held turns of each session, from five turns on: the compound in force, and the length.
 */
export function lintLocks(scored: ScoredCorpus): readonly Finding[] {
  return scored.corpus.sessions.flatMap(({ id, first, turns }) => {
    const { from, length } = longestHeld(scored, first, first + turns.length)
    if (length < LEAST_HELD) return []
    const { signature, primary } = scored.decided(from)
    const outsiders = new Set<string>()
    for (let turn = from; turn < from + length; turn += 1) {
      const { domain } = scored.decided(turn).scored.primary
      if (!signature.split('+').includes(domain)) outsiders.add(domain)
    }
    const said = outsiders.size === 0 ? '' : `; the texts alone said ${[...outsiders].join(', ')}`
    const finding: Finding = {
      rule: 'momentum-lock',
      severity: length >= SEVERE ? 'warning' : 'info',
      source: 'preset',
      domain: primary.domain,
      ...NO_SIGNAL,
      patternColumn: null,
      what: `Momentum held ${signature} on ${length} turns in a row (session ${id}, turns ${from - first + 1} to ${from - first + length})${said}.`,
      do: 'Look at the first of them in Momentum: where it was wrong, try maxResistedTurns or decayAfterTurns.',
    }
    return [
      withEvidence(
        finding,
        scored,
        Uint32Array.from({ length }, (_, at) => from + at),
      ),
    ]
  })
}

/** On fewer sessions with an outcome on either side, a difference is a coincidence. */
const LEAST_SESSIONS = 5

/** [L39] [L12] Domains whose text was injected into sessions that went no better than those without it. */
export function lintEnrichment(
  scored: ScoredCorpus,
  outcomes: ReadonlyMap<number, SessionOutcome>,
): readonly Finding[] {
  return enrichmentEffect(scored, outcomes).flatMap((effect) => {
    const compared = measureOf(effect)
    if (compared === null || compared.given > compared.not) return []
    const how = compared.given < compared.not ? 'worse than' : 'as'
    return [
      {
        rule: 'enrichment-no-help',
        severity: 'warning',
        source: 'domains',
        domain: effect.domain,
        ...NO_SIGNAL,
        patternColumn: null,
        what: `Sessions with its enrichment went ${how} those without: ${compared.words}.`,
        do: 'It says what came together, not why: compare with the domain disabled in the profile.',
      } satisfies Finding,
    ]
  })
}

function measureOf({ with: given, without }: EnrichmentEffect) {
  const a = given.passed
  const b = without.passed
  if (a.value !== null && b.value !== null && a.of >= LEAST_SESSIONS && b.of >= LEAST_SESSIONS) {
    const words = `${a.hits} of ${a.of} passed, without it ${b.hits} of ${b.of}`
    return { given: a.value, not: b.value, words }
  }
  if (given.scored < LEAST_SESSIONS || without.scored < LEAST_SESSIONS) return null
  if (given.meanScore === null || without.meanScore === null) return null
  const words = `mean score ${given.meanScore.toFixed(2)} (n = ${given.scored}), without it ${without.meanScore.toFixed(2)} (n = ${without.scored})`
  return { given: given.meanScore, not: without.meanScore, words }
}
