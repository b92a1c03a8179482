import type { DraftProblem, FlipReport } from '../../../engine/schema/lab.ts'
import type { Answer, Asked } from '../../../wire/method.ts'
import type { LabThreadContract } from '../../../wire/threads.ts'
import type { SideFailure, Sides } from '../../drafts/sides.ts'
import { configKeyOf } from '../../rules/pipelines.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import { reporting, throttled } from '../../platform/threads/yielding.ts'
import type { Waiting } from '../../corpus/waiting.ts'
import { flipReport } from './flip-report.ts'
import type { LabService } from '../../corpus/lab/service.ts'

type Asking = Asked<LabThreadContract, 'lab.flips'>
type Step = Answer<LabThreadContract, 'lab.flips'>

/** [T40] A newer question of the same corpus ends an older one, quietly. */
export async function* streamFlips(
  lab: LabService,
  sides: Sides,
  input: Asking,
  signal: AbortSignal,
): AsyncGenerator<Step, void> {
  const corpus = lab.get(input.corpus)
  const own = new AbortController()
  if (!input.aside) {
    corpus.flips.abort()
    corpus.flips = own
  }
  const either = AbortSignal.any([signal, own.signal])
  try {
    const whole = yield* reporting<Step, Step>(async (report) => {
      const start = performance.now()
      const base = await lab.resolve(input.base)
      const side = await sides.resolve(input.side)
      const configKey = configKeyOf(base.files)
      if (!side.ok)
        return { kind: 'flips', configKey, report: null, problems: problemsOf(side.error) }
      const { problems } = side.value
      const answerOf = (report: FlipReport): Step => ({
        kind: 'flips',
        configKey,
        report,
        problems,
      })
      const { work, read } = corpus
      const compileMs = performance.now() - start
      const comparison = { work, read, classify: read.classify, compileMs }
      const waiting = tellingOf(report, answerOf, either)
      const { onProgress } = waiting
      const asked = input.early ? waiting : { signal: either, onProgress }
      return answerOf(await flipReport(comparison, { base, side: side.value }, asked))
    })
    yield whole
  } catch (error) {
    if (!own.signal.aborted || signal.aborted) throw error
  }
}

/**
 * [L106] A report replaces an earlier one that has not been read yet. For that reason no progress follows the first
 * flips.
 */
function tellingOf(
  report: (step: Step) => void,
  answerOf: (flips: FlipReport) => Step,
  signal: AbortSignal,
): Required<Waiting> & { readonly onFirst: (flips: FlipReport) => void } {
  let isTold = false
  const progress = throttled((done, total) =>
    report({ kind: 'progress', phase: 'comparing', done, total }),
  )
  return {
    signal,
    onProgress: (done, total) => {
      if (!isTold) progress(done, total)
    },
    onFirst: (flips) => {
      isTold = true
      report(answerOf(flips))
    },
  }
}

/** The problems of the text. If the text causes none, throws the failure as a refusal. */
export function problemsOf({ problem, problems }: SideFailure): readonly DraftProblem[] {
  if (problems.length > 0) return problems
  throw refusal(problem)
}
