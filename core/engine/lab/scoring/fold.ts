import type { Corpus } from '../corpus/corpus.ts'
import { INITIAL_STATE } from './fold-rules.ts'
import type { RuleMemo, TurnRules } from './rule-memo.ts'

/** A corpus decided under one set of rules, with one number for each turn. */
export interface Folded {
  readonly memo: RuleMemo
  /** Numbers of `memo`: what momentum sees of the text. */
  readonly texts: Uint32Array
  /** State before the turn, and after it. */
  readonly before: Uint32Array
  readonly after: Uint32Array
  /** See `Shown`. */
  readonly shown: Uint32Array
}

/** Rules on the turns of a corpus, and the reusable results of an earlier answer by the same rules. */
export interface FoldBy {
  readonly memo: RuleMemo
  readonly rules: TurnRules
  readonly near: NearFold | null
}

export interface NearFold {
  readonly folded: Folded
  /** By turn: 1 if some count differs from the earlier answer. */
  readonly touched: Uint8Array
  /** [L105] Whether the text of a turn is surely the one that it was. */
  readonly isTextSame: (turn: number) => boolean
  /** Whether a state holds a domain for which something counts otherwise. */
  readonly isTouchedIn: (state: number) => boolean
}

/** Turns folded between two breaths. */
const SLICE = 1024

/** Empty columns, or copies of the previous answer's columns. */
function columnsFrom(turns: number, near: Folded | undefined) {
  const column = (of: Uint32Array | undefined) => of?.slice() ?? new Uint32Array(turns)
  return {
    texts: column(near?.texts),
    shown: column(near?.shown),
    before: column(near?.before),
    after: column(near?.after),
  }
}

/** The first touched turn at or after one, asked in ascending order; without an earlier answer all are. */
function createNextTouched(touched: Uint8Array | undefined): (turn: number) => number {
  let next = -1
  if (touched === undefined) return (turn) => turn
  return (turn) => {
    if (next < turn) {
      const found = touched.indexOf(1, turn)
      next = found < 0 ? Infinity : found
    }
    return next
  }
}

/** A fold under way. */
export interface Fold {
  /** The decisions so far. The steps write to its columns. */
  readonly folded: Folded
  /** Decides the turns before `until`. Yields the number of turns that are decided. */
  readonly steps: (until: number) => Generator<number, void, undefined>
}

/**
 * [T5] Carries the state through every session. From a fold by the same rules, it decides only turns with different
 * counts again, and the turns after them until the state equals the earlier one. [L105] Of those, a turn keeps its
 * outcome if its text, its state and the state's domains are unchanged.
 */
export function startFold({ sessions, turns: total }: Corpus, { memo, rules, near }: FoldBy): Fold {
  const columns = columnsFrom(total, near?.folded)
  const { before, after, shown, texts } = columns
  const oldStates = near?.folded.before
  const touched = near?.touched
  const nextTouched = createNextTouched(touched)

  function decide(turn: number, state: number): number {
    const outcome = rules.outcome(turn, texts[turn] ?? 0, state)
    before[turn] = state
    shown[turn] = memo.shown(outcome)
    return (after[turn] = memo.after(outcome))
  }

  /**
   * Decides turns from `turn` on, until `end` or until counts and state are those of the previous answer.
   * Returns the first turn that it did not decide.
   */
  function foldFrom(turn: number, end: number, state: number): number {
    let at = turn
    let carried = state
    for (; at < end; at += 1) {
      const isSame = carried === oldStates?.[at]
      let stays = isSame
      if (touched === undefined || touched[at] === 1) {
        const text = near?.isTextSame(at) === true ? texts[at] : rules.text(at)
        stays = isSame && text === texts[at] && near?.isTouchedIn(carried) === false
        texts[at] = text ?? 0
      } else if (isSame) break
      carried = stays ? (after[at] ?? 0) : decide(at, carried)
    }
    return at
  }

  function* steps(until: number): Generator<number, void, undefined> {
    let breath = 0
    for (const { first, turns } of sessions) {
      const end = Math.min(until, first + turns.length)
      const stateAt = (at: number) => (at === first ? INITIAL_STATE : (after[at - 1] ?? 0))
      for (let turn = first; turn < end;) {
        const isSame = oldStates?.[turn] === stateAt(turn)
        const from = isSame ? Math.min(end, nextTouched(turn)) : turn
        // A session may be long: it is folded in pieces too.
        turn = foldFrom(from, Math.min(end, from + SLICE), stateAt(from))
        breath += turn - from
        if (breath < SLICE) continue
        yield turn
        breath = 0
      }
    }
  }

  return { folded: { memo, ...columns }, steps }
}
