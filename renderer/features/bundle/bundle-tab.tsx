import type { BuiltStep } from '../../../core/engine/schema/bundle-wire.ts'
import { dayOf, timeOf } from '../../ui/format.ts'
import { Chip } from '../../ui/parts.tsx'
import { BundleView } from './bundle-view.tsx'
import { OfStep, StepHead } from './of-step.tsx'

/** The bundle of the selected step. */
export function BundleTab() {
  return (
    <OfStep>
      {({ seq, built }) => (
        <>
          <div className="verdict">
            <StepHead seq={seq} />
            <BundleTitle built={built} />
          </div>
          <BundleView key={seq} built={built} />
        </>
      )}
    </OfStep>
  )
}

/** Name of the step, what became of its prompt, and when the bundle was made. */
export function BundleTitle({ built }: { readonly built: BuiltStep }) {
  const { bundle, report, recorded } = built
  const at = Date.parse(bundle.generated_at)
  return (
    <>
      <p className="verdict-title mono-title break-words">{bundle.step_name}</p>
      <p className="bundle-facts row wrap text-s gap-5">
        {report.tier0OverContext ? (
          <Chip tone="bad">✕ tier 0 over the context</Chip>
        ) : report.overflow ? (
          <Chip tone="warn">▼ something is cut</Chip>
        ) : (
          <Chip tone="good">✓ whole</Chip>
        )}
        {recorded && (
          <Chip tone={recorded.same ? 'good' : 'warn'}>
            {recorded.same ? '= as it was sent' : '≠ another prompt was sent'}
          </Chip>
        )}
        {bundle.is_chapter_13 && <Chip>Chapter 13</Chip>}
        <span className="quiet num" title={bundle.generated_at}>
          {dayOf(at)} {timeOf(at, true)}
        </span>
      </p>
    </>
  )
}
