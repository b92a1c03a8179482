import { optionsKey } from '../belief/options.ts'
import { createClassScores } from '../lab/class-scores.ts'
import { type Answer, changedFields, flipsOfSession, takingOf } from '../lab/diff.ts'
import {
  INITIAL_STATE,
  createFoldNames,
  createFolding,
  primaryOf,
  rulesKey,
  secondaryOf,
} from '../lab/fold-rules.ts'
import { EMPTY_CLASS, createScoreClasses, planSlots } from '../lab/score-class.ts'
import { identityOf } from '../matcher/identity.ts'
import { addTo } from '../maps.ts'
import type { Pipeline } from '../pipeline.ts'
import type { Flip } from '../schema/replay.ts'
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

/** Where signals matched that the base does not have: by turn of the part, indexes into the list of the lacking. */
export type FoundInPart = ReadonlyMap<number, readonly number[]>

/** Compares two pipelines over turns whose matches are stored. */
export interface EditFold {
  /** Flips of a part, in order. */
  readonly part: (
    matches: StoredMatches,
    found: FoundInPart,
    visit: (flip: EditFlip) => void,
  ) => void
}

/** What has to be looked for before a side can be compared. */
export interface Lacking {
  /** Numbers of signals of the side. */
  readonly numbers: readonly number[]
  /** The side reads texts otherwise (B16, L7): nothing that is stored says anything of it. */
  readonly isFresh: boolean
}

/** [F146] Signals of the side that match like none of the base; all of them where texts are read otherwise. */
export function lackingSignals(base: Pipeline, side: Pipeline): Lacking {
  const isFresh = optionsKey(base.preset.belief, 'text') !== optionsKey(side.preset.belief, 'text')
  const known = new Set(isFresh ? [] : base.signals.map(identityOf))
  const numbers = side.signals.flatMap((signal, number) =>
    known.has(identityOf(signal)) ? [] : [number],
  )
  return { numbers, isFresh }
}

/** Outcomes that are remembered; then it is begun anew, because a corpus may have more than memory. */
const MOST_OUTCOMES = 400_000

/** Memories of both sides, and what they make of slots. */
function createMemory(base: Pipeline, side: Pipeline) {
  const classes = createScoreClasses()
  const names = createFoldNames()
  const isAlike = rulesKey(base) === rulesKey(side)
  const folding = createFolding(names)
  const sideOf = (pipeline: Pipeline, own: typeof folding) => {
    const plan = planSlots(pipeline, classes)
    const scores = createClassScores(pipeline, plan, classes)
    const outcomes = own.outcomes(pipeline.belief, scores.scored)
    const { allTogether } = pipeline.belief.rules
    return { plan, scored: scores.scored, outcomes, folding: own, allTogether }
  }
  const sides = [
    sideOf(base, folding),
    sideOf(side, isAlike ? folding : createFolding(names)),
  ] as const
  return { classes, names, isAlike, sides }
}

type Memory = ReturnType<typeof createMemory>

/** Slots of a pipeline's signals by what they match. */
function slotsByIdentity({ signals }: Pipeline, slots: Uint32Array): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [number, signal] of signals.entries())
    addTo(found, identityOf(signal), slots[number] ?? 0)
  return found
}

/** What stands for the numbers that are stored, on the side that is tried. */
interface SideSlots {
  /** By number of the base: slots of the side. */
  readonly ofBase: ReadonlyArray<readonly number[]>
  /** By number of the base: 1 where the side counts something else for it. */
  readonly isOther: Uint8Array
  /** By index of the lacking signals. */
  readonly ofLacking: readonly number[]
}

function slotsOfSide(
  base: Pipeline,
  side: Pipeline,
  { numbers, isFresh }: Lacking,
  { sides }: Memory,
): SideSlots {
  const was = slotsByIdentity(base, sides[0].plan.slots)
  const is = slotsByIdentity(side, sides[1].plan.slots)
  const sorted = (slots: readonly number[] = []) => [...slots].sort((a, b) => a - b).join()
  const isSame = (identity: string) =>
    !isFresh && sorted(was.get(identity)) === sorted(is.get(identity))
  const seen = new Set<string>()
  const ofBase = base.signals.map((signal) => {
    const identity = identityOf(signal)
    // Signals of the base with equal identities match together: the first one stands for all of them.
    const isFirst = !seen.has(identity)
    seen.add(identity)
    return isFirst && !isFresh ? (is.get(identity) ?? []) : []
  })
  return {
    ofBase,
    isOther: Uint8Array.from(base.signals, (signal) => (isSame(identityOf(signal)) ? 0 : 1)),
    ofLacking: numbers.map((number) => sides[1].plan.slots[number] ?? 0),
  }
}

/**
 * [F146] What a side decides otherwise than the base over stored matches, as a run over the texts would find (T8). A
 * session on whose turns no signal counts otherwise is passed over where all other rules are the same; all
 * others are folded twice, in numbers only (T5, L103).
 */
export function createEditFold(base: Pipeline, side: Pipeline, lacking: Lacking): EditFold {
  let memory = createMemory(base, side)
  let slots = slotsOfSide(base, side, lacking, memory)
  let room = roomFor(1024)

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
        if (end - first > room[0].classes.length) room = roomFor((end - first) * 2)
        const session = { memory, slots, matches, found, first, end, room }
        if (memory.isAlike && lastTouched(session) < 0) continue
        renew()
        foldSession({ ...session, memory, slots }, visit)
      }
    },
  }
}

interface Session {
  readonly memory: Memory
  readonly slots: SideSlots
  readonly matches: StoredMatches
  readonly found: FoundInPart
  readonly first: number
  readonly end: number
  readonly room: Room
}

/** A turn's class on the base, from what was stored. */
function classOnBase(
  { starts, numbers }: StoredMatches,
  turn: number,
  { sides: [{ plan }], classes }: Memory,
): number {
  const [from = 0, to = 0] = [starts[turn], starts[turn + 1]]
  // Written anew for every turn: a list of its own for each is most of what an edit would cost.
  const slots = scratchOf(to - from)
  for (let at = from; at < to; at += 1) slots[at - from] = plan.slots[numbers[at] ?? 0] ?? 0
  return classes.classOf(slots, 0, to - from)
}

let scratch = new Uint32Array(256)
function scratchOf(length: number): Uint32Array {
  if (length > scratch.length) scratch = new Uint32Array(length * 2)
  return scratch
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
function isTouchedAt({ matches, found, slots: { isOther } }: Session, turn: number): boolean {
  const { starts, numbers } = matches
  const to = starts[turn + 1] ?? 0
  for (let at = starts[turn] ?? 0; at < to; at += 1)
    if (isOther[numbers[at] ?? 0] === 1) return true
  return found.has(turn)
}

/** The last turn of the session on which a signal counts otherwise; -1: on none. */
function lastTouched(session: Session): number {
  for (let turn = session.end - 1; turn >= session.first; turn -= 1)
    if (isTouchedAt(session, turn)) return turn
  return -1
}

/** A session under one set of rules, with one number for each turn. */
interface FoldedSession {
  readonly classes: Uint32Array
  readonly before: Uint32Array
  readonly after: Uint32Array
  readonly shown: Uint32Array
}

/** Room for both sides of a session, used for one after the other: most of what many short ones cost was room. */
type Room = readonly [was: FoldedSession, is: FoldedSession]

const roomFor = (turns: number): Room => [emptyFold(turns), emptyFold(turns)]

function emptyFold(turns: number): FoldedSession {
  const column = () => new Uint32Array(turns)
  return { classes: column(), before: column(), after: column(), shown: column() }
}

/** Decides one turn, and answers the state behind it. */
function foldTurn(
  { outcomes, folding }: Memory['sides'][number],
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
function foldBoth(session: Session): number {
  const { memory, slots, matches, found, first, end, room } = session
  const { classes, isAlike, sides } = memory
  const [base, side] = sides
  const last = isAlike ? lastTouched(session) : end
  const [was, is] = room
  let [before, after] = [INITIAL_STATE, INITIAL_STATE]
  let turn = 0
  for (; first + turn < end; turn += 1) {
    const at = first + turn
    if (at > last && before === after) break
    const one = classOnBase(matches, at, memory)
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

function answerOf(
  { scored, allTogether }: Memory['sides'][number],
  { classes, before, shown, after }: FoldedSession,
  names: Memory['names'],
): Answer {
  return {
    ...{ before, shown },
    scores: (turn) => takingOf(scored(classes[turn] ?? EMPTY_CLASS)),
    fires: allTogether ? (turn) => names.state(after[turn] ?? 0).signature : null,
  }
}

function foldSession(session: Session, visit: (flip: EditFlip) => void): void {
  const { names, sides } = session.memory
  const { first } = session
  const [base, side] = sides
  const turns = foldBoth(session)
  const [was, is] = session.room
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
