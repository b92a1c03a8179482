import type { DraftProblem } from '../../../engine/schema/lab.ts'
import type { Extent } from './domain-nodes.ts'

/** Lines and columns from 1, as editors and people count. */
export type TextPlace = Pick<DraftProblem, 'line' | 'column' | 'endLine' | 'endColumn'>

/** Offsets at which the lines of a text begin. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** An extent as lines and columns. */
export function placeOf(starts: readonly number[], { from, to }: Extent): TextPlace {
  const begin = lineOf(starts, from)
  const end = lineOf(starts, to)
  return {
    ...{ line: begin + 1, column: from - (starts[begin] ?? 0) + 1 },
    ...{ endLine: end + 1, endColumn: to - (starts[end] ?? 0) + 1 },
  }
}

/** Index of the last line that begins at or before the offset. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const mid = (low + high + 1) >> 1
    if ((starts[mid] ?? 0) <= offset) low = mid
    else high = mid - 1
  }
  return low
}
