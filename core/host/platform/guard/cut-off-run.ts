import { identityOf } from '../../../engine/matcher/identity.ts'
import type { Pipeline } from '../../../engine/pipeline.ts'
import { type CutOffBudget, createCutOffBudget } from './cut-off-budget.ts'
import { withoutSignals } from './watchdog.ts'

/** A pattern that was cut off: which one, on a text of which size, after how long. */
export interface CutOff {
  readonly domain: string
  /** Index into the domain's signals. */
  readonly signal: number
  readonly pattern: string
  /** UTF-16 units of the text. */
  readonly chars: number
  readonly elapsedMs: number
}

/** Patterns known to hang, for a whole run: several sessions, several configurations. */
export interface CutOffRun {
  readonly budget: CutOffBudget
  /** Disables a signal of the pipeline for the rest of the run, and reports it immediately. */
  cutOff(pipeline: Pipeline, number: number, what: CutOff): void
  /** Numbers of the pipeline's signals that are off. */
  offIn(pipeline: Pipeline): ReadonlySet<number>
  /** The pipeline without them. */
  without(pipeline: Pipeline): Pipeline
}

/**
 * [T61] A pattern that hung once is disabled until the run ends, in every domain and file that uses it. `tell` is
 * called immediately at the first cut-off of a pattern.
 */
export function createCutOffRun(tell: (what: CutOff) => void = () => undefined): CutOffRun {
  const off = new Set<string>()
  const known = new WeakMap<Pipeline, { readonly size: number; readonly numbers: Set<number> }>()
  const lesser = new WeakMap<ReadonlySet<number>, Pipeline>()

  function offIn(pipeline: Pipeline): ReadonlySet<number> {
    const before = known.get(pipeline)
    if (before?.size === off.size) return before.numbers
    const numbers = new Set(
      pipeline.signals.flatMap((signal, number) => (off.has(identityOf(signal)) ? [number] : [])),
    )
    known.set(pipeline, { size: off.size, numbers })
    return numbers
  }

  return {
    budget: createCutOffBudget(),
    offIn,
    cutOff: (pipeline, number, what) => {
      const signal = pipeline.signals[number]
      if (signal === undefined) return
      const identity = identityOf(signal)
      if (off.has(identity)) return
      off.add(identity)
      tell(what)
    },
    without: (pipeline) => {
      const numbers = offIn(pipeline)
      const made = lesser.get(numbers) ?? withoutSignals(pipeline, numbers)
      lesser.set(numbers, made)
      return made
    },
  }
}
