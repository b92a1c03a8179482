import { END } from './alphabet.ts'
import { eventsOf, nextOf, startAt, type Machine } from './machine.ts'
import { roomFor } from './number-lists.ts'

/** States that a table is kept of: the number of one, and whether it ends a walk, are 16 bits. */
const MOST_STATES = 0x3ffe

/** [C21] Moves of the machine of walks side by side: each walk is one of many short ones. */
export interface WalkTable {
  readonly columns: number
  /** By state and class: the next state plus 1, times 4, and `Ends`; 0: not known yet. */
  cells: Uint16Array
}

/** A walk ends behind the character, before it, or both. */
export const ENDS_BEHIND = 1
export const ENDS_BEFORE = 2

export function createWalkTable(columns: number): WalkTable {
  return { columns, cells: new Uint16Array(64 * columns) }
}

/** Returns the ways in which the state ends a walk, as bits. */
function endsIn(walks: Machine, state: number): number {
  let ends = 0
  for (const one of eventsOf(walks, state)) ends |= (one & 1) === 0 ? ENDS_BEHIND : ENDS_BEFORE
  return ends
}

/** The cell for the move. It is stored in the table if it fits. */
function makeCell(table: WalkTable, walks: Machine, state: number, kind: number): number {
  const next = nextOf(walks, state, kind)
  const cell = (next + 1) * 4 + endsIn(walks, next)
  if (state > MOST_STATES || next > MOST_STATES || kind >= table.columns) return cell
  table.cells = roomFor(table.cells, (state + 1) * table.columns)
  table.cells[state * table.columns + kind] = cell
  return cell
}

/** The next state plus 1, times 4, and how it ends the walk. */
export function walkCell(table: WalkTable, walks: Machine, state: number, kind: number): number {
  const known =
    kind < table.columns && state <= MOST_STATES
      ? (table.cells[state * table.columns + kind] ?? 0)
      : 0
  return known > 0 ? known : makeCell(table, walks, state, kind)
}

/** The state in which a walk begins at the character. */
export function beginWalk(walks: Machine, entry: number, classes: Uint16Array, at: number): number {
  return startAt(walks, entry, at === 0 ? null : (classes[at - 1] ?? END))
}
