import type { DomainSet } from '../matcher/domains.ts'
import type { BeliefOptions } from '../schema/preset.ts'

/** Options resolved for the given domains. A domain's own configuration overrides them. */
export interface Rules {
  readonly options: BeliefOptions
  /** [B1] null = the document's rule: every outside primary breaks. */
  readonly breakMinSignals: ReadonlyMap<string, number | null> | null
  readonly minSignals: ReadonlyMap<string, number>
  readonly priorities: ReadonlyMap<string, number>
  /** [K12] Every domain that takes part is named by the signature, not only the first two. */
  readonly allTogether: boolean
}

/** Resolves the options for a set of domains. */
export function createRules(
  options: BeliefOptions,
  set: Pick<DomainSet, 'domains'> & Partial<Pick<DomainSet, 'kind'>>,
): Rules {
  const breaks =
    options.breakMinSignals === null ? null : new Map(Object.entries(options.breakMinSignals))
  const minSignals = new Map(Object.entries(options.minSignals))
  for (const domain of set.domains) {
    if (domain.breakMinSignals !== undefined) breaks?.set(domain.name, domain.breakMinSignals)
    if (domain.minSignals !== undefined) minSignals.set(domain.name, domain.minSignals)
  }
  const priorities = new Map(set.domains.map((domain) => [domain.name, domain.priority]))
  const allTogether = set.kind === 'skill-rules'
  return { options, breakMinSignals: breaks, minSignals, priorities, allTogether }
}

/** [B1] Least matched signals with which the domain may break strong momentum; null = never. */
export function breakMinimum(rules: Rules, domain: string): number | null {
  const minimum = rules.breakMinSignals?.get(domain)
  return minimum === undefined ? 1 : minimum
}

/**
 * [B1] [B4] A domain that is a task in itself: neither the default domain nor one that may never break momentum. Only
 * compounds with such a domain are protected, and only such a domain widens one.
 */
export function isSubstantive(rules: Rules, domain: string): boolean {
  return domain !== rules.options.defaultDomain && breakMinimum(rules, domain) !== null
}

/** [B1] [B2] May this domain, with this score, break strong momentum? */
export function mayBreak(rules: Rules, domain: string, score: number): boolean {
  if (rules.breakMinSignals === null) return true
  const minimum = breakMinimum(rules, domain)
  return minimum !== null && score >= minimum
}
