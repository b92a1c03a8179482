import type { Alphabet } from './alphabet.ts'
import { CONTEXTS, createMachine, type Machine } from './machine.ts'
import { areMoves, createMoves, type FrozenMoves } from './moves.ts'
import { areStates, type PackedStates } from './packed-states.ts'
import { areLists, createNumberLists, type FrozenLists } from './number-lists.ts'
import { createStream, MOST_STATES, UNKNOWN, type Stream } from './stream.ts'

/** [C13] A machine as far as texts have made it grow, as plain data. */
export interface FrozenMachine {
  /**
   * States of the patterns, those that are entered together and individually, and those for which the beginning of a
   * match matters.
   */
  readonly states: PackedStates
  readonly root: Uint32Array
  readonly entries: Uint32Array
  readonly placing: Uint8Array
  /** Its states, their moves, and its entry states by context. */
  readonly known: FrozenLists
  readonly moves: FrozenMoves
  readonly starts: Uint32Array
}

/** [C13] The machine as plain data that shares nothing with it; null if it was cut off while growing. */
export function freezeMachine(machine: Machine): FrozenMachine | null {
  if (machine.growing) return null
  return {
    states: machine.states,
    root: Uint32Array.from(machine.root.kernel),
    entries: Uint32Array.from(machine.entries),
    placing: machine.placing.slice(),
    known: machine.known.freeze(),
    moves: machine.moves.freeze(machine.known.size),
    starts: machine.starts.slice(),
  }
}

/** [C13] Restores a frozen machine. Null if the data are inconsistent. */
export function thawMachine(
  frozen: FrozenMachine,
  alphabet: Alphabet,
  placedEvents: readonly boolean[],
): Machine | null {
  const { known, moves, starts, entries, placing } = frozen
  const { states } = frozen
  const count = states.kinds.length
  const fits =
    areStates(states) &&
    areLists(known) &&
    areMoves(moves, known.ends.length) &&
    starts.length === CONTEXTS * (entries.length + 1) &&
    entries.every((entry) => entry < count) &&
    frozen.root.every((root) => root < count) &&
    placing.length === count
  if (!fits) return null
  const machine = createMachine({
    states,
    roots: [...frozen.root],
    entries: [...entries],
    alphabet,
    placedEvents,
    placing,
  })
  machine.known = createNumberLists(known)
  machine.starts.set(starts)
  machine.moves = createMoves(moves)
  return machine
}

/** [C13] A stream as far as texts have made it grow, as plain data. */
export interface FrozenStream {
  readonly machine: FrozenMachine
  readonly columns: number
  /** Its states, their moves, and what each reports. */
  readonly lists: FrozenLists
  readonly steps: FrozenMoves
  readonly reportEnds: Uint32Array
  readonly reports: Uint32Array
  readonly first: number
}

/** The known moves, from the table and from `aside`. */
function stepsOf({ lists, columns, table, aside }: Stream): FrozenMoves {
  const all = createMoves(aside.freeze(lists.size))
  for (let at = 0; at < lists.size * columns; at += 1) {
    const target = table[at] ?? UNKNOWN
    if (target === UNKNOWN) continue
    const state = Math.floor(at / columns)
    const kind = at - state * columns
    // A thawed move is in both.
    if (all.get(state, kind) < 0) all.add(state, kind, target)
  }
  return all.freeze(lists.size)
}

/** [C13] The stream as plain data that shares nothing with it; null if it was cut off while growing. */
export function freezeStream(stream: Stream): FrozenStream | null {
  const { columns, lists, reportStarts, reports, first } = stream
  const machine = freezeMachine(stream.machine)
  if (stream.growing || machine === null) return null
  const reportEnds = reportStarts.slice(1, lists.size + 1)
  return {
    machine,
    columns,
    lists: lists.freeze(),
    steps: stepsOf(stream),
    reportEnds,
    first,
    reports: reports.slice(0, reportEnds.at(-1) ?? 0),
  }
}

/** Do the arrays belong together? */
function fits({ columns, lists, steps, ...frozen }: FrozenStream): boolean {
  const states = lists.ends.length
  return (
    areLists(lists) &&
    areMoves(steps, states) &&
    frozen.reportEnds.length === states &&
    frozen.reports.length === (frozen.reportEnds.at(-1) ?? -1) &&
    frozen.first < states &&
    states <= MOST_STATES + 1 &&
    columns > 0
  )
}

/** Copies the moves into the table. They are in its order, and most texts need many of them. */
function writeTable({ table, columns }: Stream, { kinds, targets, counts }: FrozenMoves): void {
  let move = 0
  for (const [state, count] of counts.entries())
    for (const end = move + count; move < end; move += 1) {
      const kind = kinds[move] ?? columns
      if (kind < columns) table[state * columns + kind] = targets[move] ?? UNKNOWN
    }
}

/** [C13] Restores a frozen stream, which then continues to grow. Null if the data are inconsistent. */
export function thawStream(
  frozen: FrozenStream,
  alphabet: Alphabet,
  placedEvents: readonly boolean[],
): Stream | null {
  const machine = thawMachine(frozen.machine, alphabet, placedEvents)
  if (machine === null || !fits(frozen)) return null
  const count = frozen.lists.ends.length
  const stream = createStream(machine, frozen.columns, count)
  stream.lists = createNumberLists(frozen.lists)
  stream.reports = frozen.reports.slice()
  stream.first = frozen.first
  stream.aside = createMoves(frozen.steps)
  writeTable(stream, frozen.steps)
  let from = 0
  for (let state = 0; state < count; state += 1) {
    const to = frozen.reportEnds[state] ?? 0
    stream.reportStarts[state + 1] = to
    stream.reporting[state] = to > from ? 1 : 0
    from = to
  }
  return stream
}
