import type { TurnTrace } from '../../../core/engine/schema/trace.ts'

/**
 * The domain whose signals are open: the chosen one, else what this text alone says, since that is
 * where the evidence is, also on turns that momentum held.
 */
export function shownDomain(trace: TurnTrace, chosen: string | null): string {
  return (
    trace.domains.find(({ domain }) => domain === chosen)?.domain ?? trace.scored.primary.domain
  )
}
