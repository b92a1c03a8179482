import { INITIAL_STATE } from '../lab/fold-rules.ts'
import type { EditSide, Memory, SideSlots } from './edit-slots.ts'
import type { StoredMatches } from './match-bytes.ts'

/** Where signals matched that the base does not have: by turn of the part, indexes into the list of the lacking. */
export type FoundInPart = ReadonlyMap<number, readonly number[]>

/** A session whose matches are stored, as both sides of an edit fold it. */
export interface StoredSession {
  readonly memory: Memory
  readonly slots: SideSlots
  readonly matches: StoredMatches
  readonly found: FoundInPart
  readonly first: number
  readonly end: number
  readonly room: Room
}

/** A turn's class on the base, from what was stored. */
function classOnBase({ matches, memory, room: { slots } }: StoredSession, turn: number): number {
  const { starts, numbers } = matches
  const { plan } = memory.sides[0]
  const [from = 0, to = 0] = [starts[turn], starts[turn + 1]]
  for (let at = from; at < to; at += 1) slots[at - from] = plan.slots[numbers[at] ?? 0] ?? 0
  return memory.classes.classOf(slots, 0, to - from)
}

function classOnSide(
  fired: Uint32Array,
  more: readonly number[],
  { ofBase, ofLacking }: SideSlots,
  classes: Memory['classes'],
): number {
  const list = [
    ...[...fired].flatMap((number) => ofBase[number] ?? []),
    ...more.map((index) => ofLacking[index] ?? 0),
  ]
  return classes.classOf(list, 0, list.length)
}

/** Whether a signal that counts otherwise stands on a turn. */
function isTouchedAt({ matches, found, slots: { isOther } }: StoredSession, turn: number): boolean {
  const { starts, numbers } = matches
  const to = starts[turn + 1] ?? 0
  for (let at = starts[turn] ?? 0; at < to; at += 1)
    if (isOther[numbers[at] ?? 0] === 1) return true
  return found.has(turn)
}

/** The last turn of the session on which a signal counts otherwise; -1: on none. */
export function lastTouched(session: StoredSession): number {
  for (let turn = session.end - 1; turn >= session.first; turn -= 1)
    if (isTouchedAt(session, turn)) return turn
  return -1
}

/** A session under one set of rules, with one number for each turn. */
export interface FoldedSession {
  readonly classes: Uint32Array
  readonly before: Uint32Array
  readonly after: Uint32Array
  readonly shown: Uint32Array
}

/**
 * Room for both sides of a session, and for the slots of a turn, used for one after the other: most of what many short
 * sessions cost was room.
 */
export interface Room {
  readonly was: FoldedSession
  readonly is: FoldedSession
  readonly slots: Uint32Array
}

/** @param signals of the base: no turn has more */
export function createRoom(turns: number, signals: number): Room {
  return { was: emptyFold(turns), is: emptyFold(turns), slots: new Uint32Array(signals) }
}

function emptyFold(turns: number): FoldedSession {
  const column = () => new Uint32Array(turns)
  return { classes: column(), before: column(), after: column(), shown: column() }
}

/** Decides one turn, and answers the state behind it. */
function foldTurn(
  { outcomes, folding }: EditSide,
  into: FoldedSession,
  { turn, one, state }: { readonly turn: number; readonly one: number; readonly state: number },
): number {
  const outcome = outcomes(one, state)
  into.classes[turn] = one
  into.before[turn] = state
  into.shown[turn] = folding.shown(outcome)
  return (into.after[turn] = folding.after(outcome))
}

/**
 * Both sides turn by turn, as far as they can part: where all other rules are the same, a turn of equal class and state
 * is decided once, and behind the last turn that counts otherwise all is the same as soon as the states are. Answers
 * how many turns stand in the room of the session.
 */
export function foldBoth(session: StoredSession): number {
  const { memory, slots, matches, found, first, end, room } = session
  const { classes, isAlike, sides } = memory
  const [base, side] = sides
  const last = isAlike ? lastTouched(session) : end
  const { was, is } = room
  let [before, after] = [INITIAL_STATE, INITIAL_STATE]
  let turn = 0
  for (; first + turn < end; turn += 1) {
    const at = first + turn
    if (at > last && before === after) break
    const one = classOnBase(session, at)
    const other = isTouchedAt(session, at)
      ? classOnSide(
          matches.numbers.subarray(matches.starts[at], matches.starts[at + 1]),
          found.get(at) ?? [],
          slots,
          classes,
        )
      : one
    const isSame = isAlike && other === one && before === after
    before = foldTurn(base, was, { turn, one, state: before })
    after = isSame
      ? copyTurn(was, is, turn)
      : foldTurn(side, is, { turn, one: other, state: after })
  }
  return turn
}

function copyTurn(from: FoldedSession, into: FoldedSession, turn: number): number {
  for (const name of ['classes', 'before', 'shown'] as const)
    into[name][turn] = from[name][turn] ?? 0
  return (into.after[turn] = from.after[turn] ?? INITIAL_STATE)
}
