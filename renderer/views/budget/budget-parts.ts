import type { ComposedPrompt, SegmentReport } from '../../../core/engine/schema/prompt.ts'

/**
 * Places the included segments end to end on a bar. Its length is the larger of budget and used tokens. `from`, `share`
 * and `limit` are shares of that length, 0 to 1. `index` is the segment's position among all segments of the prompt and
 * selects its color.
 */
export function budgetBar(prompt: ComposedPrompt) {
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
    /** Tokens left; 0 when over. */
    headroom: Math.max(0, budget - used),
    /** Tokens beyond the budget; 0 when within. */
    over: Math.max(0, used - budget),
    /** End of the budget on the bar. */
    limit: budget / whole,
  }
}

/** The estimator that is a tokenizer: its count is the real size. */
export const REAL = 'o200k_base'

/** Names of the estimators in the order in which they are shown. */
export const ESTIMATOR_WORDS: Readonly<Record<string, string>> = {
  chars4: 'characters ÷ 4',
  words13: 'words × 1.3',
  [REAL]: 'tokenizer o200k_base',
}

/** Estimators that the prompt was measured with: the known ones first. */
export function estimatorsOf(sizes: Readonly<Record<string, number>>): readonly string[] {
  const known = Object.keys(ESTIMATOR_WORDS).filter((name) => name in sizes)
  return [...new Set([...known, ...Object.keys(sizes)])]
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
