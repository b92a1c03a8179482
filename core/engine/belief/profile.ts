import type { DomainSet } from '../matcher/domains.ts'
import type { GateReport, ModelProfile } from '../schema/profile.ts'

type Names = readonly string[] | null | undefined

/** Lists of the profile that this reader looks at. The document's code reads the top level only. */
interface Lists {
  readonly top: Names
  readonly nested: Names
}

const NOTHING_GATED = 'nothing is gated: every domain enriches'

/** [L10] Names of another taxonomy by which a domain is known here: its own, its aliases, the profile's. */
function knownNames(
  set: DomainSet,
  aliases: Readonly<Record<string, string>>,
): Map<string, string> {
  const known = new Map<string, string>()
  for (const domain of set.domains)
    for (const alias of domain.aliases) known.set(alias, domain.name)
  for (const [from, to] of Object.entries(aliases)) if (set.byName.has(to)) known.set(from, to)
  for (const domain of set.domains) known.set(domain.name, domain.name)
  return known
}

function sourceOf({ top, nested }: Lists): GateReport['source'] {
  if (Array.isArray(top) && Array.isArray(nested)) return 'both'
  return Array.isArray(top) ? 'top' : Array.isArray(nested) ? 'bst' : 'none'
}

function warningsOf(
  profile: ModelProfile,
  report: Omit<GateReport, 'warnings'>,
  tolerant: boolean,
) {
  const warnings: string[] = []
  const nested = profile.bst?.disabled_domains ?? []
  if (profile.disabled_domains === null)
    warnings.push(
      tolerant
        ? 'disabled_domains is null and read as an empty list (B10)'
        : 'disabled_domains is null: the document’s code raises TypeError here (B10)',
    )
  if (!tolerant && nested.length > 0)
    warnings.push(`bst.disabled_domains is not read by the document’s code: ${nested.join(', ')}`)
  for (const name of report.unknown)
    warnings.push(`disabled domain "${name}" is not known here: it gates nothing`)
  if (report.disabled.length === report.unknown.length) warnings.push(NOTHING_GATED)
  return warnings
}

/**
 * [L10] The enrichments that a model profile gates among these domains. With `tolerant`, both nestings and aliases
 * count. Without it, only top-level names count, as in the document's code. A null profile is permissive.
 */
export function gateReport(
  profile: ModelProfile | null,
  set: DomainSet,
  tolerant: boolean,
): GateReport {
  if (profile === null)
    return {
      disabled: [],
      unknown: [],
      mapped: [],
      source: 'none',
      warnings: [`no model profile: ${NOTHING_GATED}`],
    }
  const lists = {
    top: profile.disabled_domains,
    nested: tolerant ? profile.bst?.disabled_domains : null,
  }
  const known = knownNames(set, tolerant ? (profile.aliases ?? {}) : {})
  const mapped: Array<{ from: string; to: string }> = []
  const unknown: string[] = []
  const disabled = new Set<string>()
  for (const name of new Set([...(lists.top ?? []), ...(lists.nested ?? [])])) {
    const to = tolerant ? known.get(name) : set.byName.has(name) ? name : undefined
    if (to === undefined) unknown.push(name)
    else if (to !== name) mapped.push({ from: name, to })
    // An unknown name stays listed: a domain may be classified that is not configured.
    disabled.add(to ?? name)
  }
  const report = { disabled: [...disabled], unknown, mapped, source: sourceOf(lists) }
  return { ...report, warnings: warningsOf(profile, report, tolerant) }
}

/**
 * [B10] File name of a model's profile. A name from a configuration never becomes a path: anything
 * but letters, digits, "." "_" "-" turns into "_", and leading dots go. `vendor/model` gives
 * `vendor_model.json`.
 */
export function profileFileName(model: string): string {
  const safe = model
    .trim()
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._]+/, '')
  return `${safe === '' ? 'unnamed' : safe}.json`
}
