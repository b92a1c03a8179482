import { Slot, isFilled } from '../../app/slot.tsx'
import { useApp } from '../../app/use-store.ts'
import { BudgetTab } from './budget.tsx'
import { selectedStep } from '../../app/select.ts'

/** Budget of the selection: a step's bundle, else the composed prompt. */
export function EitherBudget() {
  const step = useApp(selectedStep)
  return step === null || !isFilled('StepBudget') ? <BudgetTab /> : <Slot name="StepBudget" />
}
