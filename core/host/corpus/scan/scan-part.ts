import { createGrowing } from '../../../engine/lab/corpus/growing.ts'
import { type Found, scanMany } from '../../../engine/lab/corpus/scan-turns.ts'
import type { TextView } from '../../../engine/lab/corpus/text-view.ts'
import { keptIn } from '../../../engine/maps.ts'
import type { CompiledSignal } from '../../../engine/matcher/signal.ts'
import type { LabWatch } from '../watch.ts'

/** A cut-off of a signal. */
interface PartCut {
  /** Index into the list of signals. */
  readonly signal: number
  readonly turn: number
  readonly chars: number
  readonly elapsedMs: number
}

/** Matches on a range of consecutive turns. */
export interface ScannedPart {
  readonly from: number
  /** Index of a signal and a turn that it matches, and so on; ascending by signal, then by turn. */
  readonly matches: Uint32Array
  readonly cut: readonly PartCut[]
}

/** Some of the signals of a job. */
interface Some {
  /** Their indexes in the job. */
  readonly numbers: readonly number[]
  readonly signals: readonly CompiledSignal[]
}

/** Lists without the signals that are off; such a list stays the same one, because automata are kept by list. */
export function createLists(signals: readonly CompiledSignal[]): (off: readonly number[]) => Some {
  const known = new Map<string, Some>()
  return (off) => {
    const without = new Set(off)
    const numbers = [...signals.keys()].filter((at) => !without.has(at))
    return keptIn(known, numbers.join(','), () => ({
      numbers,
      signals: numbers.flatMap((at) => signals[at] ?? []),
    }))
  }
}

/** Looks for signals on the turns from `from` to `end` of a view. */
export function* scanPart(
  { numbers, signals }: Some,
  { view, from, end }: { readonly view: TextView; readonly from: number; readonly end: number },
  { guard, elapsed }: LabWatch,
): Generator<number, ScannedPart, undefined> {
  const turns = Uint32Array.from({ length: end - from }, (_, at) => from + at)
  const found = yield* scanMany(signals, view, turns, guard)
  const matches = createGrowing(1024)
  for (const [at, { posting }] of found.entries())
    for (const turn of posting) {
      matches.push(numbers[at] ?? 0)
      matches.push(turn)
    }
  const cut = found.flatMap((one, at) =>
    one.cut.map(({ turn, chars }) => {
      return { signal: numbers[at] ?? 0, turn, chars, elapsedMs: elapsed(chars) }
    }),
  )
  return { from, matches: matches.done(), cut }
}

/**
 * [T9] Parts, which are all turns from 0 on, as if one thread had looked for the signals in order: a signal
 * that was cut off matches nothing from its first cut-off on.
 */
export function joinParts(parts: readonly ScannedPart[], signals: number): readonly Found[] {
  const ordered = parts.toSorted((a, b) => a.from - b.from)
  const cuts = Array.from({ length: signals }, (): Found['cut'] => [])
  for (const { cut } of ordered)
    for (const { signal, turn, chars } of cut)
      if (cuts[signal]?.length === 0) cuts[signal] = [{ turn, chars }]
  const postings = cuts.map(() => createGrowing())
  for (const { matches } of ordered)
    for (let at = 0; at < matches.length; at += 2) {
      const signal = matches[at] ?? 0
      const turn = matches[at + 1] ?? 0
      if (turn < (cuts[signal]?.[0]?.turn ?? Infinity)) postings[signal]?.push(turn)
    }
  return postings.map((posting, signal) => ({ posting: posting.done(), cut: cuts[signal] ?? [] }))
}
