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
        const session = { memory, slots, matches, found, first, end }
        if (memory.isAlike && !isTouched(session)) continue
        renew()
        foldSession({ ...session, memory, slots }, visit)
      }
    },
  }
}

/** Whether a turn of the session has a signal that counts otherwise. */
function isTouched({ matches, found, slots: { isOther }, first, end }: Session): boolean {
  const { starts, numbers } = matches
  const to = starts[end] ?? 0
  for (let at = starts[first] ?? 0; at < to; at += 1)
    if (isOther[numbers[at] ?? 0] === 1) return true
  if (found.size === 0) return false
  for (let turn = first; turn < end; turn += 1) if (found.has(turn)) return true
  return false
}

interface Session {
  readonly memory: Memory
  readonly slots: SideSlots
  readonly matches: StoredMatches
  readonly found: FoundInPart
  readonly first: number
  readonly end: number
}

/** Classes of the turns of a session on both sides: the same number where nothing counts otherwise. */
function classesOf({ memory, slots, matches, found, first, end }: Session) {
  const { starts, numbers } = matches
  const { classes, sides } = memory
  const [base] = sides
  const was = new Uint32Array(end - first)
  const is = new Uint32Array(end - first)
  for (let turn = first; turn < end; turn += 1) {
    const fired = numbers.subarray(starts[turn], starts[turn + 1])
    const ofBase = fired.map((number) => base.plan.slots[number] ?? 0)
    const one = classes.classOf(ofBase, 0, ofBase.length)
    was[turn - first] = one
    const more = found.get(turn)
    const isSame = more === undefined && !fired.some((number) => slots.isOther[number] === 1)
    is[turn - first] = isSame ? one : classOnSide(fired, more ?? [], slots, classes)
  }
  return [was, is] as const
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

/** A session under one set of rules, with one number for each turn. */
interface FoldedSession {
  readonly classes: Uint32Array
  readonly before: Uint32Array
  readonly after: Uint32Array
  readonly shown: Uint32Array
}

/** @param near under the same rules: what it has for the same class and state is taken over */
function foldedOf(
  { outcomes, folding }: Memory['sides'][number],
  classes: Uint32Array,
  near: FoldedSession | null,
): FoldedSession {
  const column = (of: Uint32Array | undefined) => of?.slice() ?? new Uint32Array(classes.length)
  const [before, shown, after] = [column(near?.before), column(near?.shown), column(near?.after)]
  let state = INITIAL_STATE
  for (let turn = 0; turn < classes.length; turn += 1) {
    if (near === null || near.classes[turn] !== classes[turn] || near.before[turn] !== state) {
      const outcome = outcomes(classes[turn] ?? EMPTY_CLASS, state)
      before[turn] = state
      shown[turn] = folding.shown(outcome)
      after[turn] = folding.after(outcome)
    }
    state = after[turn] ?? INITIAL_STATE
  }
  return { classes, before, after, shown }
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
  const { names, sides, isAlike } = session.memory
  const { first, end } = session
  const [base, side] = sides
  const [was, is] = classesOf(session)
  const before = foldedOf(base, was, null)
  const after = foldedOf(side, is, isAlike ? before : null)
  const answers = [answerOf(base, before, names), answerOf(side, after, names)] as const
  const named = (shown: number) => names.domain(primaryOf(shown))
  const second = (shown: number) =>
    secondaryOf(shown) < 0 ? null : names.domain(secondaryOf(shown))
  flipsOfSession({ first: 0, end: end - first }, answers, (flip) => {
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
