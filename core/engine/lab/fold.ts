import type { Corpus } from './corpus.ts'
import { type Folding, INITIAL_STATE } from './fold-rules.ts'
import { EMPTY_CLASS } from './score-class.ts'
import type { Unmoved } from './unmoved.ts'

/** A corpus decided under one set of rules, with one number for each turn. */
export interface Folded {
  readonly folding: Folding
  readonly classes: Uint32Array
  /** State before the turn, and after it. */
  readonly before: Uint32Array
  readonly after: Uint32Array
  /** See `Shown`. */
  readonly shown: Uint32Array
  /** Numbers of `folding`: an outcome of the turn's class and state, or one that is the same (L105). */
  readonly outcomes: Uint32Array
}

/** Rules, and what they make of a class in a state. */
export interface FoldBy {
  readonly folding: Folding
  readonly outcomes: ReturnType<Folding['outcomes']>
  /** Whether a turn's outcome before the edit is that of its class now, in the same state. */
  readonly unmoved: Unmoved | null
}

/** Turns folded between two breaths. */
const SLICE = 1024

/** Empty columns, or copies of the previous answer's columns. */
function columnsFrom(turns: number, near: Folded | null) {
  const column = (of: Uint32Array | undefined) => of?.slice() ?? new Uint32Array(turns)
  return {
    ...{ before: column(near?.before), after: column(near?.after), shown: column(near?.shown) },
    outcomes: column(near?.outcomes),
  }
}

function nextDifference(turn: number, end: number, a: Uint32Array, b: Uint32Array): number {
  let at = turn
  while (at < end && a[at] === b[at]) at += 1
  return at
}

/** A fold under way. */
export interface Fold {
  /** What is decided so far; the columns are written to while the steps go on. */
  readonly folded: Folded
  /** Decides the turns before `until`. Yields the number of turns that are decided. */
  readonly steps: (until: number) => Generator<number, void, undefined>
}

/**
 * [T5] Carries the state through every session. From a fold by the same rules only those turns are
 * decided again whose class differs, and those after them until the state is the one it was before.
 */
export function startFold(
  { sessions, turns: total }: Corpus,
  { folding, outcomes, unmoved }: FoldBy,
  classes: Uint32Array,
  previous: Folded | null,
): Fold {
  const near = previous?.folding === folding ? previous : null
  const columns = columnsFrom(total, near)
  const { before, after, shown } = columns
  const [oldClasses, oldStates, oldOutcomes] = [near?.classes, near?.before, near?.outcomes]

  function isUnmoved(turn: number, one: number, state: number): boolean {
    return (
      unmoved !== null &&
      oldStates?.[turn] === state &&
      unmoved(oldOutcomes?.[turn] ?? 0, one, state)
    )
  }

  /**
   * Decides turns from `turn` on, until `end` or until class and state are those of the previous answer.
   * Returns the first turn that it did not decide.
   */
  function foldFrom(turn: number, end: number, state: number): number {
    let [at, carried] = [turn, state]
    while (at < end && (classes[at] !== oldClasses?.[at] || carried !== oldStates?.[at])) {
      const one = classes[at] ?? EMPTY_CLASS
      if (isUnmoved(at, one, carried)) carried = after[at] ?? 0
      else {
        const outcome = outcomes(one, carried)
        before[at] = carried
        carried = folding.after(outcome)
        after[at] = carried
        shown[at] = folding.shown(outcome)
        columns.outcomes[at] = outcome
      }
      at += 1
    }
    return at
  }

  function* steps(until: number): Generator<number, void, undefined> {
    let breath = 0
    for (const { first, turns } of sessions) {
      const end = Math.min(until, first + turns.length)
      const stateAt = (at: number) => (at === first ? INITIAL_STATE : (after[at - 1] ?? 0))
      for (let turn = first; turn < end;) {
        const same = near !== null && near.before[turn] === stateAt(turn)
        const from = same ? nextDifference(turn, end, classes, near.classes) : turn
        // A session may be long: it is folded in pieces too.
        turn = foldFrom(from, Math.min(end, from + SLICE), stateAt(from))
        breath += turn - from
        if (breath < SLICE) continue
        yield turn
        breath = 0
      }
    }
  }

  return { folded: { folding, classes, ...columns }, steps }
}
