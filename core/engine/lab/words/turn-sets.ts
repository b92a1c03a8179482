import { createGrowing } from '../corpus/growing.ts'

/** Ascending turns by word, as differences in 7-bit bytes: a byte or two for each. */
export interface TurnLists {
  /** Calls `visit` with every turn of the word. */
  each(word: number, visit: (turn: number) => void): void
  /** Bytes of the lists of these words: how much there is to visit. */
  weight(words: Uint32Array): number
  readonly bytes: number
}

/** Collects turns by word. Turns come in ascending order; a word may come several times on a turn. */
export interface TurnListsBuilder {
  put(word: number, turn: number): void
  endOfTurn(): void
  done(): TurnLists
}

function sizeOf(value: number): number {
  return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5
}

function write(bytes: Uint8Array, start: number, value: number): number {
  let at = start
  let rest = value
  while (rest >= 128) {
    bytes[at] = (rest & 127) | 128
    rest >>>= 7
    at += 1
  }
  bytes[at] = rest
  return at + 1
}

function reader(bytes: Uint8Array, starts: Uint32Array): TurnLists {
  const end = (word: number): number => starts[word + 1] ?? bytes.length
  return {
    bytes: bytes.length + starts.byteLength,
    weight: (words) => words.reduce((sum, word) => sum + end(word) - (starts[word] ?? 0), 0),
    each: (word, visit) => {
      let turn = -1
      for (let at = starts[word] ?? 0; at < end(word);) {
        let value = 0
        for (let shift = 0; ; shift += 7) {
          const byte = bytes[at] ?? 0
          at += 1
          value |= (byte & 127) << shift
          if (byte < 128) break
        }
        turn += value
        visit(turn)
      }
    },
  }
}

export function createTurnLists(): TurnListsBuilder {
  // Words in the order of turns; the turns' ends. Written by word when all sizes are known.
  const words = createGrowing(1 << 16)
  const ends = createGrowing(1024)
  const last = createGrowing(1024)
  const sizes = createGrowing(1024)
  return {
    put: (word, turn) => {
      if (word === last.length) {
        last.push(0)
        sizes.push(0)
      }
      // `last` has the turn plus 1: 0 = none yet.
      const before = last.at(word)
      if (before === turn + 1) return
      last.set(word, turn + 1)
      sizes.set(word, sizes.at(word) + sizeOf(turn + 1 - before))
      words.push(word)
    },
    endOfTurn: () => ends.push(words.length),
    done: () => {
      const starts = new Uint32Array(sizes.length)
      let total = 0
      for (let word = 0; word < sizes.length; word += 1) {
        starts[word] = total
        total += sizes.at(word)
        last.set(word, 0)
      }
      const bytes = new Uint8Array(total)
      const next = starts.slice()
      let at = 0
      for (let turn = 0; turn < ends.length; turn += 1)
        for (; at < ends.at(turn); at += 1) {
          const word = words.at(at)
          next[word] = write(bytes, next[word] ?? 0, turn + 1 - last.at(word))
          last.set(word, turn + 1)
        }
      return reader(bytes, starts)
    },
  }
}

/** A set of turns that is cleared by counting on. */
interface Marks {
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
