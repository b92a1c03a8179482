import type {
  BuildReport,
  TierName,
  TierReport,
} from '../../../core/engine/schema/bundle-report.ts'
import type { BudgetOverrides, TokenBudget } from '../../../core/engine/schema/bundle.ts'
import type { SignLook } from '../../ui/parts.tsx'

/** Names and contents of tiers. */
export const TIER_LOOKS: Readonly<
  Record<TierName, { readonly name: string; readonly about: string }>
> = {
  tier0: { name: 'Tier 0', about: 'mission, schema, guardrails, contracts, grammar: always whole' },
  tier1: { name: 'Tier 1', about: 'evaluation and inputs of this step' },
  history: { name: 'History', about: 'recent outcomes that Chapter 13 has curated' },
  telemetry: { name: 'Telemetry', about: 'trends of key metrics and open incidents' },
}

/** A tier in a sentence; what joins the tiers is called framing. */
export function tierWord(tier: TierName | 'framing'): string {
  return tier === 'framing' ? tier : TIER_LOOKS[tier].name.toLowerCase()
}

/** Colour of a tier as theme.css names it. */
export function tierColor(tier: TierName | 'framing' | 'message'): string {
  return `var(--tier-${tier})`
}

export const STATE_LOOKS: Readonly<Record<TierReport['state'], SignLook>> = {
  empty: { sign: '·', words: 'nothing to say', tone: 'plain' },
  whole: { sign: '✓', words: 'whole', tone: 'good' },
  truncated: { sign: '▼', words: 'cut', tone: 'warn' },
  dropped: { sign: '✕', words: 'left out', tone: 'bad' },
}

type Field = keyof TokenBudget

/** Limits in the order of the form, with their meaning. */
export const LIMITS: ReadonlyArray<{
  readonly field: Field
  readonly name: string
  readonly about: string
  readonly tier: TierName | null
  /** Right end of its slider at least. */
  readonly top: number
}> = [
  limit('ctx_max_tokens', 'Context', 'what the model can take, answer included', null),
  limit('generation_reserve', 'For the answer', 'kept free of the prompt', null),
  limit('tier0_reserved', 'Tier 0 reservation', 'what it leaves is for the others', 'tier0'),
  limit('tier1_cap', 'Tier 1 cap', 'most tokens of tier 1', 'tier1'),
  limit('history_cap', 'History cap', 'most tokens of history', 'history'),
  limit('telemetry_cap', 'Telemetry cap', 'most tokens of telemetry', 'telemetry'),
]

function limit(field: Field, name: string, about: string, tier: TierName | null) {
  return { field, name, about, tier, top: field === 'ctx_max_tokens' ? 131_072 : 16_384 }
}

/** Slider steps: fine for small limits, coarse for large ones. */
const GRAINS = [
  [256, 16],
  [1024, 32],
  [4096, 128],
  [16_384, 512],
  [65_536, 2048],
  [Infinity, 8192],
] as const

/** Values that a slider stops at, from 0 to at least `top`. */
export function tokenStops(top: number): readonly number[] {
  const stops: number[] = []
  let value = 0
  while (value < top) {
    stops.push(value)
    const at = value
    value += GRAINS.find(([below]) => at < below)?.[1] ?? 8192
  }
  return [...stops, value]
}

/** Tried limits with one more; undefined takes it back. */
export function withLimit(
  budgets: BudgetOverrides,
  field: Field,
  value: number | undefined,
): BudgetOverrides {
  const others = Object.entries(budgets).filter(([name]) => name !== field)
  return Object.fromEntries(value === undefined ? others : [...others, [field, value]])
}

/** Limits in which everything of this step stays whole; those that do already are left alone. */
export function limitsThatFit(report: BuildReport, budgets: BudgetOverrides): BudgetOverrides {
  let fitting = budgets
  for (const { tier, limit: cap, limitKind, fitsAtCap } of report.tiers) {
    const field = LIMITS.find((one) => one.tier === tier)?.field
    if (field !== undefined && limitKind === 'cap' && fitsAtCap > cap)
      fitting = withLimit(fitting, field, fitsAtCap)
  }
  return report.fitsAtContext > report.context
    ? withLimit(fitting, 'ctx_max_tokens', report.fitsAtContext)
    : fitting
}
