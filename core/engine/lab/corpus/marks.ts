import { createGrowing } from './growing.ts'

/** A set of turns that is cleared by counting on. */
export interface Marks {
  readonly clear: () => void
  readonly put: (turn: number) => void
  /** Puts every turn in. */
  readonly fill: () => void
  /** From now on only those count that were put in before and are put in again. */
  readonly narrow: () => (turn: number) => void
  readonly has: (turn: number) => boolean
  /** The turns, ascending; without those of `but`. */
  readonly list: (but?: Marks) => Uint32Array
}

export function createMarks(turns: number): Marks {
  const marks = new Uint32Array(turns)
  let current = 0
  return {
    clear: () => {
      current += 1
    },
    put: (turn) => {
      marks[turn] = current
    },
    fill: () => {
      marks.fill(current)
    },
    narrow: () => {
      const before = current
      current += 1
      return (turn) => {
        if (marks[turn] === before) marks[turn] = current
      }
    },
    has: (turn) => marks[turn] === current,
    list: (but) => {
      const all = createGrowing(1024)
      for (let turn = 0; turn < turns; turn += 1)
        if (marks[turn] === current && but?.has(turn) !== true) all.push(turn)
      return all.done()
    },
  }
}
