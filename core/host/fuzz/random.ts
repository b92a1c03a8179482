/** Numbers that only depend on their seed (mulberry32), so that every case can be made again. */
export interface Random {
  /** 0 ≤ n < below. */
  readonly below: (below: number) => number
  readonly pick: <T>(list: readonly [T, ...T[]] | readonly T[]) => T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * Math.max(1, limit))
  return {
    below,
    pick: (list) => {
      const found = list[below(list.length)]
      if (found === undefined) throw new Error('nothing to pick from')
      return found
    },
  }
}

/** One number out of several, so that neighbouring cases have nothing in common. */
export function mixed(...parts: readonly number[]): number {
  let hash = 0x811c9dc5
  for (const part of parts) hash = Math.imul(hash ^ part, 0x01000193) ^ (hash >>> 13)
  return hash >>> 0
}
