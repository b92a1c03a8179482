import { type Drawn, group, words } from './svg.ts'
import { textWidth } from './text.ts'

/** An entry of a key: a sign, drawn at the given position, and its meaning. */
export interface KeyEntry {
  readonly width: number
  readonly sign: (x: number, y: number) => Drawn
  readonly text: string
}

const SIZE = 11
const LINE = 18

interface Placed {
  readonly drawn: Drawn
  readonly bottom: number
}

/** Entries beside each other, on as many lines as they need. `y` is the middle of the first line. */
export function keyOf(
  entries: readonly KeyEntry[],
  { x, y, width, fill }: { x: number; y: number; width: number; fill: string },
): Placed {
  let left = x
  let middle = y
  const parts: Drawn[] = []
  for (const { width: sign, sign: draw, text } of entries) {
    const long = sign + 6 + textWidth(text, SIZE)
    if (left > x && left + long > x + width) {
      left = x
      middle += LINE
    }
    parts.push(draw(left, middle), words([left + sign + 6, middle + 4], text))
    left += long + 16
  }
  const drawn = group('g', { 'font-size': SIZE, fill }, parts)
  return { drawn, bottom: entries.length === 0 ? y - LINE / 2 : middle + LINE / 2 }
}
