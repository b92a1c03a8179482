import type { ResponseColumns } from '../../../core/engine/schema/answer-columns.ts'
import { SelfSignalType } from '../../../core/engine/schema/self-signal.ts'
import { valueOf } from '../../app/async-data.ts'
import { useApp } from '../../app/use-store.ts'
import { lane, type LabelProps } from '../../timeline/lane.tsx'
import { drawSelf } from './draw-lane.ts'
import { ALERTS, SELF_WORDS, selfLane, selfWords, type SelfLane } from './lane.ts'

/** Name of the lane of self-signals; for an agent that emits none, that it emits none. */
function Label({ data, told }: LabelProps<SelfLane>) {
  if (data.emitted === 0)
    return (
      <span
        className="tl-name quiet"
        title="This agent says nothing about its own state: that is how it works, not a fault"
      >
        no self-signals
      </span>
    )
  const turn = told?.turn ?? -1
  const signal = SelfSignalType.options[data.signal[turn] ?? -1]
  return (
    <>
      <span
        className="tl-name"
        title="What the agent says about its own state: shape and colour by type, height by confidence, hollow with diagnostics. Red bar: going in circles. Amber bar: silent, or a fallback"
      >
        self-signals
      </span>
      {!signal && ALERTS[data.alert[turn] ?? 0] === 'fallback' && (
        <span className="tl-value tl-alert">silent</span>
      )}
      {signal && (
        <span className="tl-value" title={selfWords(data, turn)}>
          <i style={{ color: `var(--self-${signal})` }} aria-hidden="true">
            {SELF_WORDS[signal].sign}
          </i>{' '}
          {(data.confidence[turn] ?? 0).toFixed(2)}
        </span>
      )}
    </>
  )
}

/** Height of the lane: an agent that emits no self-signals has one quiet line. */
export function selfHeight({ emitted, flawed, alert }: SelfLane): number {
  const shows = emitted > 0 || flawed.includes(1) || alert.some((one) => one > 0)
  return shows ? 28 : 13
}

/** What the agent says about its own state. */
export const selfSignalsLane = lane<SelfLane, ResponseColumns>({
  id: 'self',
  place: 'below',
  useSource: () => useApp(({ session }) => valueOf(session.answers)?.responses ?? null),
  prepare: ({ source }, responses) =>
    responses.seq.length > 0 ? selfLane(source.columns.seq, responses) : null,
  size: (data) => ({ height: selfHeight(data), gap: 3, drop: 4.4 }),
  draw: drawSelf,
  Label,
  term: 'answer',
  words: selfWords,
})
