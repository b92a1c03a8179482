import { INITIAL_STATE } from '../lab/scoring/fold-rules.ts'
import type { EditSide, Memory, SideSlots } from './edit-slots.ts'
import type { SessionMatches } from './match-bytes.ts'

/** Matches of signals that the base lacks. By turn of the part: indexes into the list of lacking signals. */
export type FoundInPart = ReadonlyMap<number, readonly number[]>

/** A session whose matches were read, as both sides of an edit fold it. */
export interface StoredSession {
  readonly memory: Memory
  readonly slots: SideSlots
  readonly matches: SessionMatches
  /** Number of the session's first turn in the part. */
  readonly first: number
  readonly found: FoundInPart
  /** Every turn is folded, from the first one on; else only those on which the sides part. */
  readonly isWhole: boolean
  /** Number in the memory of the state that was stored behind a turn. */
  readonly stored: (turn: number) => number
  readonly room: Room
}

/** A session under one set of rules, with one number for each turn that was folded. */
export interface FoldedSession {
  readonly classes: Uint32Array
  readonly before: Uint32Array
  readonly after: Uint32Array
  readonly shown: Uint32Array
}

/** Room for both sides of a session, and for the slots of a turn, used for one session after the other. */
export interface Room {
  readonly turns: number
  readonly was: FoldedSession
  readonly is: FoldedSession
  slots: Uint32Array
}

export function createRoom(turns: number): Room {
  return { turns, was: emptyFold(turns), is: emptyFold(turns), slots: new Uint32Array(64) }
}

function emptyFold(turns: number): FoldedSession {
  const column = () => new Uint32Array(turns)
  return { classes: column(), before: column(), after: column(), shown: column() }
}

/** Puts one more slot into the room. */
function put(room: Room, length: number, slot: number): number {
  if (length === room.slots.length) {
    const larger = new Uint32Array(length * 2)
    larger.set(room.slots)
    room.slots = larger
  }
  room.slots[length] = slot
  return length + 1
}

/** A turn's class on the base, from the stored data. */
function classOnBase({ matches, memory, room }: StoredSession, turn: number): number {
  const { starts, numbers } = matches
  const { slots } = memory.sides[0].plan
  const to = starts[turn + 1] ?? 0
  let length = 0
  for (let at = starts[turn] ?? 0; at < to; at += 1)
    length = put(room, length, slots[numbers[at] ?? 0] ?? 0)
  return memory.classes.classOf(room.slots, 0, length)
}

/** The same on the tried side: its own slots, and the search results. */
function classOnSide(session: StoredSession, turn: number): number {
  const { matches, memory, slots, found, first, room } = session
  const { starts, numbers } = matches
  const to = starts[turn + 1] ?? 0
  let length = 0
  for (let at = starts[turn] ?? 0; at < to; at += 1)
    for (const slot of slots.ofBase[numbers[at] ?? 0] ?? []) length = put(room, length, slot)
  for (const index of found.get(first + turn) ?? [])
    length = put(room, length, slots.ofLacking[index] ?? 0)
  return memory.classes.classOf(room.slots, 0, length)
}

/** Whether a turn has a signal that counts differently. */
function isTouched({ matches, slots: { isOther }, found, first }: StoredSession, turn: number) {
  const { starts, numbers } = matches
  const to = starts[turn + 1] ?? 0
  for (let at = starts[turn] ?? 0; at < to; at += 1)
    if (isOther[numbers[at] ?? 0] === 1) return true
  return found.has(first + turn)
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
 * [F146] Folds both sides where they can diverge, and visits each folded stretch of turns. A stretch begins on a turn
 * that counts differently, with the stored state before it. It ends when the states are equal again and the next turn
 * counts the same. Returns the first turn whose stored state does not follow from its matches, or -1.
 */
export function foldStretches(
  session: StoredSession,
  visit: (stretch: { readonly first: number; readonly end: number }) => void,
): number {
  const { memory, matches, isWhole, stored, room } = session
  const [base, side] = memory.sides
  let start = -1
  let before = INITIAL_STATE
  let after = INITIAL_STATE
  for (let turn = 0; turn < matches.turns; turn += 1) {
    const other = isWhole || isTouched(session, turn)
    if (!other && before === after) {
      if (start >= 0) visit({ first: start, end: turn })
      start = -1
      continue
    }
    if (start < 0) {
      start = turn
      before = after = turn === 0 ? INITIAL_STATE : stored(turn - 1)
    }
    const one = classOnBase(session, turn)
    const tried = other ? classOnSide(session, turn) : one
    before = foldTurn(base, room.was, { turn, one, state: before })
    if (!isWhole && before !== stored(turn)) return turn
    after = foldTurn(side, room.is, { turn, one: tried, state: after })
  }
  if (start >= 0) visit({ first: start, end: matches.turns })
  return -1
}
