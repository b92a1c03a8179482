import type { CompiledSignal } from '../../matcher/signal.ts'
import { placeOfSignal, type Pipeline } from '../../pipeline.ts'
import type { AblationRow } from '../../schema/lab.ts'
import type { CorpusLabels, Posting, ScoredCorpus } from '../corpus/corpus.ts'
import { identityOf } from '../../matcher/identity.ts'
import { patchPipeline } from '../why/patch.ts'
import { primaryFlips } from '../flips/flips.ts'
import { partOf, type Rescore, type Work } from '../scoring/rescore.ts'

/** Turns on which the missing match is looked for: the first, the middle and the last. */
function someOf(posting: Posting): readonly number[] {
  const last = posting.length - 1
  return [0, last >> 1, last].flatMap((at) => posting[at] ?? [])
}

/**
 * Checks that the deletion took place; otherwise the signal would look like one without effect. All
 * other signals must be there in their order, and turns on which it fired must have one match fewer.
 */
function assertGone(before: ScoredCorpus, after: ScoredCorpus, number: number): void {
  const left = before.pipeline.signals.toSpliced(number, 1)
  const { signals } = after.pipeline
  // Compared by identity, because anti-signals belong to the preset and are recompiled with it.
  const isSame = (one: CompiledSignal, at: number): boolean => {
    const other = signals[at]
    return other !== undefined && identityOf(one) === identityOf(other)
  }
  const gone = signals.length === left.length && left.every(isSame)
  const fewer = (turn: number): boolean =>
    after.fired(turn).length === before.fired(turn).length - 1
  if (!gone || !someOf(before.posting(number)).every(fewer))
    throw new Error(`the deletion of signal ${number} did not land`)
}

function rowOf(
  before: ScoredCorpus,
  after: ScoredCorpus,
  number: number,
  labels: CorpusLabels,
): AblationRow {
  const { turns, fixed, broken } = primaryFlips(before, after, labels)
  return {
    ...idleRow(before.pipeline, number),
    fixed,
    broken,
    flips: turns.length,
    fired: before.posting(number).length,
  }
}

/** The row of a signal that fired nowhere: deleting it changes nothing. */
function idleRow(pipeline: Pipeline, number: number): AblationRow {
  const { domain, index } = placeOfSignal(pipeline, number)
  const { id, pattern } = pipeline.signals[number] ?? { id: null, pattern: '' }
  return { domain, index, id, pattern, fired: 0, flips: 0, broken: 0, fixed: 0 }
}

/**
 * [T16] Removes every signal of a domain individually and decides the corpus again, including momentum. Reports turns
 * whose primary changes, and labelled turns that become wrong or right (T10). A signal whose deletion changes no
 * labelled turn is untested. Throws if a deletion did not take place.
 */
export function* ablate(
  scored: ScoredCorpus,
  labels: CorpusLabels,
  rescore: Rescore,
): Work<readonly AblationRow[]> {
  const total = scored.pipeline.belief.set.signals.length
  const rows: AblationRow[] = []
  for (let number = 0; number < total; number += 1) {
    const at = { done: number, total }
    yield at
    if (scored.posting(number).length === 0) {
      rows.push(idleRow(scored.pipeline, number))
      continue
    }
    const without = patchPipeline(scored.pipeline, { without: new Set([number]) })
    const after = yield* partOf(rescore(without, scored), at)
    assertGone(scored, after, number)
    rows.push(rowOf(scored, after, number, labels))
  }
  return rows
}
