/** A confidence interval of a share, both ends from 0 to 1. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Two-sided 95 %. */
const Z = 1.959964

/**
 * [L84] Wilson's interval of a share: unlike the plain one it stays within 0 and 1 and has a width
 * where all or none were hits. Null of nothing.
 */
export function wilson(hits: number, of: number): Interval | null {
  if (of <= 0) return null
  const share = hits / of
  const square = Z * Z
  const middle = (share + square / (2 * of)) / (1 + square / of)
  const half =
    (Z * Math.sqrt((share * (1 - share)) / of + square / (4 * of * of))) / (1 + square / of)
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}
