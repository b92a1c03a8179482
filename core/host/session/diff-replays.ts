import { diffReplays as diffTurns } from '../../engine/lab/diff.ts'
import type { Replay } from '../../engine/replay.ts'
import type { Flip } from '../../engine/schema/replay.ts'

/** What flips between two replays. Only texts that both classify are compared. */
export function diffReplays(a: Replay, b: Replay): readonly Flip[] {
  const inB = new Map(b.columns.seq.map((seq, turn) => [seq, turn]))
  const shared = a.columns.seq.flatMap((seq, turn) => {
    const other = inB.get(seq)
    return other === undefined ? [] : [{ turn, other }]
  })
  if (shared.every(({ turn, other }) => turn === other)) return diffTurns(a, b)
  const left = pick(
    a,
    shared.map(({ turn }) => turn),
  )
  const right = pick(
    b,
    shared.map(({ other }) => other),
  )
  const back = (turn: number) => shared[turn]?.turn ?? turn
  return diffTurns(left, right).map((flip) => ({
    ...flip,
    turn: back(flip.turn),
    since: back(flip.since),
  }))
}

/** A replay of some of its turns: rows and scores move together. */
function pick({ columns, states }: Replay, turns: readonly number[]): Replay {
  const of = (column: readonly number[]) => turns.map((turn) => column[turn] ?? 0)
  const scores = turns.map((turn) =>
    columns.scorePairs.slice(columns.scoreStart[turn], columns.scoreStart[turn + 1]),
  )
  let end = 0
  return {
    states: turns.flatMap((turn) => states[turn] ?? []),
    columns: {
      ...columns,
      turns: turns.length,
      seq: of(columns.seq),
      primary: of(columns.primary),
      secondary: of(columns.secondary),
      enriched: of(columns.enriched),
      scoreStart: [0, ...scores.map((pairs) => (end += pairs.length))],
      scorePairs: scores.flat(),
    },
  }
}
