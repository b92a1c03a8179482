import type { Scored } from '../belief/score.ts'
import { scoreTurn } from '../belief/step.ts'
import type { ScoredCorpus } from './corpus.ts'
import { type FoldNames, createFoldNames, packShown, primaryOf } from './fold-rules.ts'
import { insideOf } from './inside.ts'
import { EMPTY_CLASS } from './score-class.ts'

/** One answer by number: equal numbers of two answers mean equal things. */
interface Numbers {
  readonly shown: Uint32Array
  readonly before: Uint32Array
  /** What `lab/diff.ts` compares of the scores: names and scores in the order of the ranking. */
  readonly row: (turn: number) => string
}

function rowOf({ scores }: Scored): string {
  return scores.map(({ domain, score }) => `${domain}+${score}`).join('+')
}

function numbersOf(scored: ScoredCorpus, names: FoldNames): Numbers {
  const inside = insideOf(scored)
  if (inside?.names === names) {
    const { folded, classes, plan } = inside
    const rows = new Map<number, string>()
    const row = (turn: number): string => {
      const one = folded.classes[turn] ?? EMPTY_CLASS
      const known =
        rows.get(one) ?? rowOf(scoreTurn(scored.pipeline.belief, classes.sample(one, plan)))
      rows.set(one, known)
      return known
    }
    return { shown: folded.shown, before: folded.before, row }
  }
  const { turns } = scored.corpus
  const shown = new Uint32Array(turns)
  const before = new Uint32Array(turns)
  for (let turn = 0; turn < turns; turn += 1) {
    const decided = scored.decided(turn)
    shown[turn] = packShown(names, decided, decided.plan)
    before[turn] = names.stateOf(scored.state(turn))
  }
  return { shown, before, row: (turn) => rowOf(scored.decided(turn).scored) }
}

/** A turn that two answers decide differently. */
export interface TurnFlip {
  /** Number in the corpus. */
  readonly turn: number
  /** -1 where the flip is direct, else the turn whose state made it. */
  readonly carriedFrom: number
  readonly primary: boolean
}

/**
 * [T8] Turns that are decided differently, in order, with the cause as `lab/diff.ts` defines it:
 * momentum carries a flip where only the state before the turn differs, not the scores.
 */
export function compareTurns(
  a: ScoredCorpus,
  b: ScoredCorpus,
  visit: (session: number, flip: TurnFlip) => void,
): void {
  const names = insideOf(a)?.names ?? insideOf(b)?.names ?? createFoldNames()
  const left = numbersOf(a, names)
  const right = numbersOf(b, names)
  for (const [session, { first, turns }] of a.corpus.sessions.entries()) {
    let parted = -1
    for (let turn = first; turn < first + turns.length; turn += 1) {
      if (left.before[turn] === right.before[turn]) parted = -1
      else if (parted < 0) parted = turn - 1
      const [was = 0, is = 0] = [left.shown[turn], right.shown[turn]]
      if (was === is) continue
      const carried = parted >= 0 && left.row(turn) === right.row(turn)
      visit(session, {
        turn,
        carriedFrom: carried ? parted : -1,
        primary: primaryOf(was) !== primaryOf(is),
      })
    }
  }
}
