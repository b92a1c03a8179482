import { addTo } from '../maps.ts'
import type { CompiledSignal } from '../matcher/signal.ts'
import type { Pipeline } from '../pipeline.ts'
import { identityOf } from '../matcher/identity.ts'
import { createInterner } from './interner.ts'
import { createPairTable } from './pair-table.ts'

/**
 * [T5] Score classes. Scores, and so all that follows, depend on how many signals of each domain fired
 * and on which anti-signals did, not on which signals: turns that agree in that are one class.
 */
export interface ScoreClasses {
  /** Number of a slot: a domain by name, or an anti-signal by what it does. */
  slotOf(name: string): number
  /** Class of a turn from the slots of all that fired on it, in any order, with repetitions. */
  classOf(slots: ArrayLike<number>, from: number, to: number): number
  /** Class after one more (`delta` 1) or one less (-1) of the slot. */
  shifted(one: number, slot: number, delta: 1 | -1): number
  /** A list of numbers of `pipeline.signals` that has this class: the first ones of every slot. */
  sample(one: number, plan: SlotPlan): readonly number[]
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

/** Signals of a domain share a slot where it makes no difference which of them fired (K14, K15). */
function slotName(domain: string, { weight, group, excludes }: CompiledSignal): string {
  const counts = weight === 1 && group === null && !excludes
  return `domain ${domain}${counts ? '' : ` ${JSON.stringify([weight, group, excludes])}`}`
}

/** The slots of a pipeline's signals. Anti-signals share one only where they do the same. */
export function planSlots(pipeline: Pipeline, classes: ScoreClasses): SlotPlan {
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

/** Counts by slot, ascending by slot: slot, count, slot, count … */
type Counts = readonly number[]

function shift(counts: Counts, slot: number, delta: number): Counts {
  const shifted: number[] = []
  let before = 0
  for (let at = 0; at < counts.length; at += 2) {
    const [own = 0, count = 0] = [counts[at], counts[at + 1]]
    if (own === slot) before = count
    else shifted.push(own, count)
  }
  const after = before + delta
  if (after < 0) throw new RangeError('a signal that did not fire is taken away')
  if (after === 0) return shifted
  let at = 0
  while (at < shifted.length && (shifted[at] ?? 0) < slot) at += 2
  shifted.splice(at, 0, slot, after)
  return shifted
}

export function createScoreClasses(): ScoreClasses {
  const slotIds = createInterner<string>()
  const classes = createInterner<Counts>()
  const shifts = createPairTable()
  const tally: number[] = []
  // Counts and slots stay far below 65,536: a domain file has at most some thousands of signals.
  const intern = (counts: Counts): number =>
    classes.idOf(String.fromCharCode(...counts), () => counts)
  intern([])

  return {
    get size() {
      return classes.size
    },
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
      const counts: number[] = []
      for (const slot of touched) {
        counts.push(slot, tally[slot] ?? 0)
        tally[slot] = 0
      }
      return intern(counts)
    },
    shifted: (one, slot, delta) => {
      const kind = slot * 2 + (delta === 1 ? 1 : 0)
      const known = shifts.get(one, kind)
      if (known >= 0) return known
      const next = intern(shift(classes.at(one), slot, delta))
      shifts.add(one, kind, next)
      return next
    },
    sample: (one, { numbers }) => {
      const counts = classes.at(one)
      const fired: number[] = []
      for (let at = 0; at < counts.length; at += 2)
        fired.push(...(numbers.get(counts[at] ?? 0) ?? []).slice(0, counts[at + 1]))
      return fired.sort((a, b) => a - b)
    },
  }
}
