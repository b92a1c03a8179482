import { useEffect, useState } from 'react'
import type { CoachEstimate, CoachSettings } from '../../../core/engine/schema/coach-wire.ts'
import { type AsyncData, failed, loading, ready } from '../../app/async-data.ts'
import { type LabQuestion, estimateLab } from './state.ts'
import { failureOf, wasCancelled } from '../../app/host.ts'
import { count, counted } from '../../ui/format.ts'
import { FAILURE_TITLES } from '../coach/words.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { CostLine } from '../coach/cost-line.tsx'

type Question = Omit<LabQuestion, 'use'>

interface Props {
  readonly question: Question
  readonly settings: Pick<CoachSettings, 'model'>
  /** `run`: the person agreed. */
  readonly onAnswer: (run: boolean) => void
}

/** The estimate of a draft that may still be edited: asked again with every change. */
function useEstimate({ draft, scope, text }: Question): AsyncData<CoachEstimate> {
  const [estimate, setEstimate] = useState<AsyncData<CoachEstimate>>(() => loading())
  useEffect(() => {
    const asking = new AbortController()
    const { signal } = asking
    const timer = setTimeout(() => {
      setEstimate((before) => loading(before))
      estimateLab({ draft, scope, text }, signal)
        .then((value) => {
          if (!signal.aborted) setEstimate(ready(value))
        })
        .catch((error: unknown) => {
          if (!signal.aborted && !wasCancelled(error))
            setEstimate(failed(failureOf(error, 'The estimate')))
        })
    }, 150)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [draft, scope, text])
  return estimate
}

/** What the lab on a model would send, where to and for how much; nothing is sent before a yes. */
export function LabConfirm({ question, settings, onAnswer }: Props) {
  const estimate = useEstimate(question)
  const value = estimate.status === 'ready' ? estimate.value : null
  const calls = value?.calls ?? 0
  return (
    <div className="aside aside-warn lab-confirm" role="group" aria-label="Before it is sent">
      {estimate.status === 'failed' && <FailureNote failure={estimate.failure} />}
      {estimate.status === 'loading' && <p className="quiet">Counting what would be sent …</p>}
      {value && <WhatIsSent estimate={value} model={settings.model} />}
      <span className="lab-confirm-buttons gap-8 flex">
        <button type="button" className="button button-small" onClick={() => onAnswer(false)}>
          Do not ask
        </button>
        <button
          type="button"
          className="button button-small button-primary"
          // Without a call the kept answers are shown, which costs nothing.
          disabled={value === null || (value.problem !== null && calls > 0)}
          onClick={() => onAnswer(true)}
        >
          {calls === 0 ? 'Show the kept answers' : `Make ${counted(calls, 'call')}`}
        </button>
      </span>
    </div>
  )
}

interface SentProps {
  readonly estimate: CoachEstimate
  readonly model: string
}

function WhatIsSent({ estimate, model }: SentProps) {
  const { outputs, gated, cached, calls, problem } = estimate
  return (
    <>
      {problem && (
        <FailureNote
          failure={{ what: FAILURE_TITLES[problem.kind], where: problem.what, do: problem.do }}
        />
      )}
      <p>
        <strong className="num">{counted(calls, 'call')}</strong> to {model}, for{' '}
        {counted(outputs, 'output')}: {count(gated)} decided by a gate, {count(cached)} answered
        before under the very same prompt. An edited prompt is another prompt.
      </p>
      {calls > 0 && <CostLine estimate={estimate} />}
    </>
  )
}
