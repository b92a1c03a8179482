import type { CoachFailure } from '../../../core/engine/schema/coach-wire.ts'
import { failed, loading, ready } from '../../app/async-data.ts'
import { loadVerdicts, outputOfSelection, refreshOutput, sessionAddress } from './coach.ts'
import { coachStore, patchCoach, type Batch } from './store.ts'
import { failureOf, host } from '../../app/host.ts'
import { patchView } from '../../app/store.ts'

let cancel: (() => void) | null = null

/** The output that belongs to the selection. */
export function proposeThis(): void {
  const nearest = outputOfSelection()
  if (nearest) proposeRun({ seqs: [nearest.seq] })
}

/** Every output of the session. */
export function proposeAll(): void {
  proposeRun({ seqs: null })
}

/** Opens the dialog for a batch and fetches its estimate. Nothing is sent to a model. */
function proposeRun(batch: Batch): void {
  patchView({ dialog: 'coach-run' })
  // One batch at a time: the dialog shows the one under way.
  if (coachStore.getState().run.status === 'running') return
  patchCoach({ batch, run: { status: 'estimate', estimate: loading() } })
  void estimate(batch)
}

async function estimate(batch: Batch): Promise<void> {
  const address = sessionAddress()
  if (!address) return
  const isCurrent = () => {
    const now = coachStore.getState()
    return now.batch === batch && now.run.status === 'estimate'
  }
  try {
    const seqs = batch.seqs && [...batch.seqs]
    const answer = await host().call('coach.estimate', { ...address, seqs })
    if (isCurrent()) patchCoach({ run: { status: 'estimate', estimate: ready(answer) } })
  } catch (error) {
    const failure = failureOf(error, 'The estimate')
    if (isCurrent()) patchCoach({ run: { status: 'estimate', estimate: failed(failure) } })
  }
}

/** Asks the model, after the person has agreed to the estimate. */
export function startRun(): void {
  const address = sessionAddress()
  const { batch } = coachStore.getState()
  if (!address || !batch) return
  patchCoach({
    run: {
      status: 'running',
      progress: null,
      since: performance.now(),
      judged: 0,
      dollars: null,
    },
  })
  const seqs = batch.seqs && [...batch.seqs]
  cancel = host().subscribe(
    'coach.run',
    { ...address, seqs },
    {
      next: (message) => {
        const { run } = coachStore.getState()
        if (run.status !== 'running') return
        if (message.kind === 'progress') patchCoach({ run: { ...run, progress: message } })
        else if (message.kind === 'judged') {
          const dollars = added(run.dollars, message.dollars)
          patchCoach({ run: { ...run, judged: run.judged + message.seqs.length, dollars } })
        } else patchCoach({ run: { status: 'done', result: message, cancelled: false } })
      },
      error: (error) => {
        const { what, do: advice } = failureOf(error, 'The model')
        finish({ kind: 'server_error', what, do: advice, attempts: 0 }, false)
      },
      end: () => {
        cancel = null
        void loadVerdicts().then(() => refreshOutput(true))
      },
    },
  )
}

function added(sum: number | null, dollars: number | null): number | null {
  return dollars === null ? sum : (sum ?? 0) + dollars
}

/** Ends a run without the host's own sums: what is known so far is what was counted here. */
function finish(failure: CoachFailure | null, cancelled: boolean): void {
  const { run } = coachStore.getState()
  if (run.status !== 'running') return
  const { judged, dollars } = run
  const result = { calls: judged, cached: 0, failed: 0, dollars, failure }
  patchCoach({ run: { status: 'done', result, cancelled } })
}

/** Stops a run; answers that came are kept. */
export function cancelRun(): void {
  cancel?.()
  cancel = null
  finish(null, true)
  void loadVerdicts().then(() => refreshOutput(true))
}

export function closeRun(): void {
  patchView({ dialog: null })
  if (coachStore.getState().run.status !== 'running')
    patchCoach({ batch: null, run: { status: 'none' } })
}
