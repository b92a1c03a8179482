import type { StepAwarenessBundle } from '../engine/schema/bundle.ts'
import type { BuildReport, BundleMeasure } from '../engine/schema/bundle-report.ts'

const WIDTH = 11

/** The tiers of a bundle as a table for people, then provenance and warnings. */
export function formatReport(
  bundle: StepAwarenessBundle,
  report: BuildReport,
  measures: readonly BundleMeasure[],
): string {
  const right = (cells: ReadonlyArray<string | number>) =>
    cells.map((cell) => String(cell).padStart(WIDTH)).join('')
  const sizes = (index: number) => measures.map(({ tiers }) => tiers[index]?.used ?? 0)
  const rows = report.tiers.map(
    ({ tier, limit, used, whole, why }, index) =>
      `${tier.padEnd(10)}${right([limit, used, whole, ...sizes(index)])}  ${why}`,
  )
  const names = measures.map(({ estimator }) => estimator)
  const over = measures.filter(({ overContext }) => overContext).map(({ estimator }) => estimator)
  return [
    `step        ${bundle.step_id} ${bundle.step_name}, run ${bundle.run_id}`,
    `grammar     ${bundle.context.grammar_name}`,
    `budget      ${report.used} of ${report.available} tokens by ${report.estimator}: context ${report.context}, ${report.generationReserve} kept for the answer`,
    `headroom    ${report.headroom}; everything fits at ${report.fitsAtContext}`,
    ...report.warnings.map((warning) => `warning     ${warning}`),
    ...(over.length === 0 ? [] : [`warning     over the context by ${over.join(', ')}`]),
    '',
    `${' '.repeat(10)}${right(['limit', 'used', 'whole', ...names])}`,
    ...rows,
    `${'prompt'.padEnd(10)}${right([report.available, report.used, '', ...measures.map(({ total }) => total)])}`,
    '',
    ...bundle.provenance.map(
      ({ path, sha256, size_bytes }) =>
        `${sha256.slice(0, 16).padEnd(17)}${String(size_bytes).padStart(10)}  ${path}`,
    ),
  ]
    .join('\n')
    .trimEnd()
}
