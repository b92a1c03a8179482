/** A turn that may be asked about. */
export interface Candidate {
  readonly turn: number
  /** How likely its decision is wrong. */
  readonly doubt: number
}

/** How alike two turns are, from 0 to 1. */
export type Likeness = (a: number, b: number) => number

/** Only turns likely to be wrong are compared with each other: the pool is that many times the queue. */
const POOL = 5
/** Turns less alike than this do not stand in each other's way. */
const APART = 0.5

/** Two turns that say the same teach once: from 1 (nothing alike) to 0 (the same text). */
function novelty(likeness: number): number {
  return Math.min(1, (1 - likeness) / (1 - APART))
}

/**
 * [L82] What a label would teach most comes first: the likelihood that it changes the decision, less what
 * is alike to a turn before it in the queue. Greedy; equal ones in the order of the corpus.
 */
export function* orderQueue(
  candidates: readonly Candidate[],
  most: number,
  likeness: Likeness,
): Generator<number, readonly Candidate[]> {
  const rest = candidates
    .toSorted((a, b) => b.doubt - a.doubt || a.turn - b.turn)
    .slice(0, most * POOL)
    .map((candidate) => ({ candidate, nearest: 0 }))
  const queue: Candidate[] = []
  while (queue.length < most && rest.length > 0) {
    let best = 0
    const worth = (place: number): number => {
      const one = rest[place]
      return one === undefined ? -1 : one.candidate.doubt * novelty(one.nearest)
    }
    for (let place = 1; place < rest.length; place += 1)
      if (worth(place) > worth(best)) best = place
    const [taken] = rest.splice(best, 1)
    if (taken === undefined) break
    queue.push(taken.candidate)
    for (const one of rest)
      one.nearest = Math.max(one.nearest, likeness(one.candidate.turn, taken.candidate.turn))
    yield queue.length
  }
  return queue
}

/** Words of texts as sets, made when first asked for. */
export function wordLikeness(textOf: (turn: number) => string): Likeness {
  const known = new Map<number, ReadonlySet<string>>()
  const wordsOf = (turn: number): ReadonlySet<string> => {
    const words =
      known.get(turn) ??
      new Set(
        textOf(turn)
          .toLowerCase()
          .slice(0, 2000)
          .match(/[\p{L}\p{N}_]+/gu),
      )
    known.set(turn, words)
    return words
  }
  return (a, b) => {
    const [one, other] = [wordsOf(a), wordsOf(b)]
    let shared = 0
    for (const word of one) if (other.has(word)) shared += 1
    const all = one.size + other.size - shared
    return all === 0 ? 1 : shared / all
  }
}
