import { createLru } from '../../../engine/lru.ts'
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
  const known = createLru<string, Counted>(MAX_KEPT, ({ chars }) => chars)
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found.tokens
    const tokens = count(text)
    const chars = text.length
    if (chars <= MAX_KEPT / 8) known.set(text, { tokens, chars })
    return tokens
  }
}

interface Counted {
  readonly tokens: number
  readonly chars: number
}
