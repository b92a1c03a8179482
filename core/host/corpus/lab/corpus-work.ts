import type { ScoredCorpus } from '../../../engine/lab/corpus/corpus.ts'
import type { Rescore } from '../../../engine/lab/scoring/rescore.ts'
import {
  type ScoredNow,
  type ScoreOptions,
  type Scorer,
  createScorer,
} from '../../../engine/lab/scoring/score-corpus.ts'
import { createLru } from '../../../engine/lru.ts'
import type { Pipeline } from '../../../engine/pipeline.ts'
import { keepAutomaton, offerAutomaton } from '../../automata/current.ts'
import { createCutOffBudget, sharedLosses } from '../../platform/guard/cut-off-budget.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { createBreath } from '../../platform/threads/yielding.ts'
import type { ReadCorpus } from './read-corpus.ts'
import { type Scanners, scanTogether } from '../scan/scan-together.ts'
import type { Waiting } from '../waiting.ts'
import { type LabWatch, watchLab } from '../watch.ts'

/** A corpus under any number of configurations, and long questions about it, in slices. */
export interface CorpusWork {
  /** Served from memory if the pipeline was scored before. `onPart`: as in the engine. */
  score(pipeline: Pipeline, waiting: Waiting & Pick<ScoreOptions, 'onPart'>): Promise<ScoredNow>
  /** Runs a question of the engine to its end. */
  run<T>(question: Generator<Step, T, undefined>, waiting: Waiting): Promise<T>
  /** Scores variants for questions. */
  readonly rescore: Rescore
  readonly watch: LabWatch
}

type Step = { readonly done: number; readonly total: number } | undefined

interface WorkOptions {
  /** [T61] Whether each scoring is its own run. */
  readonly renews?: boolean
  /** [L107] Other threads that look for signals too (default: none). */
  readonly scanners?: Scanners | undefined
}

/** Answers kept: both sides of a comparison, and the last drafts. */
const KEPT = 6

/**
 * [T40] Work on one corpus. Scorings run one after the other. Long questions run between them, step by step, so that an
 * edit never waits for an ablation. Between two slices the thread checks whether a caller still waits. Results found
 * until then are kept.
 */
export function createCorpusWork(
  { corpus }: Pick<ReadCorpus, 'corpus'>,
  limit: TimeLimit,
  { renews = false, scanners }: WorkOptions = {},
): CorpusWork {
  const budget = createCutOffBudget(scanners === undefined ? undefined : sharedLosses())
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

  /** [L107] Scans for many signals that were not scanned before, on all available threads. */
  async function lookTogether(pipeline: Pipeline, asked: Waiting): Promise<void> {
    const lacking = scanners === undefined ? null : scorer.lacking(pipeline)
    if (lacking === null || scanners === undefined || budget.shared === undefined) return
    if (corpus.chars < scanners.from) return
    const lost = budget.shared
    scorer.learn(lacking, await scanTogether(lacking, { scanners, watch, lost, ...asked }))
  }

  return {
    watch,
    // Runs without a pause inside, so that a question pauses only while the scorer is idle.
    rescore: function* (pipeline, previous) {
      yield { done: 0, total: 1 }
      return finish(scorer.score(pipeline, { previous, guard: watch.guard, now }))
    },
    run: (question, asked) => drive(question, asked, idle),
    score: (pipeline, asked) =>
      inTurn(async () => {
        // [T61] In the window, each edit is a separate run. A command is one run, regardless of how much it scores.
        if (renews) budget.renew()
        const known = scored.get(pipeline)
        const options = { previous: latest, guard: watch.guard, now, onPart: asked.onPart }
        if (known === undefined) {
          offerAutomaton(pipeline.signals)
          await lookTogether(pipeline, asked)
        }
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

/** Runs a generator in slices. Ends it when no caller waits anymore. */
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
    // Does nothing after the end. Before the end, the generator releases its resources. The value is not used.
    steps.return(undefined as never)
  }
}
