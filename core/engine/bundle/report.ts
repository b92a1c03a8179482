import type { BundleEstimatorName, TokenBudget } from '../schema/bundle.ts'
import type { BuildReport, BundleMeasure, TierName, TierReport } from '../schema/bundle-report.ts'
import type { TokenEstimator } from '../tokens.ts'
import type { BundleEstimators } from './budget.ts'
import { counted } from '../result.ts'
import { type Layout, type TierLayout, JOINT, layOut, LIMITS } from './layout.ts'
import type { Renderable } from './pieces.ts'
import { MARKER } from './truncate.ts'

const MAX_LISTED = 50

export const TIER_WORDS: Readonly<Record<TierName, string>> = {
  tier0: 'tier 0',
  tier1: 'tier 1',
  history: 'history',
  telemetry: 'telemetry',
}

interface Counted {
  readonly estimator: BundleEstimatorName
  readonly count: TokenEstimator
}

/**
 * [A9] Reports for every tier how much of its budget it used, which items were left out, and the budget that would fit
 * them.
 */
export function reportOf(
  bundle: Renderable,
  layout: Layout,
  { estimator, count }: Counted,
): BuildReport {
  const { budgets } = bundle
  const available = budgets.ctx_max_tokens - budgets.generation_reserve
  const used = count(layout.text)
  const needs = contextNeeds(bundle, layout, count)
  const tiers = layout.tiers.map((tier) => tierReport(tier, { budgets, count, needs, available }))
  const tier0 = tiers[0]?.used ?? 0
  const tier0OverContext = tier0 > available
  const cut = tiers.some(({ state }) => state === 'truncated' || state === 'dropped')
  return {
    estimator,
    context: budgets.ctx_max_tokens,
    generationReserve: budgets.generation_reserve,
    available,
    used,
    framing: used - tiers.reduce((sum, tier) => sum + tier.used, 0),
    headroom: available - used,
    overflow: cut || tier0OverContext,
    tier0OverContext,
    fitsAtContext: budgets.generation_reserve + count(wholePrompt(layout)),
    tiers,
    warnings: warningsOf(tiers, available, budgets),
  }
}

function wholePrompt({ tiers }: Layout): string {
  return tiers
    .map(({ whole }) => whole)
    .filter((whole) => whole !== '')
    .join(JOINT)
}

/**
 * Least context for each tier: the reserve, the tiers before it as an ample context would have them,
 * and the tier whole.
 */
function contextNeeds(
  bundle: Renderable,
  layout: Layout,
  count: TokenEstimator,
): ReadonlyMap<TierName, number> {
  const cut = layout.tiers.some(({ state }) => state === 'truncated' || state === 'dropped')
  const ample = cut ? layOut(bundle, count, Infinity) : layout
  const needs = new Map<TierName, number>()
  let before = ''
  for (const { tier, text, whole } of ample.tiers) {
    const joint = before === '' ? '' : JOINT
    needs.set(tier, bundle.budgets.generation_reserve + count(before + joint + whole))
    if (text !== '') before += joint + text
  }
  return needs
}

interface Around {
  readonly budgets: TokenBudget
  readonly count: TokenEstimator
  readonly needs: ReadonlyMap<TierName, number>
  readonly available: number
}

function tierReport(laid: TierLayout, around: Around): TierReport {
  const { tier, text, whole, state, dropped } = laid
  const { budgets, count, needs } = around
  const limit = budgets[LIMITS[tier]]
  const used = count(text)
  const size = text === whole ? used : count(whole)
  const report = {
    tier,
    limitKind: tier === 'tier0' ? ('reserved' as const) : ('cap' as const),
    limit,
    used,
    whole: size,
    state,
    truncated: state === 'truncated' ? lost(laid, count) : null,
    dropped: dropped.slice(0, MAX_LISTED).map((piece) => ({
      what: piece.id,
      tokens: count(piece.text),
    })),
    droppedCount: dropped.length,
    fitsAtCap: size,
    fitsAtContext: needs.get(tier) ?? 0,
  }
  return { ...report, why: why(report, around.available) }
}

/** The amount cut from the tier's own text, excluding the marker. */
function lost({ text, whole }: TierLayout, count: TokenEstimator) {
  const kept = text.length - MARKER.length - 1
  return { tokens: count(whole) - count(whole.slice(0, kept)), chars: whole.length - kept }
}

function why(report: Omit<TierReport, 'why'>, available: number): string {
  const { tier, used, whole, limit, state, truncated, droppedCount } = report
  if (tier === 'tier0') {
    if (used > available) return `always whole; alone it is over the ${available} tokens there are`
    return used > limit
      ? `always whole; ${used - limit} over its reservation, the others have less`
      : 'always whole, within its reservation'
  }
  if (state === 'empty') return 'there is nothing to put in'
  if (state === 'whole') return 'whole'
  const items = droppedCount === 0 ? '' : `; ${counted(droppedCount, 'item')} left out`
  const cause = whole > limit ? `its cap of ${limit}` : 'what the context leaves'
  if (state === 'dropped') return `left out: ${whole} tokens do not fit into ${cause}${items}`
  return `cut by ${truncated?.tokens ?? 0} of ${whole} tokens to fit ${cause}${items}`
}

function warningsOf(
  tiers: readonly TierReport[],
  available: number,
  budgets: TokenBudget,
): readonly string[] {
  const warnings: string[] = []
  const [tier0] = tiers
  if (available <= 0)
    warnings.push(
      `the generation reserve of ${budgets.generation_reserve} leaves nothing of ${budgets.ctx_max_tokens} tokens`,
    )
  if (tier0 && tier0.used > tier0.limit)
    warnings.push(`tier 0 needs ${tier0.used} tokens, ${tier0.limit} are reserved`)
  if (tier0 && tier0.used > available)
    warnings.push(
      `tier 0 alone does not fit: ${tier0.used} tokens, ${Math.max(0, available)} available; the other tiers are empty; it fits at ${tier0.fitsAtContext}`,
    )
  for (const { tier, state, why: reason, fitsAtCap, fitsAtContext } of tiers)
    if (state === 'truncated' || state === 'dropped')
      warnings.push(
        `${TIER_WORDS[tier]} ${reason}; whole from a cap of ${fitsAtCap} and a context of ${fitsAtContext}`,
      )
  return warnings
}

/** Counting a longer text with a real tokenizer takes seconds. UTF-16 units. */
const MAX_REAL = 1_000_000

/**
 * [A10] Measures the same prompt with every estimator: the text included, the whole text, and the tiers actually over
 * budget.
 */
export function measure(
  layout: Layout,
  budgets: TokenBudget,
  estimators: BundleEstimators,
): readonly BundleMeasure[] {
  return [...estimators].map(([estimator, count]) => {
    const slow = estimator === 'o200k_base'
    const tiers = layout.tiers.map(({ tier, text, whole }) => {
      const used = count(text)
      const size = whole === text ? used : slow && whole.length > MAX_REAL ? null : count(whole)
      return { tier, used, whole: size }
    })
    const total = count(layout.text)
    return {
      estimator,
      total,
      tiers,
      over: tiers.filter(({ tier, used }) => used > budgets[LIMITS[tier]]).map(({ tier }) => tier),
      overContext: total > budgets.ctx_max_tokens - budgets.generation_reserve,
    }
  })
}
