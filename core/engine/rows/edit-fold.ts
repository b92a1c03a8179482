import { type Answer, changedFields, flipsOfSession, takingOf } from '../lab/diff.ts'
import { primaryOf, secondaryOf } from '../lab/fold-rules.ts'
import { EMPTY_CLASS } from '../lab/score-class.ts'
import type { Pipeline } from '../pipeline.ts'
import type { Flip } from '../schema/replay.ts'
import {
  type FoldedSession,
  type FoundInPart,
  type StoredSession,
  createRoom,
  foldBoth,
  lastTouched,
} from './edit-session.ts'
import {
  type EditSide,
  type Lacking,
  type Memory,
  createMemory,
  slotsOfSide,
} from './edit-slots.ts'
import type { StoredMatches } from './match-bytes.ts'

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
  /** Flips of a part, in order. */
  readonly part: (
    matches: StoredMatches,
    found: FoundInPart,
    visit: (flip: EditFlip) => void,
  ) => void
}

/** Outcomes that are remembered; then it is begun anew, because a corpus may have more than memory. */
const MOST_OUTCOMES = 400_000

/**
 * [F146] What a side decides otherwise than the base over stored matches, as a run over the texts would find (T8). A
 * session on whose turns no signal counts otherwise is passed over where all other rules are the same; the others
 * are folded as far as the sides can part (`foldBoth`), in numbers only (T5, L103).
 */
export function createEditFold(base: Pipeline, side: Pipeline, lacking: Lacking): EditFold {
  let memory = createMemory(base, side)
  let slots = slotsOfSide(base, side, lacking, memory)
  let room = createRoom(1024, base.signals.length)

  function renew(): void {
    const held = memory.sides.reduce((sum, { folding }) => sum + folding.size, 0)
    if (held < MOST_OUTCOMES) return
    memory = createMemory(base, side)
    slots = slotsOfSide(base, side, lacking, memory)
  }

  return {
    part: (matches, found, visit) => {
      const { firsts } = matches
      for (let at = 0; at + 1 < firsts.length; at += 1) {
        const [first = 0, end = 0] = [firsts[at], firsts[at + 1]]
        const turns = end - first
        if (turns > room.was.classes.length) room = createRoom(turns * 2, base.signals.length)
        const session = { memory, slots, matches, found, first, end, room }
        if (memory.isAlike && lastTouched(session) < 0) continue
        renew()
        foldSession({ ...session, memory, slots }, visit)
      }
    },
  }
}

function answerOf(
  { scored, allTogether }: EditSide,
  { classes, before, shown, after }: FoldedSession,
  names: Memory['names'],
): Answer {
  return {
    ...{ before, shown },
    scores: (turn) => takingOf(scored(classes[turn] ?? EMPTY_CLASS)),
    fires: allTogether ? (turn) => names.state(after[turn] ?? 0).signature : null,
  }
}

function foldSession(session: StoredSession, visit: (flip: EditFlip) => void): void {
  const { names, sides } = session.memory
  const { first } = session
  const [base, side] = sides
  const turns = foldBoth(session)
  const { was, is } = session.room
  const answers = [answerOf(base, was, names), answerOf(side, is, names)] as const
  const named = (shown: number) => names.domain(primaryOf(shown))
  const second = (shown: number) =>
    secondaryOf(shown) < 0 ? null : names.domain(secondaryOf(shown))
  flipsOfSession({ first: 0, end: turns }, answers, (flip) => {
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
  })
}
