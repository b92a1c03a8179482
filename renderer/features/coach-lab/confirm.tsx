import type { CoachEstimate, CoachSettings } from '../../../core/engine/schema/coach-wire.ts'
import { useQuery } from '../../app/use-query.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { CoachProblem, CostLine } from '../coach/cost-line.tsx'
import { type LabQuestion, estimating } from './state.ts'

type Question = Omit<LabQuestion, 'use'>

interface Props {
  readonly question: Question
  readonly settings: Pick<CoachSettings, 'model'>
  /** `run`: the person agreed. */
  readonly onAnswer: (run: boolean) => void
}

/** Milliseconds without another edit before it is estimated again. */
const PAUSE_MS = 150

/** What the lab on a model would send, where to and for how much; nothing is sent before a yes. */
export function LabConfirm({ question, settings, onAnswer }: Props) {
  const { data: estimate } = useQuery(estimating(question), PAUSE_MS)
  const value = estimate.status === 'ready' ? estimate.value : null
  const calls = value?.calls ?? 0
  return (
    <div className="aside aside-warn lab-confirm" role="group" aria-label="Before it is sent">
      {estimate.status === 'failed' && <FailureNote failure={estimate.failure} />}
      {value === null && estimate.status !== 'failed' && (
        <p className="quiet">Counting what would be sent …</p>
      )}
      {value && <WhatIsSent estimate={value} model={settings.model} />}
      <span className="lab-confirm-buttons gap-8 flex">
        <Button small onClick={() => onAnswer(false)}>
          Do not ask
        </Button>
        <Button
          kind="primary"
          small
          disabled={value === null || (value.problem !== null && calls > 0)}
          onClick={() => onAnswer(true)}
        >
          {calls === 0 ? 'Show the kept answers' : `Make ${counted(calls, 'call')}`}
        </Button>
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
      {problem && <CoachProblem failure={problem} />}
      <p>
        <strong className="num">{counted(calls, 'call')}</strong> to {model}, for{' '}
        {counted(outputs, 'output')}: {count(gated)} decided by a gate, {count(cached)} answered
        before under the very same prompt. An edited prompt is another prompt.
      </p>
      {calls > 0 && <CostLine estimate={estimate} />}
    </>
  )
}
