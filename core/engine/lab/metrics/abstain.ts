import { ambiguityOf, isWithin } from '../../belief/ambiguity.ts'
import type { Scored } from '../../belief/score.ts'
import type { AbstainRow } from '../../schema/metrics.ts'
import type { ScoredCorpus } from '../corpus/corpus.ts'
import { byFold, type SourcedTurn, spread } from './fold-metrics.ts'
import { insideOf } from '../scoring/inside.ts'
import { wilson } from './interval.ts'
import { ratio, sharesRight } from './metrics.ts'

/** A judged turn with how clear its text was. */
export interface LedTurn extends SourcedTurn {
  /** [B20] Score of the first domain minus score of the second; null: fewer than two compete. */
  readonly lead: number | null
}

/** Margins of the table; null: every turn is answered. */
export const MARGINS = [null, 0, 1, 2, 3] as const

function rowOf(
  turns: readonly LedTurn[],
  folds: ReadonlyArray<readonly LedTurn[]>,
  margin: number | null,
): AbstainRow {
  const isAnswered = ({ lead }: LedTurn) => margin === null || !isWithin(lead, margin)
  const answered = turns.filter(isAnswered)
  const { strict, withAlternatives } = sharesRight(answered)
  const byFolds = folds.map((fold) => sharesRight(fold.filter(isAnswered)).strict.value)
  return {
    margin,
    answered: ratio(answered.length, turns.length),
    strict,
    interval: wilson(strict.hits, strict.of),
    withAlternatives,
    folds: spread(byFolds),
  }
}

/**
 * [L95] Risk against coverage: for each margin of B20, the share of turns that would be answered, and the share that is
 * right among those. The latter has its interval and its spread over folds of whole sources (L71). A turn without
 * competing domains counts as answered, even if no signal fired.
 */
export function riskCoverage(turns: readonly LedTurn[]): readonly AbstainRow[] {
  const groups = [...byFold(turns).values()]
  // One fold says nothing of other sources.
  const folds = groups.length < 2 ? [] : groups
  return MARGINS.map((margin) => rowOf(turns, folds, margin))
}

/** The scores of a turn's text. If the answer has classes, they are read per class, because many turns share one. */
function scoresOf(scored: ScoredCorpus): (turn: number) => Scored {
  const inside = insideOf(scored)
  if (inside === undefined) return (turn) => scored.decided(turn).scored
  return inside.rules.scored
}

/** [B24] Turns of a corpus that are marked ambiguous; null: the preset names no margin. */
export function countAmbiguous(
  scored: ScoredCorpus,
  skipped: ReadonlySet<number> = new Set(),
): number | null {
  const { options } = scored.pipeline.belief.rules
  if ((options.abstainMargin ?? null) === null) return null
  const ofText = scoresOf(scored)
  let found = 0
  for (let turn = 0; turn < scored.corpus.turns; turn += 1)
    found += skipped.has(turn) || ambiguityOf(ofText(turn), options) === null ? 0 : 1
  return found
}
