import { addTo } from '../maps.ts'
import { placeOfSignal, type Pipeline } from '../pipeline.ts'
import type { Found } from './scan-turns.ts'
import { EMPTY_CLASS, type ScoreClasses, type SlotPlan } from './score-class.ts'

/** Where all signals of a pipeline fired, by number. */
export interface Firing {
  readonly plan: SlotPlan
  readonly found: readonly Found[]
  readonly identities: readonly string[]
}

/** Numbers of signals by turn: those of turn `t` stand from `starts[t]` to `starts[t + 1]`, ascending. */
export interface FiredRows {
  readonly starts: Uint32Array
  readonly numbers: Uint32Array
}

/** Turns lists of turns by signal into lists of signals by turn. */
export function firedRows(turns: number, found: readonly Found[]): FiredRows {
  const starts = new Uint32Array(turns + 1)
  for (const { posting } of found)
    for (const turn of posting) starts[turn + 1] = (starts[turn + 1] ?? 0) + 1
  for (let turn = 0; turn < turns; turn += 1)
    starts[turn + 1] = (starts[turn + 1] ?? 0) + (starts[turn] ?? 0)
  const next = starts.slice()
  const numbers = new Uint32Array(starts[turns] ?? 0)
  for (const [number, { posting }] of found.entries())
    for (const turn of posting) {
      const at = next[turn] ?? 0
      numbers[at] = number
      next[turn] = at + 1
    }
  return { starts, numbers }
}

/** Class of every turn, from the signals that fired on it. */
export function classesOf(
  turns: number,
  { found, plan }: Firing,
  classes: ScoreClasses,
): Uint32Array {
  const { starts, numbers } = firedRows(turns, found)
  const slots = numbers.map((number) => plan.slots[number] ?? 0)
  const ofTurns = new Uint32Array(turns).fill(EMPTY_CLASS)
  for (let turn = 0; turn < turns; turn += 1)
    ofTurns[turn] = classes.classOf(slots, starts[turn] ?? 0, starts[turn + 1] ?? 0)
  return ofTurns
}

/** Signals of `a` without a counterpart in `b`, which has the same slot and the same turns. */
function unmatched(a: Firing, b: Firing): readonly number[] {
  const keys = ({ identities, plan }: Firing, number: number): string =>
    `${plan.slots[number] ?? 0} ${identities[number] ?? ''}`
  const there = new Map<string, number[]>()
  for (const number of b.identities.keys()) addTo(there, keys(b, number), number)
  return [...a.identities.keys()].filter((number) => {
    const other = there.get(keys(a, number))?.pop()
    return other === undefined || b.found[other]?.posting !== a.found[number]?.posting
  })
}

/** Numbers of signals that only one of two answers has. */
export interface ChangedSignals {
  /** Of the earlier answer. */
  readonly gone: readonly number[]
  /** Of the later one. */
  readonly come: readonly number[]
}

export function changedSignals(before: Firing, after: Firing): ChangedSignals {
  return { gone: unmatched(before, after), come: unmatched(after, before) }
}

/** With more steps than this per turn, starting from scratch is less work. */
const MOST_STEPS = 2

/**
 * Class of every turn before `until`, from the classes of an earlier answer and the signals that only one
 * of the two has. Null where too much differs.
 */
export function changedClasses(
  before: Firing & { readonly folded: { readonly classes: Uint32Array } },
  after: Firing,
  { gone, come }: ChangedSignals,
  { classes, until }: { readonly classes: ScoreClasses; readonly until: number },
): Uint32Array | null {
  const steps = (firing: Firing, numbers: readonly number[]): number =>
    numbers.reduce((sum, number) => sum + (firing.found[number]?.posting.length ?? 0), 0)
  const { classes: old } = before.folded
  if (steps(before, gone) + steps(after, come) > MOST_STEPS * old.length) return null
  const ofTurns = old.slice()
  const shift = (firing: Firing, number: number, delta: 1 | -1): void => {
    const slot = firing.plan.slots[number] ?? 0
    for (const turn of firing.found[number]?.posting ?? []) {
      if (turn >= until) break
      ofTurns[turn] = classes.shifted(ofTurns[turn] ?? EMPTY_CLASS, slot, delta)
    }
  }
  for (const number of gone) shift(before, number, -1)
  for (const number of come) shift(after, number, 1)
  return ofTurns
}

/** Places of the domains whose signals changed; null where an anti-signal did, which no domain owns. */
export function changedPlaces(
  before: Pipeline,
  after: Pipeline,
  { gone, come }: ChangedSignals,
): readonly number[] | null {
  const isAnti = ({ belief }: Pipeline, number: number) => number >= belief.set.signals.length
  if (gone.some((one) => isAnti(before, one)) || come.some((one) => isAnti(after, one))) return null
  const names = new Set([
    ...gone.map((one) => placeOfSignal(before, one).domain),
    ...come.map((one) => placeOfSignal(after, one).domain),
  ])
  return after.belief.set.domains.flatMap(({ name }, place) => (names.has(name) ? [place] : []))
}
