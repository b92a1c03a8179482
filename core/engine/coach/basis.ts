import { basisOf } from '../lab/metrics/basis.ts'
import type { FigureBasis } from '../schema/basis.ts'
import type { Judged } from './score.ts'

/** [V22] Source of the labelled outputs that ship; the rules were written on them. */
export const SHIPPED_SOURCE = 'shipped examples'

/**
 * [L100] The basis of figures about verdicts. `source` is the transcript (for labels of one transcript, the session) or
 * `SHIPPED_SOURCE`. Labels of outputs carry no reader names, so no ceiling is known.
 */
export function verdictBasis(
  judged: ReadonlyArray<Judged & { readonly source: string }>,
): FigureBasis {
  const turns = judged.map(({ source, label, verdict }) => ({
    source,
    expected: label,
    predicted: verdict,
    alternatives: [],
  }))
  return basisOf(turns, [SHIPPED_SOURCE], [])
}
