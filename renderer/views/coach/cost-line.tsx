import type { CoachEstimate, CoachFailure } from '../../../core/engine/schema/coach-wire.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { count } from '../../ui/format.ts'
import { FAILURE_TITLES, costText } from './words.ts'

/** Tokens and cost of calls not made yet. */
export function CostLine({ estimate }: { readonly estimate: CoachEstimate }) {
  const { inputTokens, outputTokens } = estimate
  return (
    <p>
      About {count(inputTokens)} tokens in (four characters each), and at most {count(outputTokens)}{' '}
      out. Cost: <strong>{costText(estimate)}</strong>.
    </p>
  )
}

/** Problem with a model, shown as a failure like any other. */
export function CoachProblem({ failure }: { readonly failure: CoachFailure }) {
  const { kind, what, do: remedy } = failure
  return <FailureNote failure={{ what: FAILURE_TITLES[kind], where: what, do: remedy }} />
}
