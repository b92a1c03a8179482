import { addTo, keptIn } from '../../maps.ts'
import type { CompiledSignal } from '../../matcher/signal.ts'
import { placeOfSignal, type Pipeline } from '../../pipeline.ts'
import type { CorpusFlip } from '../../schema/lab.ts'
import type { Posting, ScoredCorpus } from './corpus.ts'
import { commonEnds, placesBetween } from './common-ends.ts'
import { identityOf } from '../../matcher/identity.ts'
import { signalNames } from './signal-name.ts'

/** Does the signal fire on the turn? */
export function holds(posting: Posting, turn: number): boolean {
  let low = 0
  let high = posting.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((posting[middle] ?? 0) < turn) low = middle + 1
    else high = middle
  }
  return posting[low] === turn
}

const keys = new WeakMap<Pipeline, readonly string[]>()

/** A key for every signal: its domain and its pattern. A signal that only moved keeps its key. */
function keysOf(pipeline: Pipeline): readonly string[] {
  const keyOf = (signal: CompiledSignal, number: number): string =>
    `${placeOfSignal(pipeline, number).domain} ${identityOf(signal)}`
  return keptIn(keys, pipeline, () => pipeline.signals.map(keyOf))
}

/** A signal that may have fired on turns without any fired counterpart. */
interface Single {
  readonly key: string
  readonly name: string
  readonly posting: Posting
}

/** Numbers of signals that are left when those are left out that both answers have at their ends. */
function middles(
  a: ScoredCorpus,
  b: ScoredCorpus,
): readonly [readonly number[], readonly number[]] {
  const keysA = keysOf(a.pipeline)
  const keysB = keysOf(b.pipeline)
  const ends = commonEnds(
    keysA.length,
    keysB.length,
    (one, other) => keysA[one] === keysB[other] && a.posting(one) === b.posting(other),
  )
  return [placesBetween(ends, keysA.length), placesBetween(ends, keysB.length)]
}

/** Signals of `a`, of these numbers, without a counterpart in `b` that has the very same turns. */
function singles(
  [a, ofA]: readonly [ScoredCorpus, readonly number[]],
  [b, ofB]: readonly [ScoredCorpus, readonly number[]],
): readonly Single[] {
  const counterparts = new Map<string, Posting[]>()
  const keysA = keysOf(a.pipeline)
  const keysB = keysOf(b.pipeline)
  for (const number of ofB) addTo(counterparts, keysB[number] ?? '', b.posting(number))
  const names = signalNames(a.pipeline)
  return ofA.flatMap((number) => {
    const key = keysA[number] ?? ''
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
  const [ofA, ofB] = middles(a, b)
  const before = singles([a, ofA], [b, ofB])
  const after = singles([b, ofB], [a, ofA])
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
