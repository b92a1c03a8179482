import type { BuildReport } from '../../../core/engine/schema/bundle-report.ts'
import { count, counted } from '../../ui/format.ts'
import { barOfReport, TierBar, TierKey } from './tier-bar.tsx'

/** The whole prompt against its context: number, bar, names and problems. */
export function BudgetHead({ report }: { readonly report: BuildReport }) {
  const bar = barOfReport(report)
  return (
    <>
      <p className="verdict-title num">
        {count(report.used)}
        <span className="verdict-plus">
          of {count(Math.max(0, report.available))} tokens
          {report.available < 0 && ' (the answer takes more than the context has)'}
        </span>
      </p>
      <TierBar bar={bar} />
      <TierKey bar={bar} />
      {report.tier0OverContext && (
        <p className="bundle-alert pad-9-12 text-s">
          <strong>Tier 0 alone is over the context</strong>
          {` by ${counted(-report.headroom, 'token')}. It is never cut, so nothing else is in, and a model would refuse this prompt. It fits a context of ${count(report.tiers[0]?.fitsAtContext ?? 0)}.`}
        </p>
      )}
      {report.overflow && !report.tier0OverContext && (
        <p className="warning">
          Something did not fit. Everything does in a context of {count(report.fitsAtContext)}
          {', with caps as listed below.'}
        </p>
      )}
    </>
  )
}
