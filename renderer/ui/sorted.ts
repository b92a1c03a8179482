/** Rising columns of numbers: looked up by bisection, so that nothing has to be built for 100,000 turns. */
type Rising = ArrayLike<number>

/** Index of the first number that is not below `wanted`; the length where there is none. */
export function firstAtOrAfter(numbers: Rising, wanted: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Index of a number; undefined where it is not in the column. */
export function placeOf(numbers: Rising, wanted: number): number | undefined {
  const at = firstAtOrAfter(numbers, wanted)
  return numbers[at] === wanted ? at : undefined
}
