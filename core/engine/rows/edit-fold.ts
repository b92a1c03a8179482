import { type Answer, changedFields, flipsOfSession, takingOf } from '../lab/flips/diff.ts'
import { primaryOf, secondaryOf } from '../lab/scoring/fold-rules.ts'
import { EMPTY_CLASS } from '../lab/scoring/score-class.ts'
import { initialBeliefState } from '../belief/momentum.ts'
import type { Pipeline } from '../pipeline.ts'
import { err, ok, type Result } from '../result.ts'
import type { Flip } from '../schema/replay.ts'
import {
  type FoldedSession,
  type FoundInPart,
  type StoredSession,
  createRoom,
  foldStretches,
} from './edit-session.ts'
import {
  type EditSide,
  type Lacking,
  type Memory,
  createMemory,
  slotsOfSide,
} from './edit-slots.ts'
import { type StoredMatches, createSessionMatches } from './match-bytes.ts'

/** A turn that an edit decides otherwise. */
export interface EditFlip extends Pick<Flip, 'fields' | 'cause'> {
  /** Among all turns of the part, and in its session; `since` in its session too. All from 0. */
  readonly at: number
  readonly turn: number
  readonly since: number
  readonly primary: readonly [was: string, is: string]
  readonly secondary: readonly [was: string | null, is: string | null]
}

/** Compares two pipelines over turns whose matches are stored. */
export interface EditFold {
  /** Visits the flips of a part, in order. The error names the damaged data of the part. */
  readonly part: (
    matches: StoredMatches,
    found: FoundInPart,
    visit: (flip: EditFlip) => void,
  ) => Result<null, string>
}

interface EditOptions {
  readonly lacking: Lacking
  /** The stored data are of this engine version, so states need not be folded from the beginning of each session. */
  readonly hasStates: boolean
}

/** Maximum number of cached outcomes. At the limit the cache is rebuilt, because a corpus may exceed memory. */
const MOST_OUTCOMES = 400_000

/**
 * [F146] The flips of a side against the base over stored matches, the same as a run over the texts would find (T8). If
 * all rules except the signals are equal, it reads only sessions with a signal that counts differently, and folds only
 * their turns on which the sides diverge. Otherwise it folds all turns. Works on numbers only (T5, L103).
 */
export function createEditFold(
  base: Pipeline,
  side: Pipeline,
  { lacking, hasStates }: EditOptions,
): EditFold {
  let memory = createMemory(base, side)
  let slots = slotsOfSide(base, side, lacking, memory)
  let room = createRoom(1024)
  const matches = createSessionMatches()

  /** Returns whether the cache was rebuilt, which changes the numbers of states. */
  function renew(): boolean {
    const held = memory.sides.reduce((sum, { folding }) => sum + folding.size, 0)
    if (held < MOST_OUTCOMES) return false
    memory = createMemory(base, side)
    slots = slotsOfSide(base, side, lacking, memory)
    return true
  }

  return {
    part: (all, found, visit) => {
      const isWhole = !memory.isAlike || !hasStates
      const others = [...slots.isOther.keys()].filter((number) => slots.isOther[number] === 1)
      const looked = sessionsOf(all.firsts, found)
      let states = createStates(all, memory)
      for (let at = 0; at + 1 < all.firsts.length; at += 1) {
        const isOther = looked.has(at) || others.some((number) => all.has(at, number))
        if (memory.isAlike && !isOther) continue
        const read = all.read(at, matches)
        if (!read.ok) return read
        if (renew()) states = createStates(all, memory)
        if (matches.turns > room.turns) room = createRoom(matches.turns * 2)
        const first = all.firsts[at] ?? 0
        const stored = (turn: number) => states(matches.states[turn] ?? 0)
        const session = { memory, slots, matches, first, found, isWhole, stored, room }
        const wrong = foldSession(session, visit)
        if (wrong >= 0)
          return err(`the state of turn ${first + wrong + 1} is not that of its matches`)
      }
      return ok(null)
    },
  }
}

/** Cache numbers for the states of a part, each looked up on first use. */
function createStates({ states }: StoredMatches, { names }: Memory): (stored: number) => number {
  const known = new Int32Array(states.length).fill(-1)
  return (stored) => {
    const number = known[stored] ?? -1
    return number >= 0
      ? number
      : (known[stored] = names.stateOf(states[stored] ?? initialBeliefState))
  }
}

/** Sessions that have one of these turns of the part. */
function sessionsOf(firsts: Uint32Array, found: FoundInPart): ReadonlySet<number> {
  const sessions = new Set<number>()
  let session = 0
  for (const turn of [...found.keys()].sort((a, b) => a - b)) {
    while ((firsts[session + 1] ?? Infinity) <= turn) session += 1
    sessions.add(session)
  }
  return sessions
}

function answerOf(
  { scored, allTogether }: EditSide,
  { classes, before, shown, after }: FoldedSession,
  names: Memory['names'],
): Answer {
  return {
    before,
    shown,
    scores: (turn) => takingOf(scored(classes[turn] ?? EMPTY_CLASS)),
    fires: allTogether ? (turn) => names.state(after[turn] ?? 0).signature : null,
  }
}

/** Visits the flips of a session; answers the turn whose stored state is wrong, or -1. */
function foldSession(session: StoredSession, visit: (flip: EditFlip) => void): number {
  const { names, sides } = session.memory
  const { first } = session
  const [base, side] = sides
  const { was, is } = session.room
  const answers = [answerOf(base, was, names), answerOf(side, is, names)] as const
  const named = (shown: number) => names.domain(primaryOf(shown))
  const second = (shown: number) =>
    secondaryOf(shown) < 0 ? null : names.domain(secondaryOf(shown))
  return foldStretches(session, (stretch) =>
    flipsOfSession(stretch, answers, (flip) => {
      const from = flip.carriedFrom()
      visit({
        at: first + flip.turn,
        turn: flip.turn,
        fields: changedFields(flip),
        cause: from < 0 ? 'direct' : 'momentum',
        since: from < 0 ? flip.turn : from,
        primary: [named(flip.was), named(flip.is)],
        secondary: [second(flip.was), second(flip.is)],
      })
    }),
  )
}
