import { roomFor } from './number-lists.ts'

/** Moves as plain data: the number of moves of each state, then the class and target of all moves. */
export interface FrozenMoves {
  readonly counts: Uint16Array
  readonly kinds: Uint16Array
  readonly targets: Uint32Array
}

/** Next states by the class of a character. Holds only the known moves of each state. */
export interface Moves {
  /** -1: not known. */
  get(state: number, kind: number): number
  /** For a move that is not known yet. */
  readonly add: (state: number, kind: number, target: number) => void
  freeze(states: number): FrozenMoves
}

/** Numbers that one move takes: state, class, target. */
const CELLS = 3
const HASH_FACTORS = [0x9e3779b1, 0x85ebca6b] as const

function placeOf(state: number, kind: number, mask: number): number {
  const hash = Math.imul(state, HASH_FACTORS[0]) ^ Math.imul(kind + 1, HASH_FACTORS[1])
  return (hash ^ (hash >>> 15)) & mask
}

const NONE: FrozenMoves = {
  counts: new Uint16Array(0),
  kinds: new Uint16Array(0),
  targets: new Uint32Array(0),
}

/** Frozen moves, unchanged. Those of a state are adjacent and few. */
function createKept({ counts, kinds, targets }: FrozenMoves): Pick<Moves, 'get'> {
  const ends = new Uint32Array(counts.length)
  let end = 0
  for (let state = 0; state < counts.length; state += 1) {
    end += counts[state] ?? 0
    ends[state] = end
  }
  return {
    get: (state, kind) => {
      const last = ends[state] ?? 0
      for (let move = last - (counts[state] ?? 0); move < last; move += 1)
        if (kinds[move] === kind) return targets[move] ?? -1
      return -1
    },
  }
}

/** Those that were frozen, and others: open addressing with linear steps, at most half full, numbers plus 1. */
export function createMoves(frozen = NONE): Moves {
  const kept = createKept(frozen)
  const keptCount = frozen.kinds.length
  let cells = new Uint32Array(64 * CELLS)
  let count = 0
  let mask = 127
  let slots = new Uint32Array(mask + 1)

  function enter(move: number): void {
    let place = placeOf(cells[move * CELLS] ?? 0, cells[move * CELLS + 1] ?? 0, mask)
    while (slots[place] !== 0) place = (place + 1) & mask
    slots[place] = move + 1
  }

  function spread(): void {
    mask = mask * 2 + 1
    slots = new Uint32Array(mask + 1)
    for (let move = 0; move < count; move += 1) enter(move)
  }

  return {
    get: (state, kind) => {
      let place = placeOf(state, kind, mask)
      for (let entry = slots[place] ?? 0; entry !== 0; entry = slots[place] ?? 0) {
        const at = (entry - 1) * CELLS
        if (cells[at] === state && cells[at + 1] === kind) return cells[at + 2] ?? -1
        place = (place + 1) & mask
      }
      return keptCount === 0 ? -1 : kept.get(state, kind)
    },
    add: (state, kind, target) => {
      const at = count * CELLS
      cells = roomFor(cells, at + CELLS)
      cells[at] = state
      cells[at + 1] = kind
      cells[at + 2] = target
      enter(count)
      count += 1
      if (count * 2 > mask) spread()
    },
    freeze: (states) => {
      const all = roomFor(cells, (count + keptCount) * CELLS)
      let end = count
      forEachMove(frozen, (state, kind, target) => {
        all.set([state, kind, target], end * CELLS)
        end += 1
      })
      const order = Array.from({ length: end }, (_, move) => move * CELLS)
      const cell = (at: number) => all[at] ?? 0
      order.sort((a, b) => cell(a) - cell(b) || cell(a + 1) - cell(b + 1))
      const counts = new Uint16Array(states)
      for (const at of order) counts[cell(at)] = (counts[cell(at)] ?? 0) + 1
      return {
        counts,
        kinds: Uint16Array.from(order, (at) => cell(at + 1)),
        targets: Uint32Array.from(order, (at) => cell(at + 2)),
      }
    },
  }
}

/** Do the data belong together: of so many states, leading to states that there are? */
export function areMoves({ counts, kinds, targets }: FrozenMoves, states: number): boolean {
  const total = counts.reduce((sum, each) => sum + each, 0)
  return (
    counts.length === states &&
    kinds.length === total &&
    targets.length === total &&
    targets.every((target) => target < states)
  )
}

/** Calls `visit` with each move: state, class, target. */
function forEachMove(
  { counts, kinds, targets }: FrozenMoves,
  visit: (state: number, kind: number, target: number) => void,
): void {
  let move = 0
  for (const [state, count] of counts.entries())
    for (const end = move + count; move < end; move += 1)
      visit(state, kinds[move] ?? 0, targets[move] ?? 0)
}
