import { concerns } from './ambiguity.ts'
import { err, ok, type Result } from '../result.ts'
import type { BeliefOptions } from '../schema/preset.ts'
import type { Ambiguity, EnrichmentPlan, Part } from '../schema/trace.ts'
import { ambiguousWords } from '../schema/ambiguous-words.ts'

/** Fields of a domain's configuration that enrichment needs; `undefined` if the key is missing. */
export interface EnrichmentConfig {
  readonly briefDescription: string | undefined
  readonly enrichmentTemplate: string | undefined
}

export type EnrichmentConfigs = ReadonlyMap<string, EnrichmentConfig>

/** [B10] The error that the document's code raises for a domain without configuration. */
export interface MissingConfig {
  readonly error: 'KeyError'
  readonly key: string
}

/** The part of a classification that enrichment looks at. */
export interface Classified {
  readonly primary: Pick<Part, 'domain' | 'confidence'>
  readonly secondary: Pick<Part, 'domain' | 'confidence'> | null
  /** [B22] Absent or null: the text decides. */
  readonly ambiguous?: Ambiguity | null
}

type PlanOptions = Pick<
  BeliefOptions,
  'primaryDisabledStopsSecondary' | 'belowThresholdStopsSecondary' | 'secondaryMinSignals'
>
type TextOptions = Pick<BeliefOptions, 'injectSkipNotices' | 'tolerant'>

const NO_CONFIG: EnrichmentConfig = { briefDescription: undefined, enrichmentTemplate: undefined }

/** Why the secondary gets no enrichment, in the order in which the rules apply; null = it gets one. */
function secondarySkip(
  classified: Classified,
  disabled: ReadonlySet<string>,
  options: PlanOptions,
): EnrichmentPlan['reason_secondary_skipped'] {
  const { primary, secondary } = classified
  if (secondary === null) return 'no_secondary_classified'
  if (disabled.has(secondary.domain)) return 'disabled_in_profile'
  if (options.primaryDisabledStopsSecondary && disabled.has(primary.domain))
    return 'primary_disabled'
  const tooFew = secondary.confidence < options.secondaryMinSignals
  return options.belowThresholdStopsSecondary && tooFew ? 'below_threshold' : null
}

/** [E1] [B7] [B8] Which of the two domains may enrich the turn, and why not. */
export function buildPlan(
  classified: Classified,
  disabled: ReadonlySet<string>,
  options: PlanOptions,
): EnrichmentPlan {
  const primary = !disabled.has(classified.primary.domain)
  const reason = secondarySkip(classified, disabled, options)
  return {
    primary_enrichment: primary,
    secondary_enrichment: reason === null,
    reason_primary_skipped: primary ? null : 'disabled_in_profile',
    reason_secondary_skipped: reason,
  }
}

/** A plan as a number: bit 0 the primary is enriched, bit 1 the secondary. */
export function enrichedBits(plan: EnrichmentPlan): number {
  return (plan.primary_enrichment ? 1 : 0) + (plan.secondary_enrichment ? 2 : 0)
}

function skipNotices(classified: Classified, plan: EnrichmentPlan): readonly string[] {
  const notice = (place: string, domain: string, reason: string): string =>
    `[BST] ${place} domain '${domain}' enrichment skipped: ${reason}`
  const lines: string[] = []
  if (plan.reason_primary_skipped !== null)
    lines.push(notice('Primary', classified.primary.domain, plan.reason_primary_skipped))
  if (plan.reason_secondary_skipped === 'disabled_in_profile')
    lines.push(notice('Secondary', classified.secondary?.domain ?? '', 'disabled_in_profile'))
  return lines
}

/** [B22] Of an ambiguous turn the first line names all that compete; the template stays the primary's. */
function primaryLines(
  { primary: { domain }, ambiguous = null }: Classified,
  config: EnrichmentConfig,
): readonly string[] {
  const template = config.enrichmentTemplate ?? ''
  if (concerns(ambiguous, domain))
    return [
      `[BST] Domain ${ambiguousWords(ambiguous.between)}`,
      ...(template === '' ? [] : [template]),
    ]
  return template === '' ? [] : [`[BST] Domain: ${domain}`, template]
}

function secondaryLine(domain: string, config: EnrichmentConfig): string {
  const brief = config.briefDescription ?? `${domain} context is also relevant.`
  return `[BST] Secondary context: ${domain} — ${brief}`
}

/**
 * [E2] [E3] The text injected into the model's context: the primary's template, one line for the secondary, and (B9,
 * literal only) notices about skipped enrichments. Without `tolerant`, a domain without configuration fails with the
 * document's KeyError (B10).
 */
export function generateEnrichment(
  classified: Classified,
  plan: EnrichmentPlan,
  configs: EnrichmentConfigs,
  options: TextOptions,
): Result<string, MissingConfig> {
  const lines: string[] = []
  const wanted = [
    plan.primary_enrichment ? classified.primary.domain : null,
    plan.secondary_enrichment ? (classified.secondary?.domain ?? null) : null,
  ] as const
  for (const [place, domain] of wanted.entries()) {
    if (domain === null) continue
    const config = configs.get(domain) ?? (options.tolerant ? NO_CONFIG : null)
    if (config === null) return err({ error: 'KeyError', key: domain })
    if (place === 0) lines.push(...primaryLines(classified, config))
    else lines.push(secondaryLine(domain, config))
  }
  if (options.injectSkipNotices) lines.push(...skipNotices(classified, plan))
  return ok(lines.join('\n'))
}
