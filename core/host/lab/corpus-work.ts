import type { ScoredCorpus } from '../../engine/lab/corpus.ts'
import type { Rescore } from '../../engine/lab/rescore.ts'
import {
  type ScoredNow,
  type ScoreOptions,
  type Scorer,
  createScorer,
} from '../../engine/lab/score-corpus.ts'
import { createLru } from '../../engine/lru.ts'
import type { Pipeline } from '../../engine/pipeline.ts'
import { keepAutomaton, offerAutomaton } from '../shared/automata/current.ts'
import { createCutOffBudget } from '../shared/cut-off-budget.ts'
import { type TimeLimit, attemptRun, moreTime } from '../shared/guard.ts'
import { createBreath } from '../shared/yielding.ts'
import type { ReadCorpus } from './read-corpus.ts'

export interface Waiting {
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}

/** A corpus under any number of configurations, and long questions about it, in slices. */
export interface CorpusWork {
  /** From memory where the pipeline was scored before. `onPart`: as the engine's. */
  score(pipeline: Pipeline, waiting: Waiting & Pick<ScoreOptions, 'onPart'>): Promise<ScoredNow>
  /** Runs a question of the engine to its end. */
  run<T>(question: Generator<Step, T, undefined>, waiting: Waiting): Promise<T>
  /** What questions score variants with. */
  readonly rescore: Rescore
  readonly watch: LabWatch
}

type Step = { readonly done: number; readonly total: number } | undefined

/** Answers kept: both sides of a comparison, and the last drafts. */
const KEPT = 6

/**
 * [T40] Work on one corpus. Scorings run one after the other; long questions go on between them,
 * step by step, so that an edit never waits for an ablation. Between two slices the thread looks
 * whether anybody still waits; what was found until then is kept.
 */
export function createCorpusWork(
  { corpus }: Pick<ReadCorpus, 'corpus'>,
  limit: TimeLimit,
  { renews = false }: { readonly renews?: boolean } = {},
): CorpusWork {
  const budget = createCutOffBudget()
  const scorer: Scorer = createScorer(corpus)
  const watch = watchLab(limit, budget)
  const scored = createLru<Pipeline, ScoredNow>(KEPT)
  const now = () => performance.now()
  let latest: ScoredCorpus | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function inTurn<T>(job: () => Promise<T>): Promise<T> {
    waiting += 1
    const result = last.then(job)
    last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      waiting -= 1
    }
  }

  /** The scorer does one thing at a time. */
  async function idle(): Promise<void> {
    while (waiting > 0) await last
  }

  function remember(pipeline: Pipeline, result: ScoredNow): void {
    scored.set(pipeline, result)
    latest = result
  }

  return {
    watch,
    // Whole, without a pause inside: then a question stands only where the scorer is at rest.
    rescore: function* (pipeline, previous) {
      yield { done: 0, total: 1 }
      return finish(scorer.score(pipeline, { previous, guard: watch.guard, now }))
    },
    run: (question, asked) => drive(question, asked, idle),
    score: (pipeline, asked) =>
      inTurn(async () => {
        // [T61] An edit in the window is a run of its own; a command is one run, whatever it scores.
        if (renews) budget.renew()
        const known = scored.get(pipeline)
        const options = { previous: latest, guard: watch.guard, now, onPart: asked.onPart }
        if (known === undefined) offerAutomaton(pipeline.signals)
        const result = known ?? (await drive(scorer.score(pipeline, options), asked))
        remember(pipeline, result)
        keepAutomaton(pipeline.signals)
        return result
      }),
  }
}

function finish<T>(steps: Generator<unknown, T, undefined>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Runs a generator in slices; ends it when nobody waits any more. */
async function drive<T>(
  steps: Generator<Step, T, undefined>,
  { signal, onProgress }: Waiting,
  ready: () => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  const breath = createBreath(signal)
  try {
    for (;;) {
      await ready()
      signal.throwIfAborted()
      const step = steps.next()
      if (step.done === true) return step.value
      if (step.value !== undefined) onProgress?.(step.value.done, step.value.total)
      await breath()
    }
  } finally {
    // A no-op after the end; before it, the generator lets go of what it holds; nobody reads the value.
    steps.return(undefined as never)
  }
}

/** The engine's guard over slices of texts, and how long the last runs that were cut off took. */
export interface LabWatch {
  readonly guard: (run: () => void, chars: number) => boolean
  /** Milliseconds of the last cut-off on texts of that size; 0 where there was none. */
  readonly elapsed: (chars: number) => number
}

/** The watchdog of the lab: what it finds out is kept and counted. */
export function watchLab(limit: TimeLimit, budget = createCutOffBudget()): LabWatch {
  const last = new Map<number, number>()
  const attempt = attemptRun(limit, budget)
  return {
    guard: (run, chars) => {
      const elapsed = attempt(run, moreTime.allPatterns(chars))
      if (elapsed !== null) last.set(chars, elapsed)
      return elapsed === null
    },
    elapsed: (chars) => last.get(chars) ?? 0,
  }
}
