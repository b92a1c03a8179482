import { END, LAST_NEWLINE, type Traits } from './alphabet.ts'
import type { Condition } from './nfa.ts'
import { CONDITIONS, EVENT, SPLIT, WHEN, type PackedStates } from './packed-states.ts'

/** Facts about the position before a state: bits of the last character read. */
const AT_START = 1
const AFTER_NEWLINE = 2
const AFTER_WORD = 4
const AFTER_ASCII_WORD = 8

/** A list that is walked over by number. */
export type Numbers = Uint32Array | readonly number[]

export interface Step {
  /** Reading states and conditions, ascending. */
  readonly kernel: Numbers
  readonly events: readonly number[]
}

/** The bits of the character that was read last; undefined = the text begins. */
export function contextOf(traits: Traits | undefined): number {
  if (traits === undefined) return AT_START
  return (
    (traits.newline ? AFTER_NEWLINE : 0) |
    (traits.word ? AFTER_WORD : 0) |
    (traits.asciiWord ? AFTER_ASCII_WORD : 0)
  )
}

/** The position between two characters, as input of conditions. */
export interface Place {
  readonly context: number
  readonly kind: number
  readonly traits: Traits
}

const HOLDS: Readonly<Record<Condition, (place: Place) => boolean>> = {
  start: ({ context }) => (context & AT_START) !== 0,
  lineStart: ({ context }) => (context & (AT_START | AFTER_NEWLINE)) !== 0,
  end: ({ kind }) => kind === END || kind === LAST_NEWLINE,
  lineEnd: ({ kind, traits }) => kind === END || traits.newline,
  textEnd: ({ kind }) => kind === END,
  boundary: ({ context, traits }) => ((context & AFTER_WORD) !== 0) !== traits.word,
  asciiBoundary: ({ context, traits }) => ((context & AFTER_ASCII_WORD) !== 0) !== traits.asciiWord,
  // Python's \B fails on an empty text.
  notBoundary: ({ context, traits, kind }) =>
    ((context & AFTER_WORD) !== 0) === traits.word && !((context & AT_START) !== 0 && kind === END),
  asciiNotBoundary: ({ context, traits, kind }) =>
    ((context & AFTER_ASCII_WORD) !== 0) === traits.asciiWord &&
    !((context & AT_START) !== 0 && kind === END),
}

/** By the number of a condition. */
const HOLDS_BY_NUMBER = CONDITIONS.map((condition) => HOLDS[condition])

/** Working memory of a walk, shared by all walks. */
export interface Marks {
  /** By state: the walk that visited it last. */
  readonly seen: Uint32Array
  /** Room for the kernel of a walk. */
  readonly kernel: Uint32Array
  walk: number
}

/** Room for the walks over so many states. */
export const createMarks = (states: number): Marks => ({
  seen: new Uint32Array(states),
  kernel: new Uint32Array(states),
  walk: 0,
})

/** Few numbers are in order sooner by hand than by a call. */
const FEW = 24

function sort(numbers: Uint32Array, count: number): void {
  if (count > FEW) {
    numbers.subarray(0, count).sort()
    return
  }
  for (let at = 1; at < count; at += 1) {
    const one = numbers[at] ?? 0
    let to = at
    for (; to > 0 && (numbers[to - 1] ?? 0) > one; to -= 1) numbers[to] = numbers[to - 1] ?? 0
    numbers[to] = one
  }
}

/** Follows splits, and conditions if a place is given, from the states in `open`, and empties `open`. */
export function close(
  { kinds, first, second, ways }: PackedStates,
  marks: Marks,
  open: number[],
  place: Place | null,
): Step {
  const { seen, kernel } = marks
  marks.walk += 1
  const { walk } = marks
  const events: number[] = []
  let count = 0
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen[at] === walk) continue
    seen[at] = walk
    const kind = kinds[at]
    // Always there: the arrays have a number for each state.
    const one = Number(first[at])
    const two = Number(second[at])
    if (kind === SPLIT) for (let way = one; way < two; way += 1) open.push(Number(ways[way]))
    else if (kind === EVENT) events.push(one)
    else if (kind === WHEN && place !== null) {
      if (HOLDS_BY_NUMBER[one]?.(place) === true) open.push(two)
    } else {
      kernel[count] = at
      count += 1
    }
  }
  sort(kernel, count)
  if (events.length > 1) events.sort((a, b) => a - b)
  return { kernel: kernel.slice(0, count), events }
}
