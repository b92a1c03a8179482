import type { BudgetOverrides, BundleEstimatorName, TokenBudget } from '../schema/bundle.ts'
import { chars4, words13, type TokenEstimator } from '../tokens.ts'

/** [A2] The document's A2.1: a context of 32K. */
export const DEFAULT_BUDGET: TokenBudget = {
  ctx_max_tokens: 32_768,
  tier0_reserved: 1200,
  tier1_cap: 3000,
  history_cap: 6000,
  telemetry_cap: 3000,
  generation_reserve: 2000,
}

export function budgetWith(overrides: BudgetOverrides | null | undefined): TokenBudget {
  return { ...DEFAULT_BUDGET, ...overrides }
}

/** [A10] The larger of the two estimates: words miss text without blanks, characters miss short words. */
function larger(text: string): number {
  return Math.max(words13(text), chars4(text))
}

/** Real tokenizers by name, as far as the host has loaded them. */
export type RealTokenizers = Readonly<Partial<Record<'o200k_base', TokenEstimator>>>

export type BundleEstimators = ReadonlyMap<BundleEstimatorName, TokenEstimator>

/** [A10] Every estimator that can be used now, in the order in which they are shown. */
export function bundleEstimators(real: RealTokenizers): BundleEstimators {
  const known = new Map<BundleEstimatorName, TokenEstimator>([
    ['words13', words13],
    ['chars4', chars4],
    ['larger', larger],
  ])
  if (real.o200k_base) known.set('o200k_base', real.o200k_base)
  return known
}
