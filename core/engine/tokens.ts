import { codePoints, pyWordCount } from './python-text.ts'

/** Tokens of a text: an estimate or a count. Whole, at least 0, the same for the same text. */
export type TokenEstimator = (text: string) => number

/** [P4] Four code points to a token, rounded down: the composer's estimate. */
export function chars4(text: string): number {
  return Math.floor(codePoints(text) / 4)
}

/** [L19] Words x 1.3, rounded down: the step bundle's estimate. A text without blanks counts as one word. */
export function words13(text: string): number {
  return Math.floor((pyWordCount(text) * 13) / 10)
}

/** The estimators that need no data. A real tokenizer is loaded by `tokens-o200k.ts`. */
export const ESTIMATORS = { chars4, words13 } as const
