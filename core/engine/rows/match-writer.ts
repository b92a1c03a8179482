import { createNumberLists } from '../matcher/automaton/number-lists.ts'
import type { BeliefState } from '../schema/trace.ts'
import { createByteWriter } from './byte-numbers.ts'
import { MATCHES_MAGIC, rowBytes } from './match-bytes.ts'

/** Writes the matches of each turn, and the state after each turn, as bytes. */
export interface MatchWriter {
  /** @param fired numbers of the signals that matched, ascending; @param state behind the turn */
  readonly turn: (fired: readonly number[], state: BeliefState) => void
  readonly endSession: () => void
  readonly bytes: () => Uint8Array
}

/** JSON in letters of one byte each. */
function asciiJson(value: unknown): Uint8Array {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  const text = JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, escaped)
  return Uint8Array.from(text, (unit) => unit.charCodeAt(0))
}

/** Numbers of states in the order in which they came, and all of them. */
function createStateNumbers() {
  const numbers = createNumberLists()
  const names = new Map<string, number>()
  const states: BeliefState[] = []
  const nameOf = (name: string): number => {
    const number = names.get(name) ?? names.size
    names.set(name, number)
    return number
  }
  return {
    states,
    numberOf: (state: BeliefState): number => {
      const { signature, primary, momentum, resistedRun, unsupportedRun } = state
      const first = primary === null ? 0 : nameOf(primary) + 1
      const number = numbers.idOf(
        [nameOf(signature), first, momentum, resistedRun, unsupportedRun],
        5,
      )
      if (number === states.length)
        states.push({ signature, primary, momentum, resistedRun, unsupportedRun })
      return number
    },
  }
}

/**
 * [F145] Writes what `readMatches` reads. A turn is the number of the state behind it, the count of its signals, and
 * of each how much larger its number is than the one before: mostly one byte.
 * @param signals how many there are
 */
export function createMatchWriter(signals: number): MatchWriter {
  const row = new Uint8Array(rowBytes(signals))
  const { states, numberOf } = createStateNumbers()
  /** Turns, bytes and signals of each session. */
  const directory = createByteWriter()
  const bodies = createByteWriter()
  let sessions = 0
  let turns = 0
  let start = 0

  function endSession(): void {
    if (turns === 0) return
    directory.number(turns)
    directory.number(bodies.length - start)
    directory.append(row)
    row.fill(0)
    sessions += 1
    turns = 0
    start = bodies.length
  }

  return {
    turn: (fired, state) => {
      turns += 1
      bodies.number(numberOf(state))
      bodies.number(fired.length)
      let before = 0
      for (const number of fired) {
        bodies.number(number - before)
        before = number
        row[number >> 3] = (row[number >> 3] ?? 0) | (1 << (number & 7))
      }
    },
    endSession,
    bytes: () => {
      endSession()
      const all = createByteWriter()
      for (const value of MATCHES_MAGIC) all.byte(value)
      const names = asciiJson(states)
      all.number(names.length)
      all.append(names)
      all.number(sessions)
      all.append(directory.done())
      all.append(bodies.done())
      return all.done()
    },
  }
}
