import { END, LAST_NEWLINE, type Traits } from './alphabet.ts'
import type { Condition, State } from './nfa.ts'

/** What is known of the place before a state: bits of the character that was read last. */
const AT_START = 1
const AFTER_NEWLINE = 2
const AFTER_WORD = 4
const AFTER_ASCII_WORD = 8

export interface Step {
  /** Reading states and conditions, ascending. */
  readonly kernel: readonly number[]
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

/** The place between two characters, as conditions ask of it. */
export interface Place {
  readonly context: number
  readonly kind: number
  readonly traits: Traits
}

const CONDITIONS: Readonly<Record<Condition, (place: Place) => boolean>> = {
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

/** States visited in one walk, without clearing a list for each. */
export interface Marks {
  readonly seen: Uint32Array
  walk: number
}

/** Follows splits, and conditions where a place is given, from the states in `open`. */
export function close(
  states: readonly State[],
  marks: Marks,
  open: number[],
  place: Place | null,
): Step {
  const { seen } = marks
  marks.walk += 1
  const kernel: number[] = []
  const events: number[] = []
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen[at] === marks.walk) continue
    seen[at] = marks.walk
    const state = states[at]
    if (state?.kind === 'split') for (const one of state.next) open.push(one)
    else if (state?.kind === 'event') events.push(state.event)
    else if (state?.kind === 'when' && place !== null) {
      if (CONDITIONS[state.condition](place)) open.push(state.next)
    } else kernel.push(at)
  }
  return { kernel: kernel.sort((a, b) => a - b), events: events.sort((a, b) => a - b) }
}
