import { useState } from 'react'
import type { SelfSignalTrace } from '../../../core/engine/schema/answer-trace.ts'
import { selectSeq } from '../../app/select.ts'
import type { ShownResponse } from '../../app/store.ts'
import { useData } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { Answered, Empty } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/parts.tsx'
import { ACTION_WORDS, PLACE_WORDS, TRIGGER_WORDS } from '../../views/self-signals/answer-words.ts'
import { responseOf, response as shownResponse } from '../../stores/self-signals/answers.ts'
import { SELF_WORDS } from './lane.ts'
import { Claims, Counters, Diagnostics, Fields } from './self-signal-parts.tsx'
import { ResponseText } from './self-signal-text.tsx'

/** The agent's statements about its own state, in the response that belongs to the selection. */
export function SelfSignalTab() {
  const answers = useApp((state) => state.session.answers)
  const response = useData(shownResponse)
  const selected = useApp((state) => state.view.selected)
  return (
    <Answered data={answers} failure="else">
      {({ responses: { seq } }) => {
        if (seq.length === 0)
          return (
            <Empty of="inspector">
              There is no response of an agent in this session, so there are no self-signals to
              read.
            </Empty>
          )
        const nearest = selected === null ? null : responseOf(seq, selected)
        const isStale = (shown: ShownResponse) => nearest?.seq !== shown.seq
        return (
          <Answered data={response} stale={isStale}>
            {(shown) => (
              <Response
                key={shown.seq}
                shown={shown}
                place={isStale(shown) ? 'this' : (nearest?.place ?? 'this')}
              />
            )}
          </Answered>
        )
      }}
    </Answered>
  )
}

interface ResponseProps {
  readonly shown: ShownResponse
  readonly place: keyof typeof PLACE_WORDS
}

function Response({ shown, place }: ResponseProps) {
  const { trace, text } = shown
  const [pointed, setPointed] = useState<number | null>(null)
  return (
    <>
      <div className="verdict">
        <div className="turn-line">
          <div className="quiet truncate">{PLACE_WORDS[place]}</div>
          {place !== 'this' && (
            <Button kind="link" onClick={() => selectSeq(shown.seq)}>
              Go to it
            </Button>
          )}
        </div>
        <Title trace={trace} />
        <Notes trace={trace} />
      </div>
      <ResponseText text={text} trace={trace} pointed={pointed} />
      <Fields trace={trace} />
      <Diagnostics
        trace={trace}
        pointed={pointed}
        onPoint={(at) => setPointed(at === pointed ? null : at)}
      />
      <Claims trace={trace} />
      <Counters trace={trace} />
    </>
  )
}

function Title({ trace }: { readonly trace: SelfSignalTrace }) {
  const { signal } = trace
  if (!signal)
    return (
      <>
        <h2 className="verdict-title">No self-signal</h2>
        <p className="verdict-reason">{silence(trace)}</p>
      </>
    )
  const { sign, words, about } = SELF_WORDS[signal.type]
  return (
    <>
      <h2 className="verdict-title">
        <span
          className="self-sign text-center"
          style={{ color: `var(--self-${signal.type})` }}
          aria-hidden
        >
          {sign}
        </span>
        <span className="truncate">{words}</span>
        <span className="verdict-plus num" title="Confidence, 0 to 1">
          {signal.confidence.toFixed(2)}
        </span>
      </h2>
      <p className="verdict-reason">
        The agent {about}. <code className="mono">{signal.type}</code>{' '}
        {trace.terminal === true
          ? 'is terminal: the answer ends here.'
          : 'is a continuation: it is not done yet.'}
      </p>
    </>
  )
}

/** Calm where silence is how the agent works. */
function silence(trace: SelfSignalTrace): string {
  if (trace.quiet)
    return 'This agent has emitted none so far: silence is how it works, and nothing is wrong.'
  if (trace.diagnostics.length > 0)
    return 'Something in the response looks like one and is none; the diagnostics say why.'
  return 'The response carries none, though this agent has emitted some before.'
}

function Notes({ trace }: { readonly trace: SelfSignalTrace }) {
  const { fallback, after } = trace
  return (
    <>
      {trace.stuck && (
        <p className="warning soft-bad">
          Going in circles: the same reason {after.consecutiveSameReason} times in a row.
        </p>
      )}
      {trace.silent && !trace.quiet && (
        <p className="warning">
          Silent: {after.turnsWithoutSignal} responses in a row without a self-signal.
        </p>
      )}
      {fallback && (
        <div
          className={trace.quiet || fallback.action === 'continue' ? 'aside' : 'aside aside-warn'}
        >
          <p>
            <strong>Fallback: {ACTION_WORDS[fallback.action]}</strong>{' '}
            <Chip title="What set it off">{TRIGGER_WORDS[fallback.trigger]}</Chip>
          </p>
          <p className="quiet">{fallback.reason}</p>
          {fallback.hint !== null && <p className="hint">“{fallback.hint}”</p>}
        </div>
      )}
    </>
  )
}
