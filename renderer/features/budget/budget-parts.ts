import type { ComposedPrompt, SegmentReport } from '../../../core/engine/schema/prompt.ts'

/** One segment on the bar. Shares are of the bar's whole length, 0 to 1. */
export interface BudgetPart {
  readonly id: string
  /** Place among all segments of the prompt: the colour. */
  readonly index: number
  readonly tokens: number
  readonly from: number
  readonly share: number
}

export interface BudgetBar {
  readonly parts: readonly BudgetPart[]
  readonly used: number
  readonly budget: number
  /** Tokens left; 0 when over. */
  readonly headroom: number
  /** Tokens beyond the budget; 0 when within. */
  readonly over: number
  /** Where the budget ends on the bar, 0 to 1. */
  readonly limit: number
}

/** Lays the included segments end to end on a bar as long as the budget, or as what is used. */
export function budgetBar(prompt: ComposedPrompt): BudgetBar {
  const { budget, segments, tokenEstimate: used } = prompt
  const whole = Math.max(1, budget, used)
  let from = 0
  const parts = segments.flatMap((segment, index) => {
    if (segment.span === null) return []
    const tokens = segment.size ?? segment.estimate
    const part = { id: segment.id, index, tokens, from: from / whole, share: tokens / whole }
    from += tokens
    return [part]
  })
  return {
    parts,
    used,
    budget,
    headroom: Math.max(0, budget - used),
    over: Math.max(0, used - budget),
    limit: budget / whole,
  }
}

/** Names of the estimators in the order in which they are shown. */
export const ESTIMATOR_ORDER = ['chars4', 'words13', 'o200k_base'] as const
export const ESTIMATOR_WORDS: Readonly<Record<string, string>> = {
  chars4: 'characters ÷ 4',
  words13: 'words × 1.3',
  o200k_base: 'tokenizer o200k_base',
}

/** Estimators that the prompt was measured with: the known ones first. */
export function estimatorsOf(sizes: Readonly<Record<string, number>>): readonly string[] {
  const known = ESTIMATOR_ORDER.filter((name) => name in sizes)
  return [...known, ...Object.keys(sizes).filter((name) => !known.some((one) => one === name))]
}

/** `12 % below`, `equal to`, `8 % above`: a guess against the real size. */
export function againstReal(guess: number, real: number): string {
  if (real === 0) return guess === 0 ? 'equal to' : 'above'
  const percent = Math.round(((guess - real) / real) * 100)
  if (percent === 0) return 'equal to'
  return `${Math.abs(percent)}\u00a0% ${percent < 0 ? 'below' : 'above'}`
}

/** Segments that there was no room for, with the budget from which they fit. */
export function leftOut(prompt: ComposedPrompt): readonly SegmentReport[] {
  return prompt.segments
    .filter(({ outcome }) => outcome === 'skipped_budget')
    .toSorted((a, b) => (a.admittedFrom ?? Infinity) - (b.admittedFrom ?? Infinity))
}
