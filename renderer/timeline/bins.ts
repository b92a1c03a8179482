import { EVENT_CODES } from '../../core/engine/schema/replay.ts'
import { ROLES, type Steps, type TimelineData } from './data.ts'
import { pxPerTurn, type Viewport } from './viewport.ts'

/**
 * Turns summarised in blocks of 2^k, aligned to the data and not to pixels, so that panning never
 * shimmers. Each level is folded from the one below: all together cost about two passes over the
 * session, and 100,000 turns draw as a few hundred blocks.
 */
export type Level = Readonly<ReturnType<typeof emptyLevel>>

/** Below this width a turn is not drawn on its own. */
export const LEAST_BLOCK_PX = 1.5

/** Turns per block at this zoom: 1, 2, 4 … so that a block is at least 1.5 px wide. */
export function blockSize(view: Viewport, width: number): number {
  const px = pxPerTurn(view, width)
  if (!(px > 0)) return 1
  let size = 1
  while (size * px < LEAST_BLOCK_PX) size *= 2
  return size
}

/** Blocks of a size that touch the view, `[first, end)`. */
export function blockRange(view: Viewport, size: number, turns: number): readonly [number, number] {
  const count = Math.ceil(turns / size)
  const first = Math.min(count, Math.max(0, Math.floor(view.from / size)))
  return [first, Math.min(count, Math.max(first, Math.ceil(view.to / size)))]
}

function emptyLevel(data: TimelineData, size: number) {
  const count = Math.ceil(data.turns / size)
  return {
    /** Turns in a block (the last block may be shorter). */
    size,
    count,
    /** Highest score × 10 per block and domain: `heat[block * domains + domain]`. */
    heat: new Uint8Array(count * data.names.length),
    /** Turns of the block in which a domain matched: `matched[block * domains + domain]`. */
    matched: new Uint32Array(count * data.names.length),
    /** The pair in force in most turns of the block (the earlier one on a tie). */
    primary: new Int16Array(count),
    secondary: new Int16Array(count),
    /** Turns of the block by event code: `events[block * EVENT_CODES.length + code]`. */
    events: new Uint32Array(count * EVENT_CODES.length),
    /** Turns of the block that flip. */
    flip: new Uint32Array(count),
    /** Primary of the compared replay in most turns of the block. */
    other: data.other ? new Int16Array(count) : null,
    /** Turns of the block by role: `roles[block * ROLES.length + role]`. */
    roles: new Uint32Array(count * ROLES.length),
    momentumMin: new Float32Array(count),
    momentumMax: new Float32Array(count),
  }
}

/** One turn per block: unchanged columns, with codes as counts. */
function singles(data: TimelineData): Level {
  const level = emptyLevel(data, 1)
  for (let at = 0; at < data.heat.length; at++) if ((data.heat[at] ?? 0) > 0) level.matched[at] = 1
  for (let turn = 0; turn < data.turns; turn++) {
    level.events[turn * EVENT_CODES.length + (data.event[turn] ?? 0)] = 1
    level.roles[turn * ROLES.length + (data.role[turn] ?? 0)] = 1
  }
  level.flip.set(data.flip)
  const { heat, primary, secondary, other, momentum } = data
  return { ...level, heat, primary, secondary, other, momentumMin: momentum, momentumMax: momentum }
}

type Cells = Uint8Array | Uint32Array | Float32Array

/** Folds pairs of rows, `wide` cells each, into one; an odd last row is taken as it is. */
function fold(
  below: Cells,
  above: Cells,
  wide: number,
  join: (a: number, b: number) => number,
): void {
  const rows = below.length / Math.max(1, wide)
  for (let row = 0; row * 2 < rows; row++) {
    const last = row * 2 + 1 >= rows
    for (let cell = 0; cell < wide; cell++) {
      const at = row * 2 * wide + cell
      const one = below[at] ?? 0
      above[row * wide + cell] = last ? one : join(one, below[at + wide] ?? 0)
    }
  }
}

const sum = (a: number, b: number): number => a + b
const larger = (a: number, b: number): number => (a > b ? a : b)
const smaller = (a: number, b: number): number => (a < b ? a : b)

/** Counts values of 0 to `limit` and finds the most frequent of a stretch, the earliest on a tie. */
function majorityOf(limit: number): (values: Int32Array, from: number, to: number) => number {
  const counts = new Uint32Array(limit + 1)
  return (values, from, to) => {
    let best = values[from] ?? 0
    let most = 0
    for (let at = from; at < to; at++) {
      const value = values[at] ?? 0
      counts[value] = (counts[value] ?? 0) + 1
    }
    for (let at = from; at < to; at++) {
      const value = values[at] ?? 0
      const count = counts[value] ?? 0
      if (count > most) {
        most = count
        best = value
      }
      counts[value] = 0
    }
    return best
  }
}

/** Values in force as numbers from 0, for counting: pairs of the replay, primaries of the compared one. */
function keysOf(data: TimelineData) {
  const wide = data.names.length + 1
  const { primary, secondary, other } = data
  const pairs = new Int32Array(data.turns)
  const others = other && new Int32Array(data.turns)
  for (let turn = 0; turn < data.turns; turn++) {
    pairs[turn] = ((primary[turn] ?? -1) + 1) * wide + (secondary[turn] ?? -1) + 1
    if (other && others) others[turn] = (other[turn] ?? -1) + 1
  }
  return { wide, pairs, others }
}

function above(data: TimelineData, below: Level, keys: ReturnType<typeof keysOf>): Level {
  const level = emptyLevel(data, below.size * 2)
  const { wide, pairs, others } = keys
  fold(below.heat, level.heat, data.names.length, larger)
  fold(below.matched, level.matched, data.names.length, sum)
  fold(below.events, level.events, EVENT_CODES.length, sum)
  fold(below.roles, level.roles, ROLES.length, sum)
  fold(below.flip, level.flip, 1, sum)
  fold(below.momentumMin, level.momentumMin, 1, smaller)
  fold(below.momentumMax, level.momentumMax, 1, larger)
  const majority = majorityOf(wide * wide)
  for (let block = 0; block < level.count; block++) {
    const from = block * level.size
    const to = Math.min(data.turns, from + level.size)
    const pair = majority(pairs, from, to)
    level.primary[block] = Math.floor(pair / wide) - 1
    level.secondary[block] = (pair % wide) - 1
    if (level.other && others) level.other[block] = majority(others, from, to) - 1
  }
  return level
}

export type Levels = (size: number) => Level

/** Blocks that a level has at least to be built beforehand: a wider screen than that builds it when it asks. */
const FEW_BLOCKS = 128

/**
 * Levels of one replay up to the whole session in a few blocks, one level per step. A requested size must be a power of
 * two.
 */
export function* levelSteps(data: TimelineData): Steps<Levels> {
  const keys = keysOf(data)
  yield
  const built: Level[] = [singles(data)]
  const levels: Levels = (size) => {
    const wanted = Math.log2(size)
    while (built.length <= wanted) {
      const last = built.at(-1)
      if (last === undefined) break
      built.push(above(data, last, keys))
    }
    const level = built[wanted]
    if (level === undefined) throw new RangeError(`${size} is not a power of two`)
    return level
  }
  for (let size = 2; data.turns / size > FEW_BLOCKS; size *= 2) {
    yield
    levels(size)
  }
  return levels
}
