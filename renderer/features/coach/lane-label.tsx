import type { ReactNode } from 'react'
import { VERDICT_WORDS, type CoachLane } from './lane.ts'
import type { TurnWords } from '../../timeline/words.ts'

interface Props {
  readonly coach: CoachLane | null
  /** The hovered turn, else the selected one. */
  readonly told: TurnWords | null
}

/** Name of the lane of verdicts, with the verdict of the told turn, else how many were sent back. */
export function CoachLaneLabel({ coach, told }: Props): ReactNode {
  if (coach === null) return null
  const words = told?.coach ?? null
  return (
    <>
      <span
        className="tl-name"
        title="What the coach says of each output of the agent: above the line it passes, a ring below goes back to the agent. ◆ question, ■ completion, ▲ blocker, ✕ error. Amber diamond: rules or runs disagree. Red cross: the model failed. Pale: the agent went on by itself"
      >
        verdicts
      </span>
      {words ? (
        <span className="tl-value" title={words.told}>
          <i style={{ color: `var(--verdict-${words.type})` }} aria-hidden="true">
            {VERDICT_WORDS[words.type].sign}
          </i>{' '}
          {words.confidence.toFixed(2)}
        </span>
      ) : (
        <span
          className="tl-value"
          title={`${coach.back} of ${coach.outputs} outputs are sent back`}
        >
          <i style={{ color: 'var(--verdict-status)' }} aria-hidden="true">
            ○
          </i>{' '}
          {coach.back} of {coach.outputs}
        </span>
      )}
    </>
  )
}
