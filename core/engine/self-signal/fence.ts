import { skipBlanks, dropBlanks } from '../python-text.ts'
import type { Block } from './scan.ts'
import { find, type Meter } from './meter.ts'

/** A closed code fence: whole lines from the opening to the closing mark. */
export interface Fence {
  readonly start: number
  readonly end: number
  readonly insideStart: number
  readonly insideEnd: number
}

interface Mark {
  readonly lineStart: number
  readonly lineEnd: number
  readonly char: string
  readonly length: number
  /** Whether at most three spaces precede it on the line. */
  readonly opensLine: boolean
  /** Nothing but blanks follows on the line: it may close a fence. */
  readonly bare: boolean
}

/** Lines that begin (after at most three spaces) with ``` or ~~~, in order, each mark searched once. */
function* marks(text: string, meter: Meter): Generator<Mark> {
  let tick = find(text, '```', 0, meter)
  let wave = find(text, '~~~', 0, meter)
  let done = 0
  while (tick >= 0 || wave >= 0) {
    const at = wave < 0 || (tick >= 0 && tick < wave) ? tick : wave
    const mark = at < done ? null : markAt(text, at, meter)
    const next = mark?.lineEnd ?? at + 3
    done = Math.max(done, next)
    if (at === tick) tick = find(text, '```', next, meter)
    else wave = find(text, '~~~', next, meter)
    if (mark?.opensLine === true) yield mark
  }
}

function markAt(text: string, at: number, meter: Meter): Mark {
  const char = text.charAt(at)
  let end = at + 3
  while (text[end] === char) end++
  let lineStart = at
  while (lineStart > 0 && at - lineStart < 3 && text[lineStart - 1] === ' ') lineStart--
  const opensLine = lineStart === 0 || text[lineStart - 1] === '\n'
  const newline = opensLine ? find(text, '\n', end, meter) : end
  const lineEnd = newline < 0 ? text.length : newline
  const bare = opensLine && skipBlanks(text, end, lineEnd) === lineEnd
  return { lineStart, lineEnd, char, length: end - at, opensLine, bare }
}

/** [S9] All closed fences, in order. An opening mark without its end fences nothing. */
export function findFences(text: string, meter: Meter): readonly Fence[] {
  const fences: Fence[] = []
  let open: Mark | null = null
  for (const mark of marks(text, meter)) {
    if (open === null) open = mark
    else if (mark.char === open.char && mark.length >= open.length && mark.bare) {
      fences.push({
        start: open.lineStart,
        end: mark.lineEnd,
        insideStart: open.lineEnd,
        insideEnd: mark.lineStart,
      })
      open = null
    }
  }
  return fences
}

/** The fence that contains an offset. `fences` is sorted and disjoint. */
export function fenceAt(fences: readonly Fence[], at: number): Fence | null {
  let low = 0
  let high = fences.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((fences[middle]?.end ?? 0) <= at) low = middle + 1
    else high = middle
  }
  const fence = fences[low]
  return fence !== undefined && fence.start <= at ? fence : null
}

/** [S9] Blocks that are alone in their fence include the fence when they are stripped. */
export function takeFences(
  text: string,
  blocks: readonly Block[],
  fences: readonly Fence[],
): readonly Block[] {
  const bounds = new Map<Fence, readonly [number, number]>()
  return blocks.map((block) => {
    const fence = fenceAt(fences, block.start)
    if (fence === null) return block
    let content = bounds.get(fence)
    if (content === undefined) {
      const first = skipBlanks(text, fence.insideStart, fence.insideEnd)
      content =
        first === fence.insideEnd
          ? [text.length, 0]
          : [first, dropBlanks(text, first, fence.insideEnd)]
      bounds.set(fence, content)
    }
    const onMarkLine = skipBlanks(text, block.end, fence.insideStart) < fence.insideStart
    if (content[0] < block.start || content[1] > block.end || onMarkLine) return block
    return { ...block, outerStart: fence.start, outerEnd: Math.max(block.end, fence.end) }
  })
}
