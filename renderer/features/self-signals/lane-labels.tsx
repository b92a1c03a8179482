import type { ReactNode } from 'react'
import { SELF_WORDS, type OracleLanes } from './lanes.ts'
import type { TurnWords } from '../../timeline/words.ts'

interface Props {
  readonly oracle: OracleLanes | null
  /** The hovered turn, else the selected one. */
  readonly told: TurnWords | null
}

/** Name of the lane of self-signals; for an agent that emits none, that it emits none. */
export function SelfLabel({ oracle, told }: Props): ReactNode {
  if (oracle === null) return null
  const words = told?.oracle ?? null
  if (oracle.emitted === 0)
    return (
      <span
        className="tl-name quiet"
        title="This agent says nothing about its own state: that is how it works, not a fault"
      >
        no self-signals
      </span>
    )
  return (
    <>
      <span
        className="tl-name"
        title="What the agent says about its own state: shape and colour by type, height by confidence, hollow with diagnostics. Red bar: going in circles. Amber bar: silent, or a fallback"
      >
        self-signals
      </span>
      {words?.signal === null && words.alert === 'fallback' && (
        <span className="tl-value tl-alert">silent</span>
      )}
      {words?.signal && (
        <span className="tl-value" title={words.self ?? ''}>
          <i style={{ color: `var(--self-${words.signal})` }} aria-hidden="true">
            {SELF_WORDS[words.signal].sign}
          </i>{' '}
          {words.confidence.toFixed(2)}
        </span>
      )}
    </>
  )
}

/** Name of the lane of query types, with the type of the told turn. */
export function QueryLabel({ told }: Props): ReactNode {
  const type = told?.oracle?.queryType ?? null
  return (
    <>
      <span
        className="tl-name"
        title="Type of each message: C code, D documentation, R research, V conversational, A action"
      >
        query
      </span>
      {type && <span className="tl-value">{type}</span>}
    </>
  )
}
