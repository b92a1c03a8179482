/** Length of the common beginning of two lists, and then of their common end. */
export interface CommonEnds {
  readonly start: number
  readonly end: number
}

/** Lists of signals differ in few places, so only the items between their common ends need pairing. */
export function commonEnds(
  lengthA: number,
  lengthB: number,
  isSame: (a: number, b: number) => boolean,
): CommonEnds {
  const least = Math.min(lengthA, lengthB)
  let start = 0
  let end = 0
  while (start < least && isSame(start, start)) start += 1
  while (end < least - start && isSame(lengthA - 1 - end, lengthB - 1 - end)) end += 1
  return { start, end }
}

/** The places of a list between its ends. */
export function placesBetween({ start, end }: CommonEnds, length: number): readonly number[] {
  return Array.from({ length: length - end - start }, (_, at) => start + at)
}
