import type { CoachEstimate } from '../../../core/engine/schema/coach-wire.ts'
import { count } from '../../ui/format.ts'
import { costText } from './words.ts'

/** Tokens and cost of calls that nobody has made yet. */
export function CostLine({ estimate }: { readonly estimate: CoachEstimate }) {
  const { inputTokens, outputTokens } = estimate
  return (
    <p>
      About {count(inputTokens)} tokens in (four characters each), and at most {count(outputTokens)}{' '}
      out. Cost: <strong>{costText(estimate)}</strong>.
    </p>
  )
}
