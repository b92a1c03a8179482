import { leadOf } from '../../belief/ambiguity.ts'
import type { LabMetrics } from '../../schema/metrics.ts'
import { basisOf, type LabelOrigin } from './basis.ts'
import { riskCoverage } from './abstain.ts'
import { firesOf, type CorpusLabels, type ScoredCorpus } from '../corpus/corpus.ts'
import { answerFor, isForbidden } from './label.ts'
import { firstMatch, measure, mostFrequent, ratio } from './metrics.ts'

/** The labelled turns of the corpus, each with its decision. */
function judgedTurns(scored: ScoredCorpus, labels: CorpusLabels) {
  const { defaultDomain } = scored.pipeline.belief.rules.options
  const name = (place: number | undefined): string | null => scored.domains[place ?? -1] ?? null
  return [...labels]
    .filter(([turn]) => turn < scored.corpus.turns)
    .sort(([a], [b]) => a - b)
    .map(([turn, label]) => {
      const fires = firesOf(scored, turn)
      const alone = scored.decided(turn).scored
      const predicted = answerFor(label, { primary: name(scored.primary[turn]) ?? '', fires })
      return {
        turn,
        label,
        expected: label.primary,
        alternatives: label.acceptable ?? [],
        predicted,
        fires,
        secondary: name(scored.secondary[turn]),
        first: firstMatch(alone.scores, defaultDomain),
        lead: leadOf(alone),
      }
    })
}

/** [L95] [L100] Figures for other sources, both over the same folds of whole sources. */
function bySource(
  scored: ScoredCorpus,
  judged: ReturnType<typeof judgedTurns>,
  { sourceOf, readings }: LabelOrigin,
): Pick<LabMetrics, 'basis' | 'abstain'> {
  const { rules, set } = scored.pipeline.belief
  const turns = judged.map((one) => ({ ...one, source: sourceOf(one.turn), fold: null }))
  const basis = basisOf(turns, set.madeFrom, readings)
  return rules.allTogether ? { basis } : { basis, abstain: [...riskCoverage(turns)] }
}

/**
 * [T11] Metrics of a configuration by its labels. `forbidden` counts among labelled turns that forbid something.
 * `secondary` counts among those that name a second domain, or state that there is none. Baselines use the same turns
 * and the same matches: the first domain by priority with any match (no counting, no momentum), and always the most
 * frequent label.
 */
export function measureCorpus(
  scored: ScoredCorpus,
  labels: CorpusLabels,
  origin: LabelOrigin | null = null,
): LabMetrics {
  const judged = judgedTurns(scored, labels)
  const { strict, withAlternatives, macroF1, domains, confusion } = measure(judged)
  const forbidding = judged.filter(({ label }) => (label.forbidden ?? []).length > 0)
  const hit = forbidding.filter((one) =>
    isForbidden(one.label, one.predicted, one.secondary, one.fires),
  )
  const seconds = judged.filter(({ label }) => label.secondary !== undefined)
  const same = seconds.filter((one) => one.label.secondary === one.secondary)
  const first = measure(judged.map((one) => ({ ...one, predicted: one.first })))
  const frequent = mostFrequent(judged)
  return {
    labelled: judged.length,
    strict,
    withAlternatives,
    forbidden: ratio(hit.length, forbidding.length),
    secondary: ratio(same.length, seconds.length),
    macroF1,
    domains,
    confusion,
    firstMatch: { strict: first.strict, withAlternatives: first.withAlternatives },
    mostFrequent: { domain: frequent.domain, hits: frequent.hits, of: frequent.of },
    ...(origin === null ? { basis: null } : bySource(scored, judged, origin)),
  }
}
