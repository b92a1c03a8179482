import { basisLines } from '../../engine/lab/metrics/basis-words.ts'
import { wilson } from '../../engine/lab/metrics/interval.ts'
import { abstainLines } from '../evaluate/evaluate-text.ts'
import type { LabMetrics } from '../../engine/schema/metrics.ts'
import type { Ratio } from '../../engine/schema/ratio.ts'

/** [L100] A part of a whole, never without its counts and Wilson's interval of 95 %: `12 of 14 (0.857, 0.601 to 0.960)`. */
function measuredText({ hits, of, value }: Ratio): string {
  const ends = wilson(hits, of)
  if (value === null || ends === null) return `${hits} of ${of}`
  return `${hits} of ${of} (${value.toFixed(3)}, ${ends.low.toFixed(3)} to ${ends.high.toFixed(3)})`
}

/** Measurements against labels, as readable text. */
export function metricsText(metrics: LabMetrics): string {
  const { macroF1, firstMatch } = metrics
  const domains = metrics.domains.map(
    ({ domain, precision, recall, f1 }) =>
      `  ${domain.padEnd(22)}precision ${measuredText(precision).padEnd(38)}recall ${measuredText(recall).padEnd(38)}F1 ${f1?.toFixed(3) ?? 'unknown'}`,
  )
  return [
    `labelled turns     ${metrics.labelled}`,
    `strict             ${measuredText(metrics.strict)}`,
    `with alternatives  ${measuredText(metrics.withAlternatives)}`,
    `forbidden          ${measuredText(metrics.forbidden)}`,
    `secondary          ${measuredText(metrics.secondary)}`,
    `macro F1           ${macroF1.value?.toFixed(3) ?? 'unknown'} over ${macroF1.of} domains`,
    `first match wins   ${measuredText(firstMatch.strict)}, with alternatives ${measuredText(firstMatch.withAlternatives)}`,
    ...(metrics.basis === null ? [] : basisLines(metrics.basis)),
    'intervals: Wilson, 95 %, turns taken as independent',
    ...domains,
    ...abstainLines(metrics.abstain ?? []),
  ].join('\n')
}
