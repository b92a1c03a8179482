import { type ReactNode, useEffect, useState } from 'react'
import type { CoachEstimate, CoachSettings } from '../../../core/engine/schema/coach-wire.ts'
import { valueOf } from '../../app/async-data.ts'
import { patchView } from '../../app/store.ts'
import { Answered } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { count, counted } from '../../ui/format.ts'
import { Fact } from '../../ui/parts.tsx'
import { Bar, shareOf } from '../../ui/progress.tsx'
import { CoachProblem, CostLine } from '../../views/coach/cost-line.tsx'
import { cancelRun, closeRun, startRun } from './run.ts'
import { type BatchResult, type Run, useCoach } from '../../stores/coach/store.ts'
import { dollarsText } from '../../views/coach/words.ts'

/** A model run: its estimated cost, its progress and its result. */
export function CoachRun() {
  const batch = useCoach((state) => state.batch)
  const run = useCoach((state) => state.run)
  const title =
    batch?.seqs?.length === 1
      ? 'Ask the model about this output'
      : 'Ask the model about all outputs'
  return (
    <Dialog title={title} className="modal-run" onClose={closeRun}>
      <Content run={run} />
    </Dialog>
  )
}

/** Buttons at the foot of a dialog. The button that continues is at the right. */
function Foot({ left, children }: { readonly left?: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="row wrap no-shrink line-above pad">
      {left}
      <span className="grow" />
      {children}
    </div>
  )
}

function Content({ run }: { readonly run: Run }) {
  switch (run.status) {
    case 'none':
      return (
        <p className="coach-run-body stack scroll gap-12 pad-16">
          There is no output of the agent in this session.
        </p>
      )
    case 'running':
      return <Running run={run} />
    case 'done':
      return <Result result={run.result} cancelled={run.cancelled} />
    case 'estimate':
      return (
        <Answered data={run.estimate}>{(estimate) => <Estimate estimate={estimate} />}</Answered>
      )
  }
}

function Estimate({ estimate }: { readonly estimate: CoachEstimate }) {
  const settings = useCoach((state) => valueOf(state.settings))
  const { calls, problem } = estimate
  const off = settings?.mode !== 'model'
  return (
    <>
      <div className="coach-run-body stack scroll gap-12 pad-16">
        {off ? (
          <div className="aside aside-warn">
            <p>
              <strong>The model is off.</strong> Nothing can be sent. Turn it on in the settings of
              the coach first.
            </p>
          </div>
        ) : (
          problem && <CoachProblem failure={problem} />
        )}
        <Sums estimate={estimate} />
        {!off && <WhereTo settings={settings} />}
        {calls === 0 && !off && <p>There is nothing left to ask.</p>}
      </div>
      <Foot
        left={
          (off || problem) && <Button onClick={() => patchView({ dialog: 'coach' })}>Coach…</Button>
        }
      >
        <Button onClick={closeRun}>Do not ask</Button>
        <Button kind="primary" disabled={off || problem !== null || calls === 0} onClick={startRun}>
          Make {counted(calls, 'call')}
        </Button>
      </Foot>
    </>
  )
}

function Sums({ estimate }: { readonly estimate: CoachEstimate }) {
  const { outputs, gated, cached, calls } = estimate
  return (
    <>
      <dl className="coach-sums stack">
        <Sum what="outputs" value={outputs} about="chosen" />
        <Sum what="decided by a gate" value={gated} about="never sent" />
        <Sum what="answered before" value={cached} about="kept, cost nothing" />
        <Sum what={calls === 1 ? 'call' : 'calls'} value={calls} about="would be made" strong />
      </dl>
      <CostLine estimate={estimate} />
    </>
  )
}

function WhereTo({ settings }: { readonly settings: CoachSettings }) {
  return (
    <p className="quiet text-s">
      Goes to {settings.baseUrl ?? 'the provider’s own address'}, model {settings.model}, at most{' '}
      {counted(settings.rateLimit, 'call')} a minute. What each call says is under “Request and
      answer” in the Coach tab.
    </p>
  )
}

interface SumProps {
  readonly what: string
  readonly value: number
  readonly about: string
  readonly strong?: boolean
}

function Sum({ what, value, about, strong = false }: SumProps) {
  return (
    <Fact
      className={`coach-sum edge pad-9-12 rounded${strong ? ' coach-sum-strong' : ''}`}
      name={what}
    >
      <b className="num">{count(value)}</b>
      <span className="quiet text-xs">{about}</span>
    </Fact>
  )
}

function Running({ run }: { readonly run: Extract<Run, { status: 'running' }> }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const { progress, judged, dollars, since } = run
  const seconds = (now - since) / 1000
  const left =
    progress && progress.done > 0
      ? Math.ceil(((progress.total - progress.done) * seconds) / progress.done)
      : null
  return (
    <>
      <div className="coach-run-body stack scroll gap-12 pad-16">
        <Bar label="Asking the model" share={shareOf(progress)} />
        <p className="num">
          {progress ? `${count(progress.done)} of ${count(progress.total)} asked` : 'Asking …'} ·{' '}
          {counted(judged, 'answer')}
          {left !== null && left > 0 && ` · about ${count(left)} s left`}
        </p>
        <p className="quiet num">Spent so far: {dollarsText(dollars)}</p>
        <p className="quiet text-s">
          You may close this: it goes on. What has been answered is kept, also when you cancel.
        </p>
      </div>
      <Foot>
        <Button onClick={closeRun}>Close</Button>
        <Button kind="primary" onClick={cancelRun}>
          Cancel
        </Button>
      </Foot>
    </>
  )
}

interface ResultProps {
  readonly result: BatchResult
  readonly cancelled: boolean
}

function Result({ result, cancelled }: ResultProps) {
  const { calls, cached, failed, dollars, failure } = result
  return (
    <>
      <div className="coach-run-body stack scroll gap-12 pad-16" role="status">
        {cancelled && (
          <div className="aside">
            <p>
              <strong>Cancelled.</strong> Answers that had come are kept.
            </p>
          </div>
        )}
        {failure && failure.kind !== 'cancelled' && <CoachProblem failure={failure} />}
        <dl className="coach-sums stack">
          <Sum what="answered" value={calls} about="by the model" strong />
          {!cancelled && <Sum what="answered before" value={cached} about="cost nothing" />}
          {!cancelled && <Sum what="failed" value={failed} about="the rules’ verdict stands" />}
        </dl>
        <p>
          Cost: <strong>{calls === 0 && !cancelled ? '$0' : dollarsText(dollars)}</strong>.
          {failed > 0 && ' Failed outputs have a red cross on the timeline; the tab says why.'}
        </p>
      </div>
      <Foot>
        <Button kind="primary" onClick={closeRun}>
          Close
        </Button>
      </Foot>
    </>
  )
}
