import { addTo } from '../../maps.ts'
import type { CompiledSignal } from '../../matcher/signal.ts'
import type { Pipeline } from '../../pipeline.ts'
import { identityOf } from '../../matcher/identity.ts'
import { createInterner } from '../corpus/interner.ts'
import { createNumberLists, type NumberLists } from '../../matcher/automaton/number-lists.ts'
import { createPairTable } from '../corpus/pair-table.ts'

/**
 * [T5] Score classes. Scores, and so all that follows, depend on how many signals of each domain fired
 * and on which anti-signals did, not on which signals: turns that agree in that are one class.
 */
export interface ScoreClasses {
  /** Number of a slot: a domain by name, or an anti-signal by its effect. */
  slotOf(name: string): number
  /** Class of a turn from the slots of all that fired on it, in any order, with repetitions. */
  classOf(slots: ArrayLike<number>, from: number, to: number): number
  /** Class after one more (`delta` 1) or one less (-1) of the slot. */
  shifted(one: number, slot: number, delta: 1 | -1): number
  /** A list of numbers of `pipeline.signals` that has this class: the first ones of every slot. */
  sample(one: number, plan: SlotPlan): readonly number[]
  /** By class: slot, count, slot, count …, ascending by slot. */
  readonly counts: Omit<NumberLists, 'idOf'>
  readonly size: number
}

/** Class in which nothing fired. */
export const EMPTY_CLASS = 0

/** The slots of a pipeline. */
export interface SlotPlan {
  /** Slot of every number of `pipeline.signals`. */
  readonly slots: Uint32Array
  /** Numbers by slot, ascending. */
  readonly numbers: ReadonlyMap<number, readonly number[]>
}

/** Signals of a domain share a slot if it makes no difference which of them fired (K14, K15). */
function slotName(domain: string, { weight, group, excludes }: CompiledSignal): string {
  const counts = weight === 1 && group === null && !excludes
  return `domain ${domain}${counts ? '' : ` ${JSON.stringify([weight, group, excludes])}`}`
}

/** The slots of a pipeline's signals. Anti-signals share a slot only if they have the same effect. */
export function planSlots(pipeline: Pipeline, classes: Pick<ScoreClasses, 'slotOf'>): SlotPlan {
  const { set, rules } = pipeline.belief
  const slots = new Uint32Array(pipeline.signals.length)
  const numbers = new Map<number, number[]>()
  const put = (number: number, slot: number): void => {
    slots[number] = slot
    addTo(numbers, slot, number)
  }
  for (const domain of set.domains) {
    for (const [index, signal] of domain.signals.entries())
      put(domain.firstSignal + index, classes.slotOf(slotName(domain.name, signal)))
  }
  const first = set.signals.length
  for (const [index, signal] of pipeline.signals.slice(first).entries()) {
    const anti = rules.options.antiSignals[index]
    const does = JSON.stringify([identityOf(signal), anti?.domains, anti?.factor])
    put(first + index, classes.slotOf(`anti ${does}`))
  }
  return { slots, numbers }
}

/** Numbers of `pipeline.signals` that have this class: the first ones of every slot. */
function sampleOf(counts: NumberLists, one: number, { numbers }: SlotPlan): readonly number[] {
  const fired: number[] = []
  for (let at = counts.startOf(one); at < counts.endOf(one); at += 2)
    fired.push(...(numbers.get(counts.at(at)) ?? []).slice(0, counts.at(at + 1)))
  return fired.sort((a, b) => a - b)
}

/** A reusable list of numbers, rewritten for every class. Grows if necessary. */
function createScratch() {
  let cells = new Uint32Array(64)
  let length = 0
  return {
    clear: (): void => {
      length = 0
    },
    put: (slot: number, count: number): void => {
      if (length + 2 > cells.length) {
        const larger = new Uint32Array(cells.length * 2)
        larger.set(cells)
        cells = larger
      }
      cells[length] = slot
      cells[length + 1] = count
      length += 2
    },
    idIn: (lists: NumberLists): number => lists.idOf(cells, length),
  }
}

export function createScoreClasses(): ScoreClasses {
  const slotIds = createInterner<string>()
  // Counts by slot, ascending by slot: slot, count, slot, count …
  const counts = createNumberLists()
  const shifts = createPairTable()
  const tally: number[] = []
  const scratch = createScratch()
  scratch.idIn(counts)

  /** The counts of a class with `delta` more of the slot. */
  function shift(one: number, slot: number, delta: number): number {
    const end = counts.endOf(one)
    let at = counts.startOf(one)
    scratch.clear()
    for (; at < end && counts.at(at) < slot; at += 2) scratch.put(counts.at(at), counts.at(at + 1))
    const isThere = at < end && counts.at(at) === slot
    const after = (isThere ? counts.at(at + 1) : 0) + delta
    if (after < 0) throw new RangeError('a signal that did not fire is taken away')
    if (after > 0) scratch.put(slot, after)
    for (at += isThere ? 2 : 0; at < end; at += 2) scratch.put(counts.at(at), counts.at(at + 1))
    return scratch.idIn(counts)
  }

  return {
    get size() {
      return counts.size
    },
    counts,
    slotOf: (name) => slotIds.idOf(name, () => name),
    classOf: (slots, from, to) => {
      const touched: number[] = []
      for (let at = from; at < to; at += 1) {
        const slot = slots[at] ?? 0
        const count = tally[slot] ?? 0
        if (count === 0) touched.push(slot)
        tally[slot] = count + 1
      }
      touched.sort((a, b) => a - b)
      scratch.clear()
      for (const slot of touched) {
        scratch.put(slot, tally[slot] ?? 0)
        tally[slot] = 0
      }
      return scratch.idIn(counts)
    },
    shifted: (one, slot, delta) => {
      const kind = slot * 2 + (delta === 1 ? 1 : 0)
      const known = shifts.get(one, kind)
      if (known >= 0) return known
      const next = shift(one, slot, delta)
      shifts.add(one, kind, next)
      return next
    },
    sample: (one, plan) => sampleOf(counts, one, plan),
  }
}
