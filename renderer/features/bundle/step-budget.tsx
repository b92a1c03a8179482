import type { BuiltStep } from '../../../core/engine/schema/bundle-wire.ts'
import { valueOf } from '../../app/async-data.ts'
import { useApp } from '../../app/use-store.ts'
import { AllSteps } from './all-steps.tsx'
import { BudgetHead } from './budget-head.tsx'
import { tryLimits, useBundles } from './bundle.ts'
import { Counted } from './counted.tsx'
import { Limits } from './limits.tsx'
import { OfStep, StepHead } from './of-step.tsx'
import { Tiers } from './tiers.tsx'
import { selectedStep } from '../../app/select.ts'

/** The Budget tab of a pipeline step: its tiers, its limits, and all other steps. */
export function StepBudget() {
  const seq = useApp(selectedStep)
  const failed = useBundles((state) => state.shown.status === 'failed')
  return (
    <>
      <OfStep>{(shown) => <Built seq={shown.seq} built={shown.built} />}</OfStep>
      {failed && seq !== null && <Session current={seq} />}
    </>
  )
}

function Built({ seq, built }: { readonly seq: number; readonly built: BuiltStep }) {
  const tried = useBundles((state) => state.tried)
  const preset = useApp((state) => state.view.run.preset)
  const { report, measures, bundle, words } = built
  return (
    <>
      <div className="verdict">
        <StepHead seq={seq} />
        <BudgetHead report={report} />
      </div>
      <Tiers report={report} />
      <Limits
        tried={tried}
        report={report}
        preset={preset}
        change={tryLimits}
        budgets={bundle.budgets}
        aside="this step and all others"
      />
      <Session current={seq} />
      <Counted measures={measures} report={report} words={words} budgets={bundle.budgets} />
    </>
  )
}

function Session({ current }: { readonly current: number }) {
  const steps = useBundles((state) => state.steps)
  const value = valueOf(steps)
  if (!value) return null
  return (
    <AllSteps
      steps={value.steps}
      words={value.words}
      current={current}
      busy={steps.status === 'loading'}
    />
  )
}
