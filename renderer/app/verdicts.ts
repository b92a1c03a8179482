import { EVENT_CODES, type Flip, RULE_CODES } from '../../core/engine/schema/replay.ts'
import { firesIn } from '../../core/engine/lab/metrics/label.ts'
import { valueOf } from './async-data.ts'
import { flipAt } from '../timeline/data.ts'
import { ambiguousText } from '../timeline/words.ts'
import { turnOf } from './selectors.ts'
import { type Replayed, type State, runKey } from './store.ts'

/** Summary of a turn in the list, read from the columns. */
export type Verdict = NonNullable<ReturnType<typeof verdictOf>>

/** The verdict of an event, null when it is not a turn or the replay is not there yet. */
export function verdictOf(replayed: Replayed, seq: number) {
  const { columns } = replayed
  const turn = turnOf(columns, seq)
  if (turn === undefined) return null
  const name = (index: number | undefined) => columns.domains[index ?? -1] ?? null
  const flip = flipAt(replayed.flips, turn)
  return {
    /** 0-based. */
    turn,
    primary: name(columns.primary[turn]) ?? '',
    secondary: name(columns.secondary[turn]),
    /** [K12] All skills that fire, as scored; null: domains. */
    fires: firesIn(columns, turn),
    event: EVENT_CODES[columns.event[turn] ?? 0] ?? 'same',
    /** Rule of core/SPEC.md that decided, for example `B1`. */
    rule: RULE_CODES[columns.rule[turn] ?? -1] ?? '',
    resisted: name(columns.resisted[turn]),
    /** [B23] */
    ambiguous: ambiguousText(columns, turn),
    flip: flip ? withCause(otherSide(replayed, flip.other), flip.cause) : null,
    /** The compared preset's name if it does not classify this event and so has no turn for it. */
    missingIn: otherTurnOf(replayed, seq) === null ? otherName(replayed) : null,
  }
}

function withCause(other: OtherSide | null, cause: Flip['cause']) {
  return other && { ...other, cause }
}

/** Result of the compared preset for one of its turns. */
export interface OtherSide {
  readonly preset: string
  /** 0-based, in its own numbering: it may classify other events too. */
  readonly turn: number
  readonly primary: string
  readonly secondary: string | null
}

/** Display name of the other side; null without a comparison. */
function otherName({ compare, other }: Replayed): string | null {
  return other?.name ?? compare?.config.preset ?? null
}

/** @param turn of the compared replay */
export function otherSide(replayed: Replayed, turn: number): OtherSide | null {
  const { compare } = replayed
  if (!compare) return null
  return {
    preset: otherName(replayed) ?? '',
    turn,
    primary: compare.domains[compare.primary[turn] ?? -1] ?? '',
    secondary: compare.domains[compare.secondary[turn] ?? -1] ?? null,
  }
}

/** [L38] The turn of the compared replay that classifies an event. Null if it has none, or if nothing is compared. */
export function otherTurnOf({ compare }: Replayed, seq: number): number | null {
  return compare ? (turnOf(compare, seq) ?? null) : null
}

/** The compared preset's result for an event that is no turn under the preset in force; else null. */
export function onlyThere(replayed: Replayed, seq: number): OtherSide | null {
  if (turnOf(replayed.columns, seq) !== undefined) return null
  const other = otherTurnOf(replayed, seq)
  return other === null ? null : otherSide(replayed, other)
}

export function replayedOf(state: State): Replayed | null {
  return valueOf(state.session.replay)
}

/** [U220] The replay of the configuration in force; null while it is computed and the one before is on screen. */
export function replayInForce({ session, view }: State): Replayed | null {
  const replayed = valueOf(session.replay)
  if (replayed === null) return null
  const { preset, domains, profile } = replayed.columns.config
  return runKey({ preset, domains, profile }) === runKey(view.run) ? replayed : null
}
