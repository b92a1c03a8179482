/** Rising columns of numbers: looked up by bisection, so that nothing has to be built for 100,000 turns. */
type Rising = ArrayLike<number>

/** The first of `count` positions for which `isBefore` is false; `count` if none. */
export function bisect(count: number, isBefore: (at: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Index of the first number that is at least `wanted`; the length if none exists. */
export function firstAtOrAfter(numbers: Rising, wanted: number): number {
  return bisect(numbers.length, (at) => (numbers[at] ?? 0) < wanted)
}

/** Index of the number that is nearest to a value, the first of several; 0 without numbers. */
export function nearestTo(numbers: readonly number[], value: number): number {
  const away = numbers.map((number) => Math.abs(number - value))
  return Math.max(0, away.indexOf(Math.min(...away)))
}

/** Stretches `[from, to)` of places in a row that have the same key; together they are all places. */
export function runsOf(count: number, keyAt: (at: number) => unknown) {
  const runs: Array<{ readonly from: number; readonly to: number }> = []
  let from = 0
  for (let at = 1; at <= count; at += 1) {
    if (at < count && keyAt(at) === keyAt(from)) continue
    runs.push({ from, to: at })
    from = at
  }
  return runs
}

/** Index of a number; undefined if it is not in the column. */
export function placeOf(numbers: Rising, wanted: number): number | undefined {
  const at = firstAtOrAfter(numbers, wanted)
  return numbers[at] === wanted ? at : undefined
}
