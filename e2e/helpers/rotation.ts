/**
 * Exhaustive lists (themes, sizes) of which the gate takes a part. E2E_SEED, a whole number such as the day since 1970,
 * selects the part; the next number selects the next part. Without E2E_SEED every test is declared.
 */
const seed = process.env['E2E_SEED']

/** `count` neighbors of the list, chosen by the seed. The whole list if there is no seed. */
export function todays<Item>(list: readonly Item[], count = 1): readonly Item[] {
  return seed === undefined ? list : chosen(list, count, Number(seed))
}

/** Throws if the seed is not a whole number, because a run must be repeatable. */
export function chosen<Item>(list: readonly Item[], count: number, by: number): readonly Item[] {
  if (!Number.isSafeInteger(by) || by < 0) throw new Error('E2E_SEED must be a whole number')
  const first = list.length === 0 ? 0 : (by * count) % list.length
  return [...list.slice(first), ...list.slice(0, first)].slice(0, count)
}
