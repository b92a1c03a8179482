import type { BuiltStep } from '../../../core/engine/schema/bundle-wire.ts'
import { valueOf } from '../../app/async-data.ts'
import { selectedStep, tryLimits, useBundles } from '../bundle/bundle.ts'
import { useApp } from '../../app/use-store.ts'
import { AllSteps } from '../bundle/all-steps.tsx'
import { BudgetHead } from '../bundle/budget-head.tsx'
import { Counted } from '../bundle/counted.tsx'
import { Limits } from '../bundle/limits.tsx'
import { Tiers } from '../bundle/tiers.tsx'
import { BudgetTab } from './budget.tsx'
import { OfStep, StepHead } from '../bundle/of-step.tsx'

/** Budget of what is selected: a step's bundle, else the composed prompt. */
export function EitherBudget() {
  const step = useApp(selectedStep)
  return step === null ? <BudgetTab /> : <StepBudget />
}

function StepBudget() {
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
        {...{ tried, report, preset }}
        change={tryLimits}
        budgets={bundle.budgets}
        aside="this step and all others"
      />
      <Session current={seq} />
      <Counted {...{ measures, report, words }} budgets={bundle.budgets} />
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
