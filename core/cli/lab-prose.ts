import { abstainLines } from './evaluate-text.ts'
import type { LabMetrics } from '../engine/schema/lab.ts'
import type { Ratio } from '../engine/schema/ratio.ts'

/** A part of a whole, never without its counts: `12 of 14 (0.857)`. */
export function ratioText({ hits, of, value }: Ratio): string {
  return value === null ? `${hits} of ${of}` : `${hits} of ${of} (${value.toFixed(3)})`
}

/** What labels say, for people. */
export function metricsText(metrics: LabMetrics): string {
  const { macroF1, firstMatch, mostFrequent } = metrics
  const frequent = `${mostFrequent.hits} of ${mostFrequent.of}, always ${mostFrequent.domain ?? 'nothing'}`
  const domains = metrics.domains.map(
    ({ domain, precision, recall, f1 }) =>
      `  ${domain.padEnd(22)}precision ${ratioText(precision).padEnd(20)}recall ${ratioText(recall).padEnd(20)}F1 ${f1?.toFixed(3) ?? 'unknown'}`,
  )
  return [
    `labelled turns     ${metrics.labelled}`,
    `strict             ${ratioText(metrics.strict)}`,
    `with alternatives  ${ratioText(metrics.withAlternatives)}`,
    `forbidden          ${ratioText(metrics.forbidden)}`,
    `secondary          ${ratioText(metrics.secondary)}`,
    `macro F1           ${macroF1.value?.toFixed(3) ?? 'unknown'} over ${macroF1.of} domains`,
    `first match wins   ${ratioText(firstMatch.strict)}, with alternatives ${ratioText(firstMatch.withAlternatives)}`,
    `most frequent      ${frequent}`,
    ...domains,
    ...abstainLines(metrics.abstain ?? []),
  ].join('\n')
}
