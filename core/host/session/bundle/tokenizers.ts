import type { RealTokenizers } from '../../../engine/bundle/budget.ts'
import { loadO200k } from '../../../engine/tokens-o200k.ts'
import type { TokenEstimator } from '../../../engine/tokens.ts'

/** Characters of texts whose counts are remembered. */
const MAX_KEPT = 8_000_000

let tokenizers: Promise<RealTokenizers> | null = null

/** The real tokenizers. Counts are remembered: a slider moves, most texts stay. */
export function loadTokenizers(): Promise<RealTokenizers> {
  tokenizers ??= loadO200k().then((count) => ({ o200k_base: remembering(count) }))
  return tokenizers
}

function remembering(count: TokenEstimator): TokenEstimator {
  const known = new Map<string, number>()
  let kept = 0
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const tokens = count(text)
    if (text.length > MAX_KEPT / 8) return tokens
    if (kept + text.length > MAX_KEPT) {
      known.clear()
      kept = 0
    }
    known.set(text, tokens)
    kept += text.length
    return tokens
  }
}
