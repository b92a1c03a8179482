import type { Pipeline } from '../../pipeline.ts'
import type { ScoredCorpus } from '../corpus/corpus.ts'

/** Progress of a long computation. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/** A question that takes a while: yields its progress, so that the host can breathe, cancel and report. */
export type Work<T> = Generator<Progress, T, undefined>

/** Scores the same corpus under another pipeline, starting from what `previous` already knows. */
export type Rescore = (pipeline: Pipeline, previous: ScoredCorpus) => Work<ScoredCorpus>

/** Work that counts its steps, as work that says how far it is. */
export function* countedTo<T>(steps: Generator<number, T, undefined>, total: number): Work<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield { done: step.value, total }
  }
}

/** Runs a part of a larger question: the part's own progress shows as the step the whole has reached. */
export function* partOf<T>(part: Work<T>, at: Progress): Work<T> {
  for (;;) {
    const step = part.next()
    if (step.done === true) return step.value
    yield at
  }
}
