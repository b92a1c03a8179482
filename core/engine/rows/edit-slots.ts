import { optionsKey } from '../belief/options.ts'
import { type ClassScores, createClassScores } from '../lab/scoring/class-scores.ts'
import {
  type FoldNames,
  type Folding,
  createFoldNames,
  createFolding,
  rulesKey,
} from '../lab/scoring/fold-rules.ts'
import {
  type ScoreClasses,
  type SlotPlan,
  createScoreClasses,
  planSlots,
} from '../lab/scoring/score-class.ts'
import { identityOf } from '../matcher/identity.ts'
import { addTo } from '../maps.ts'
import type { Pipeline } from '../pipeline.ts'

/** Searches required before a side can be compared. */
export interface Lacking {
  /** Numbers of signals of the side. */
  readonly numbers: readonly number[]
  /** The side reads texts differently (B16, L7), so no stored match applies to it. */
  readonly isFresh: boolean
}

/** [F146] Signals of the side that no signal of the base matches like; all of them if texts are read differently. */
export function lackingSignals(base: Pipeline, side: Pipeline): Lacking {
  const isFresh = optionsKey(base.preset.belief, 'text') !== optionsKey(side.preset.belief, 'text')
  const known = new Set(isFresh ? [] : base.signals.map(identityOf))
  const numbers = side.signals.flatMap((signal, number) =>
    known.has(identityOf(signal)) ? [] : [number],
  )
  return { numbers, isFresh }
}

/** One side of an edit: its slots, and its decisions for classes of scores. */
export interface EditSide {
  readonly plan: SlotPlan
  readonly scored: ClassScores['scored']
  readonly outcomes: ReturnType<Folding['outcomes']>
  readonly folding: Folding
  readonly allTogether: boolean
}

/** Caches of both sides, and the classes that they share. */
export interface Memory {
  readonly classes: ScoreClasses
  readonly names: FoldNames
  /** All rules but the signals are the same. */
  readonly isAlike: boolean
  readonly sides: readonly [base: EditSide, side: EditSide]
}

export function createMemory(base: Pipeline, side: Pipeline): Memory {
  const classes = createScoreClasses()
  const names = createFoldNames()
  const isAlike = rulesKey(base) === rulesKey(side)
  const folding = createFolding(names)
  const sideOf = (pipeline: Pipeline, own: Folding): EditSide => {
    const plan = planSlots(pipeline, classes)
    const { scored } = createClassScores(pipeline, plan, classes)
    const outcomes = own.outcomes(pipeline.belief, scored)
    const { allTogether } = pipeline.belief.rules
    return { plan, scored, outcomes, folding: own, allTogether }
  }
  const other = isAlike ? folding : createFolding(names)
  return { classes, names, isAlike, sides: [sideOf(base, folding), sideOf(side, other)] }
}

/** Slots of a pipeline's signals, by signal identity. */
function slotsByIdentity({ signals }: Pipeline, slots: Uint32Array): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [number, signal] of signals.entries())
    addTo(found, identityOf(signal), slots[number] ?? 0)
  return found
}

/** Maps the stored numbers to slots of the tried side. */
export interface SideSlots {
  /** By number of the base: slots of the side. */
  readonly ofBase: ReadonlyArray<readonly number[]>
  /** By number of the base: 1 if the side counts it differently. */
  readonly isOther: Uint8Array
  /** By index of the lacking signals. */
  readonly ofLacking: readonly number[]
}

export function slotsOfSide(
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
    // Signals of the base with equal identities match together, so the first one represents all of them.
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
