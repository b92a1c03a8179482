import { keptIn } from '../../maps.ts'
import { ownersOf } from '../../matcher/domains.ts'
import type { Pipeline } from '../../pipeline.ts'
import { createInterner } from '../corpus/interner.ts'
import { createScoreClasses, type ScoreClasses, type SlotPlan } from './score-class.ts'
import type { Found } from '../corpus/scan-turns.ts'

/** Turns on which the signals of a pipeline fired, by signal number. */
export interface Firing {
  readonly plan: SlotPlan
  readonly found: readonly Found[]
  readonly identities: readonly string[]
}

/** Numbers of signals by turn. Those of turn `t` are in `starts[t]` to `starts[t + 1]`, ascending. */
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

/** By turn the number of what counts there; 0 = nothing does. */
export type Column = Uint16Array | Uint32Array

/** A domain by name; null means the anti-signals. */
export type Counted = string | null

/** [L112] A column for each domain, and one for the anti-signals. */
export type CountColumns = ReadonlyMap<Counted, Column>

/** For each domain, the possible counts of a turn by number. All answers of a scorer share the numbers. */
export interface Counts {
  readonly slots: Pick<ScoreClasses, 'slotOf'>
  readonly of: (counted: Counted) => ScoreClasses
  /** The column of a domain of which nothing fires. */
  readonly nothing: Column
}

export function createCounts(turns: number): Counts {
  const slots = createInterner<string>()
  const known = new Map<Counted, ScoreClasses>()
  return {
    slots: { slotOf: (name) => slots.idOf(name, () => name) },
    of: (counted) => keptIn(known, counted, createScoreClasses),
    nothing: new Uint16Array(turns),
  }
}

/** Numbers of signals by domain; null holds the anti-signals. */
export function numbersByCounted({
  belief: { set },
  signals,
}: Pipeline): ReadonlyMap<Counted, readonly number[]> {
  const owners = ownersOf(set)
  const found = new Map<Counted, number[]>()
  for (const { name } of set.domains) found.set(name, [])
  found.set(null, [])
  for (const number of signals.keys()) found.get(owners[number]?.name ?? null)?.push(number)
  return found
}

const MOST_SHORT = 0xffff

/** A column that widens if a number requires it. */
function createWriter(start: Column) {
  let cells = start
  return {
    at: (turn: number): number => cells[turn] ?? 0,
    put: (turn: number, value: number): void => {
      if (value > MOST_SHORT && cells instanceof Uint16Array) cells = Uint32Array.from(cells)
      cells[turn] = value
    },
    done: (): Column => cells,
  }
}

/** The column of these signals, computed from their matches. */
export function columnOf(
  { found, plan }: Firing,
  numbers: readonly number[],
  { counts, classes }: { readonly counts: Counts; readonly classes: ScoreClasses },
): Column {
  const turns = counts.nothing.length
  const rows = firedRows(
    turns,
    numbers.flatMap((number) => found[number] ?? []),
  )
  if (rows.numbers.length === 0) return counts.nothing
  const slots = rows.numbers.map((at) => plan.slots[numbers[at] ?? 0] ?? 0)
  const column = createWriter(new Uint16Array(turns))
  for (let turn = 0; turn < turns; turn += 1) {
    const from = rows.starts[turn] ?? 0
    const to = rows.starts[turn + 1] ?? 0
    if (to > from) column.put(turn, classes.classOf(slots, from, to))
  }
  return column.done()
}

/** Signals of one answer that were added or removed, with their matches there. */
export interface Shifted {
  readonly firing: Firing
  readonly numbers: readonly number[]
  readonly delta: 1 | -1
}

/** A column with signals taken away and put to it, on the turns before `until`. */
export function shiftedColumn(
  near: Column,
  shifts: readonly Shifted[],
  classes: ScoreClasses,
  until: number,
): Column {
  const column = createWriter(near.slice())
  for (const { firing, numbers, delta } of shifts)
    for (const number of numbers) {
      const slot = firing.plan.slots[number] ?? 0
      for (const turn of firing.found[number]?.posting ?? []) {
        if (turn >= until) break
        column.put(turn, classes.shifted(column.at(turn), slot, delta))
      }
    }
  return column.done()
}
