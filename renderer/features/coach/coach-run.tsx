import { useEffect, useState } from 'react'
import type {
  CoachEstimate,
  CoachFailure,
  CoachSettings,
} from '../../../core/engine/schema/coach-wire.ts'
import { valueOf } from '../../app/async-data.ts'
import { cancelRun, closeRun, startRun } from './run.ts'
import { type BatchResult, type Run, useCoach } from './store.ts'
import { patchView } from '../../app/store.ts'
import { count, counted } from '../../ui/format.ts'
import { Modal } from '../../ui/modal.tsx'
import { dollarsText, FAILURE_TITLES } from './words.ts'
import { CostLine } from './cost-line.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { InspectorSkeleton } from '../../app/inspector-skeleton.tsx'

/** Asking the model: what it would cost, how far it is, what came of it. */
export function CoachRun() {
  const batch = useCoach((state) => state.batch)
  const run = useCoach((state) => state.run)
  const title =
    batch?.seqs?.length === 1
      ? 'Ask the model about this output'
      : 'Ask the model about all outputs'
  return (
    <Modal title={title} className="modal-run" onClose={closeRun}>
      <Content run={run} />
    </Modal>
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
    case 'estimate': {
      const { estimate } = run
      if (estimate.status === 'failed') return <FailureNote failure={estimate.failure} />
      const value = valueOf(estimate)
      return value ? <Estimate estimate={value} /> : <InspectorSkeleton />
    }
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
          problem && <Problem failure={problem} />
        )}
        <Sums estimate={estimate} />
        {!off && <WhereTo settings={settings} />}
        {calls === 0 && !off && <p>There is nothing left to ask.</p>}
      </div>
      <div className="row wrap no-shrink line-above pad">
        {(off || problem) && (
          <button type="button" className="button" onClick={() => patchView({ dialog: 'coach' })}>
            Coach…
          </button>
        )}
        <span className="grow" />
        <button type="button" className="button" onClick={closeRun}>
          Do not ask
        </button>
        <button
          type="button"
          className="button button-primary"
          disabled={off || problem !== null || calls === 0}
          onClick={startRun}
        >
          {calls === 1 ? 'Make 1 call' : `Make ${count(calls)} calls`}
        </button>
      </div>
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
    <div
      className={
        strong
          ? 'coach-sum edge pad-9-12 rounded coach-sum-strong'
          : 'coach-sum edge pad-9-12 rounded'
      }
    >
      <dt>{what}</dt>
      <dd>
        <b className="num">{count(value)}</b>
        <span className="quiet text-xs">{about}</span>
      </dd>
    </div>
  )
}

function Problem({ failure }: { readonly failure: CoachFailure }) {
  return (
    <FailureNote
      failure={{ what: FAILURE_TITLES[failure.kind], where: failure.what, do: failure.do }}
    />
  )
}

function Running({ run }: { readonly run: Extract<Run, { status: 'running' }> }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const { progress, judged, dollars, since } = run
  const share = progress && progress.total > 0 ? progress.done / progress.total : null
  const seconds = (now - since) / 1000
  const left =
    progress && progress.done > 0
      ? Math.ceil(((progress.total - progress.done) * seconds) / progress.done)
      : null
  return (
    <>
      <div className="coach-run-body stack scroll gap-12 pad-16">
        <div
          className={share === null ? 'progress-bar meter progress-unknown' : 'progress-bar meter'}
          role="progressbar"
          aria-label="Asking the model"
          aria-valuemin={0}
          aria-valuemax={100}
          {...(share === null ? {} : { 'aria-valuenow': Math.round(share * 100) })}
        >
          <i style={{ width: share === null ? '30%' : `${share * 100}%` }} />
        </div>
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
      <div className="row wrap no-shrink line-above pad">
        <span className="grow" />
        <button type="button" className="button" onClick={closeRun}>
          Close
        </button>
        <button type="button" className="button button-primary" onClick={cancelRun}>
          Cancel
        </button>
      </div>
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
        {failure && failure.kind !== 'cancelled' && <Problem failure={failure} />}
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
      <div className="row wrap no-shrink line-above pad">
        <span className="grow" />
        <button type="button" className="button button-primary" onClick={closeRun}>
          Close
        </button>
      </div>
    </>
  )
}
