import type { Rules } from '../../belief/rules.ts'

/** Where nothing else is said, a domain breaks momentum with this score (B1). */
const USUAL_BREAK = 1

/**
 * [L113] All that momentum and the plan of enrichment see of a score: whether it is more than nothing, and which of
 * the limits it reaches: that of a second (C4, B8), of one that joins (B4), of those that break (B1, B2).
 */
export function createLevels({ options, breakMinSignals }: Rules): (score: number) => number {
  const breaks = [...(breakMinSignals?.values() ?? [])]
  const given = [options.secondaryMinSignals, options.widenMinSignals, USUAL_BREAK, ...breaks]
  const limits = [...new Set(given.filter((limit) => limit !== null))]
  return (score) => {
    const reached = limits.reduce((count, limit) => (score >= limit ? count + 1 : count), 0)
    return reached * 3 + Math.sign(score) + 1
  }
}
