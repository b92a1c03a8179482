import { EVENT_CODES, RULE_CODES } from '../../core/engine/schema/replay.ts'
import { valueOf } from './async-data.ts'
import { flipAt } from '../timeline/data.ts'
import { turnOf } from './selectors.ts'
import type { Replayed, State } from './store.ts'

/** What the list says of a turn; read from the columns. */
export type Verdict = NonNullable<ReturnType<typeof verdictOf>>

/** The verdict of an event, null when it is not a turn or the replay is not there yet. */
export function verdictOf(replayed: Replayed, seq: number) {
  const { columns, compare } = replayed
  const turn = turnOf(columns, seq)
  if (turn === undefined) return null
  const name = (index: number | undefined) => columns.domains[index ?? -1] ?? null
  const flip = flipAt(replayed.flips, turn)
  return {
    /** 0-based. */
    turn,
    primary: name(columns.primary[turn]) ?? '',
    secondary: name(columns.secondary[turn]),
    event: EVENT_CODES[columns.event[turn] ?? 0] ?? 'same',
    /** Rule of core/SPEC.md that decided, for example `B1`. */
    rule: RULE_CODES[columns.rule[turn] ?? -1] ?? '',
    resisted: name(columns.resisted[turn]),
    flip:
      flip && compare
        ? {
            preset: compare.config.preset,
            primary: compare.domains[compare.primary[turn] ?? -1] ?? '',
            secondary: compare.domains[compare.secondary[turn] ?? -1] ?? null,
            cause: flip.cause,
          }
        : null,
  }
}

export function replayedOf(state: State): Replayed | null {
  return valueOf(state.session.replay)
}
