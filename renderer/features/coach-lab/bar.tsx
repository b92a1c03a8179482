import { useState } from 'react'
import type { CoachEstimate, CoachSettings } from '../../../core/engine/schema/coach-wire.ts'
import { type AsyncData, valueOf } from '../../app/async-data.ts'
import { patchView } from '../../app/store.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { FailureNote } from '../../ui/answered.tsx'
import { Button, Switch } from '../../ui/button.tsx'
import { count, counted } from '../../ui/format.ts'
import { CoachProblem, CostLine } from '../../views/coach/cost-line.tsx'
import { useCoach } from '../../stores/coach/store.ts'
import { type LabQuestion, type LabResult, type Scope, estimating } from './state.ts'

type Question = Omit<LabQuestion, 'use'>

interface ConfirmProps {
  readonly question: Question
  readonly settings: Pick<CoachSettings, 'model'>
  /** `run`: true if the operator agreed. */
  readonly onAnswer: (run: boolean) => void
}

/** Milliseconds without another edit before it is estimated again. */
const PAUSE_MS = 150

/** Shows the data, destination and cost of a lab run with a model. Nothing is sent before the operator agrees. */
function LabConfirm({ question, settings, onAnswer }: ConfirmProps) {
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

interface Props {
  readonly question: Omit<LabQuestion, 'use'>
  readonly setScope: (scope: Scope) => void
  readonly result: AsyncData<LabResult>
  readonly hasSelected: boolean
  readonly changed: boolean
  readonly onRun: (use: LabQuestion['use']) => void
  readonly cancel: () => void
}

const SCOPES: ReadonlyArray<readonly [Scope, string, string]> = [
  ['labelled', 'All labelled', 'Labels of this workspace, and the labelled outputs that ship'],
  ['session', 'This session’s labels', 'Labels of the transcript that is open'],
  ['selected', 'Selected output', 'The output that belongs to the selection'],
]

/** Controls for the lab's scope and judge. */
export function LabBar(props: Props) {
  const { question, setScope, hasSelected, result, onRun } = props
  const { scope } = question
  const open = useApp((state) => state.document.opened.status === 'ready')
  const settings = useCoach((state) => valueOf(state.settings))
  const [asking, setAsking] = useState(false)
  const off = settings?.mode !== 'model'
  const usable: Readonly<Record<Scope, boolean>> = {
    labelled: true,
    session: open,
    selected: hasSelected,
  }
  const rows = valueOf(result)?.rows.length ?? 0
  const loading = result.status === 'loading'
  return (
    <div className="stack line-below gap-6 pad">
      <div className="row wrap">
        <Switch
          label="What is judged"
          options={SCOPES}
          value={scope}
          isOff={(name) => !usable[name]}
          onChoose={(name) => {
            setAsking(false)
            setScope(name)
          }}
        />
        <span className="grow" />
        <Button small disabled={loading} onClick={() => onRun('rules')}>
          Run the rules
        </Button>
        <Button
          small
          disabled={off || loading || rows === 0}
          title={off ? 'The model is off' : 'You are asked before anything is sent'}
          onClick={() => setAsking(true)}
        >
          Run the model …
        </Button>
      </div>
      {asking && settings?.mode === 'model' ? (
        <LabConfirm
          question={question}
          settings={settings}
          onAnswer={(run) => {
            setAsking(false)
            if (run) onRun('model')
          }}
        />
      ) : (
        <Note {...props} off={off} />
      )}
    </div>
  )
}

function Note({ off, result, cancel }: Props & { readonly off: boolean }) {
  if (result.status === 'loading' && result.progress)
    return (
      <p className="text-s num" role="status">
        <span className="pulse" aria-hidden /> {count(result.progress.done)} of{' '}
        {count(result.progress.total)} asked{' '}
        <Button kind="link" onClick={cancel}>
          Cancel
        </Button>
      </p>
    )
  return (
    <p className="text-s quiet">
      The rules judge again while you type; nothing is sent and no file is changed.
      {off && (
        <>
          {' '}
          The model is off.{' '}
          <Button kind="link" onClick={() => patchView({ dialog: 'coach' })}>
            Coach…
          </Button>
        </>
      )}
    </p>
  )
}
