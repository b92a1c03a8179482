import type { ComposedPrompt } from '../../../core/engine/schema/prompt.ts'
import { count, counted } from '../../ui/format.ts'
import { budgetBar } from './budget-parts.ts'
import { useSegmentColor } from '../prompt/segment-color.ts'

interface Props {
  readonly prompt: ComposedPrompt
}

/** One bar: segments end to end against the budget, with a line at the budget's end. */
export function BudgetBarView({ prompt }: Props) {
  const color = useSegmentColor()
  const bar = budgetBar(prompt)
  const percent = (share: number) => `${(share * 100).toFixed(3)}%`
  const told = bar.parts.map(({ id, tokens }) => `${id} ${count(tokens)}`).join(', ')
  return (
    <div className="budget grow">
      <div
        className={`relative clip on-bg budget-bar${bar.over > 0 ? ' budget-over' : ''}`}
        role="img"
        aria-label={`${count(bar.used)} of ${counted(bar.budget, 'token')}: ${told}`}
      >
        {bar.parts.map((part) => (
          <i
            key={`${part.index}`}
            title={`${part.id}: ${counted(part.tokens, 'token')}`}
            style={{
              left: percent(part.from),
              width: percent(part.share),
              background: color(part.index),
            }}
          />
        ))}
        {bar.over > 0 && <b style={{ left: percent(bar.limit) }} title="The budget ends here" />}
      </div>
      <p className="budget-told text-s flex num">
        <strong>{count(bar.used)}</strong> of {counted(bar.budget, 'token')}
        <span className={bar.over > 0 ? 'bad bold' : 'quiet'}>
          {bar.over > 0 ? `${count(bar.over)} over` : `${count(bar.headroom)} left`}
        </span>
      </p>
    </div>
  )
}
