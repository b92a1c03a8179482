import { OutputType } from '../../../core/engine/schema/coach.ts'
import type { CoachColumns } from '../../../core/engine/schema/coach-wire.ts'
import type { Immutable } from '../../../core/engine/schema/immutable.ts'
import { valueOf } from '../../app/async-data.ts'
import { lane, type LabelProps } from '../../timeline/lane.tsx'
import { drawVerdicts } from './draw-lane.ts'
import { coachLane, coachWords, VERDICT_WORDS, type CoachLane } from './lane.ts'
import { useCoach } from './store.ts'

/** Name of the lane, with the verdict of the told turn, else how many were sent back. */
function Label({ data, told }: LabelProps<CoachLane>) {
  const turn = told?.turn ?? -1
  const type = OutputType.options[data.type[turn] ?? -1]
  return (
    <>
      <span
        className="tl-name"
        title="What the coach says of each output of the agent: above the line it passes, a ring below goes back to the agent. ◆ question, ■ completion, ▲ blocker, ✕ error. Amber diamond: rules or runs disagree. Red cross: the model failed. Pale: the agent went on by itself"
      >
        verdicts
      </span>
      {type ? (
        <span className="tl-value" title={coachWords(data, turn)}>
          <i style={{ color: `var(--verdict-${type})` }} aria-hidden="true">
            {VERDICT_WORDS[type].sign}
          </i>{' '}
          {(data.confidence[turn] ?? 0).toFixed(2)}
        </span>
      ) : (
        <span className="tl-value" title={`${data.back} of ${data.outputs} outputs are sent back`}>
          <i style={{ color: 'var(--verdict-status)' }} aria-hidden="true">
            ○
          </i>{' '}
          {data.back} of {data.outputs}
        </span>
      )}
    </>
  )
}

/** Verdicts of the coach on the agent's outputs. */
export const verdictsLane = lane<CoachLane, Immutable<CoachColumns>>({
  id: 'coach',
  place: 'below',
  useSource: () => useCoach((state) => valueOf(state.columns)),
  prepare: ({ source }, columns) =>
    columns.seq.length > 0 ? coachLane(source.columns.seq, columns) : null,
  size: () => ({ height: 27, gap: 4, drop: 4.2 }),
  draw: drawVerdicts,
  Label,
  term: 'verdict',
  words: coachWords,
})
