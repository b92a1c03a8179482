import { setImmediate } from 'node:timers/promises'
import type { AbortSignalLike } from '../../../../engine/probe/ports.ts'
import { cosine } from '../candidates.ts'
import { quantiseQuery } from './kernel/quantise.ts'
import {
  type Shortlist,
  MOST_PRUNED,
  PASS_QUERIES,
  SEGMENT_ROWS,
  emptyShortlist,
} from './kernel/segment.ts'
import type { VectorFiles } from './vector-files.ts'

/** A row and its exact cosine. */
export interface Scored {
  readonly slot: number
  readonly similarity: number
}

/** Segments scanned before others get a turn, and a cancelled search ends. */
const SLICE = 3

/** The signal was given while a scan ran. */
export class Stopped extends Error {}

export interface Asked {
  readonly k: number
  /** Slots to look at, ascending; null = all. */
  readonly only: Uint32Array | null
  readonly signal: AbortSignalLike | undefined
  /** The best `k` of equally near slots, in the order that answers have. */
  readonly breakTie: (slots: readonly number[], k: number) => readonly number[]
}

/**
 * [D31] The `k` nearest rows of every query, exactly. Codes give bounds for every cosine; only rows
 * whose upper bound reaches the k-th best lower bound are scored with their 32-bit floats.
 */
export async function nearest(
  files: VectorFiles,
  vectors: readonly Float32Array[],
  asked: Asked,
): Promise<ReadonlyArray<readonly Scored[]>> {
  const answers: Array<readonly Scored[]> = []
  for (let from = 0; from < vectors.length; from += PASS_QUERIES) {
    const pass = vectors.slice(from, from + PASS_QUERIES)
    const lists = await shortlists(files, pass, asked)
    pass.forEach((vector, index) => {
      const list = lists[index]
      answers.push(list === undefined ? [] : best(files, vector, list, asked))
    })
  }
  return answers
}

async function shortlists(
  files: VectorFiles,
  vectors: readonly Float32Array[],
  { k, only, signal }: Asked,
): Promise<readonly Shortlist[]> {
  // More answers than the kernel keeps bounds for: every row is scored.
  const lists = vectors.map(() => emptyShortlist(Math.min(k, MOST_PRUNED)))
  const codes = vectors.map(quantiseQuery)
  for (const [index, segment] of files.segments.entries()) {
    if (index > 0 && index % SLICE === 0) await setImmediate()
    if (signal?.aborted === true) throw new Stopped()
    const part = only === null ? null : within(only, index)
    if (k > MOST_PRUNED) for (const list of lists) list.lows.fill(-Infinity)
    segment.scan(codes, lists, index * SEGMENT_ROWS, part)
  }
  return lists
}

/** Rows within the segment, of slots that are ascending. */
function within(slots: Uint32Array, index: number): Uint32Array {
  const base = index * SEGMENT_ROWS
  const from = firstFrom(slots, base)
  const part = slots.slice(from, firstFrom(slots, base + SEGMENT_ROWS))
  return part.map((slot) => slot - base)
}

/** Index of the first slot that is not below `least`, by bisection. */
function firstFrom(slots: Uint32Array, least: number): number {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((slots[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** Exact cosines of the candidates left by the bounds, best first, until no bound reaches the k-th best. */
function best(
  files: VectorFiles,
  vector: Float32Array,
  list: Shortlist,
  { k, breakTie }: Asked,
): readonly Scored[] {
  const least = k > MOST_PRUNED ? -Infinity : (list.lows.at(-1) ?? -Infinity)
  const order = list.slots
    .map((slot, index) => ({ slot, upper: list.uppers[index] ?? 0 }))
    .filter(({ upper }) => upper >= least)
    .toSorted((a, b) => b.upper - a.upper)
  const scored: Scored[] = []
  const highest: number[] = []
  for (const { slot, upper } of order) {
    if (highest.length === k && upper < (highest.at(-1) ?? 0)) break
    const similarity = cosine(vector, files.vector(slot))
    scored.push({ slot, similarity })
    insert(highest, similarity, k)
  }
  return cut(scored, highest.at(-1) ?? 0, { k, breakTie })
}

/** Keeps the `k` highest values, highest first. */
function insert(highest: number[], value: number, k: number): void {
  if (highest.length === k && value <= (highest.at(-1) ?? 0)) return
  let at = highest.length
  while (at > 0 && (highest[at - 1] ?? 0) < value) at -= 1
  highest.splice(at, 0, value)
  if (highest.length > k) highest.pop()
}

function cut(
  scored: readonly Scored[],
  last: number,
  { k, breakTie }: Pick<Asked, 'k' | 'breakTie'>,
): readonly Scored[] {
  const above = scored.filter(({ similarity }) => similarity > last)
  const equal = scored.filter(({ similarity }) => similarity === last)
  if (above.length + equal.length <= k) return [...above, ...equal]
  const chosen = breakTie(
    equal.map(({ slot }) => slot),
    k - above.length,
  )
  return [...above, ...chosen.map((slot) => ({ slot, similarity: last }))]
}
