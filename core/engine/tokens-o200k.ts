import type { TokenEstimator } from './tokens.ts'

/** Cutting into pieces and merging bytes are quadratic in a run of blanks or of anything else. */
const MAX_RUN = 1000
const LONG_RUN = /\S{1000}|\s{1000}/

let loading: Promise<TokenEstimator> | null = null

/**
 * The o200k_base tokenizer (GPT-4o and later), loaded on first use because its table has 2.4 MB.
 * Names of special tokens count as plain text. A run of 1,000 or more characters without a
 * blank, or of blanks, is counted in parts: at most one token too many for each part.
 */
export function loadO200k(): Promise<TokenEstimator> {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => {
    const plain = { disallowedSpecial: new Set<string>() }
    const count = (text: string) => countTokens(text, plain)
    return (text) => (LONG_RUN.test(text) ? countParts(text, count) : count(text))
  })
  return loading
}

function countParts(text: string, count: TokenEstimator): number {
  let total = 0
  for (const piece of text.match(/\S+|\s+/g) ?? [])
    for (let at = 0; at < piece.length; at += MAX_RUN) total += count(piece.slice(at, at + MAX_RUN))
  return total
}
