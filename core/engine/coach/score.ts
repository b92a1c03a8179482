import type { CoachScore } from '../schema/coach-wire.ts'
import { OutputType } from '../schema/coach.ts'
import { passes } from './message.ts'

/** A label and the verdict on the same output. */
export interface Judged {
  readonly label: OutputType
  readonly verdict: OutputType
}

interface Share {
  hits: number
  of: number
}

/**
 * [V22] Measures agreement of verdicts with labels. Two harmful errors are counted separately: rejects that were passed
 * (of outputs labelled `status`), and questions that were continued (of outputs labelled `question`, how many went back
 * to the agent).
 */
export function scoreVerdicts(judged: readonly Judged[]): CoachScore {
  const share = (of: readonly Judged[], hit: (one: Judged) => boolean): Share => ({
    hits: of.filter(hit).length,
    of: of.length,
  })
  const labelled = (type: OutputType) => judged.filter((one) => one.label === type)
  const right = (one: Judged) => one.label === one.verdict
  const back = ({ verdict }: Judged) => !passes({ type: verdict })
  return {
    labelled: judged.length,
    type: share(judged, right),
    passOrBack: share(
      judged,
      ({ label, verdict }) => passes({ type: label }) === passes({ type: verdict }),
    ),
    rejectsPassed: share(labelled('status'), (one) => !back(one)),
    questionsContinued: share(labelled('question'), back),
    types: OutputType.options.map((type) => ({
      type,
      precision: share(
        judged.filter((one) => one.verdict === type),
        right,
      ),
      recall: share(labelled(type), right),
    })),
    confusion: OutputType.options.flatMap((label) =>
      OutputType.options.flatMap((verdict) => {
        const count = judged.filter((one) => one.label === label && one.verdict === verdict).length
        return count === 0 ? [] : [{ label, verdict, count }]
      }),
    ),
  }
}
