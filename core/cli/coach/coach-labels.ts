import { verdictBasis } from '../../engine/coach/basis.ts'
import { scoreVerdicts } from '../../engine/coach/score.ts'
import { OUTPUTS, basisLines } from '../../engine/lab/metrics/basis-words.ts'
import { measured } from '../../engine/lab/queue/precision.ts'
import { measuredWords } from '../../engine/lab/queue/words.ts'
import type { CoachOutput } from '../../engine/schema/coach-wire.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'

type Shown = Pick<Immutable<CoachOutput>, 'label' | 'verdict'>

/** A labelled output with its verdict and where it is from: its file, or (of one file) its session. */
export type Labelled = Parameters<typeof verdictBasis>[0][number]

/** The outputs that have a label. */
export function labelledOf(judged: readonly Shown[]): ReadonlyArray<Omit<Labelled, 'source'>> {
  return judged.flatMap(({ label, verdict }) =>
    label === null ? [] : [{ label: label.type, verdict: verdict.type }],
  )
}

/** [V22] [L100] How the verdicts of a session agree with its labels, with the same words for a share as everywhere. */
export function agreementLine(judged: readonly Shown[]): string {
  const { type, rejectsPassed, questionsContinued } = scoreVerdicts(labelledOf(judged))
  const harm = `rejects passed ${rejectsPassed.hits}/${rejectsPassed.of}, questions continued ${questionsContinued.hits}/${questionsContinued.of}`
  const agreed = measuredWords(measured(type.hits, type.of))
  return `labels: ${type.hits}/${type.of} agree, ${agreed}; ${harm}\n`
}

/** [L100] What the figures about labels stand on, for all files together. */
export function basisText(labelled: readonly Labelled[]): string {
  const lines = basisLines(verdictBasis(labelled), OUTPUTS)
  return ['labels of all files:', ...lines.map((line) => `  ${line}`)].join('\n')
}
