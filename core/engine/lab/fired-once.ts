import { addTo, keptIn } from '../maps.ts'
import type { CompiledSignal } from '../matcher/signal.ts'
import { placeOfSignal, type Pipeline } from '../pipeline.ts'
import type { CorpusFlip } from '../schema/lab.ts'
import type { Posting, ScoredCorpus } from './corpus.ts'
import { identityOf } from '../matcher/identity.ts'
import { signalNames } from './signal-name.ts'

/** Does the signal fire on the turn? */
export function holds(posting: Posting, turn: number): boolean {
  let [low, high] = [0, posting.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((posting[middle] ?? 0) < turn) low = middle + 1
    else high = middle
  }
  return posting[low] === turn
}

const keys = new WeakMap<Pipeline, readonly string[]>()

/** A key for every signal: its domain and what it matches. A signal that only moved keeps its key. */
function keysOf(pipeline: Pipeline): readonly string[] {
  const keyOf = (signal: CompiledSignal, number: number): string =>
    `${placeOfSignal(pipeline, number).domain} ${identityOf(signal)}`
  return keptIn(keys, pipeline, () => pipeline.signals.map(keyOf))
}

/** A signal that may have fired on turns where no counterpart of it fired. */
interface Single {
  readonly key: string
  readonly name: string
  readonly posting: Posting
}

/** Signals of `a` without a counterpart in `b` that has the very same turns. */
function singles(a: ScoredCorpus, b: ScoredCorpus): readonly Single[] {
  const counterparts = new Map<string, Posting[]>()
  for (const [number, key] of keysOf(b.pipeline).entries())
    addTo(counterparts, key, b.posting(number))
  const names = signalNames(a.pipeline)
  return keysOf(a.pipeline).flatMap((key, number) => {
    const posting = a.posting(number)
    // Each counterpart is used once: if one of two equal signals was deleted, the other one has none.
    return counterparts.get(key)?.pop() === posting
      ? []
      : [{ key, name: names[number] ?? '', posting }]
  })
}

/**
 * [T8] Names of the signals that fired on one side only of a turn. One that only moved, or whose
 * pattern was edited in place and that fired on both sides, is neither gained nor lost.
 */
export function createFiredOnce(
  a: ScoredCorpus,
  b: ScoredCorpus,
): (turn: number) => Pick<CorpusFlip, 'gained' | 'lost'> {
  const before = singles(a, b)
  const after = singles(b, a)
  const only = (own: readonly Single[], others: readonly Single[]): string[] =>
    own
      .filter((one) => !others.some(({ key, name }) => key === one.key || name === one.name))
      .map(({ name }) => name)
  return (turn) => {
    const was = before.filter(({ posting }) => holds(posting, turn))
    const is = after.filter(({ posting }) => holds(posting, turn))
    return { lost: only(was, is), gained: only(is, was) }
  }
}
