import type { CoachFailure } from '../../../core/engine/schema/coach-wire.ts'
import { idle } from '../../app/async-data.ts'
import { failureOf } from '../../app/host.ts'
import { createQuery } from '../../app/query.ts'
import { call } from '../../app/question.ts'
import { patchView } from '../../app/store.ts'
import { createTask } from '../../app/task.ts'
import { coachAddress, judgeAgain, outputOfSelection } from '../../stores/coach/coach.ts'
import { coachStore, patchCoach, type Batch } from '../../stores/coach/store.ts'

/** The output that belongs to the selection. */
export function proposeThis(): void {
  const nearest = outputOfSelection()
  if (nearest) proposeRun({ seqs: [nearest.seq] })
}

/** Every output of the session. */
export function proposeAll(): void {
  proposeRun({ seqs: null })
}

/** Estimated cost of a batch, shown until it runs or the dialog is closed. */
const estimating = createQuery({
  place: {
    get: () => {
      const { run } = coachStore.getState()
      return run.status === 'estimate' ? run.estimate : idle
    },
    set: (estimate) => {
      if (coachStore.getState().run.status === 'estimate')
        patchCoach({ run: { status: 'estimate', estimate } })
    },
  },
})

/** Address of a batch, for a call. */
function addressOf({ seqs }: Batch) {
  const address = coachAddress()
  return address && { ...address, seqs: seqs && [...seqs] }
}

/** Opens the dialog for a batch and fetches its estimate. Nothing is sent to a model. */
function proposeRun(batch: Batch): void {
  patchView({ dialog: 'coach-run' })
  // One batch at a time: the dialog shows the one under way.
  if (coachStore.getState().run.status === 'running') return
  patchCoach({ batch, run: { status: 'estimate', estimate: idle } })
  const input = addressOf(batch)
  if (input) void estimating.ask(call('coach.estimate', input, { where: 'The estimate' }))
}

const running = createTask()

/** Calls the model, after the operator has agreed to the estimate. */
export function startRun(): void {
  const { batch } = coachStore.getState()
  const input = batch && addressOf(batch)
  if (!input) return
  patchCoach({
    run: {
      status: 'running',
      progress: null,
      since: performance.now(),
      judged: 0,
      dollars: null,
    },
  })
  running.subscribe('coach.run', input, {
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
    end: () => void judgeAgain(),
  })
}

function added(sum: number | null, dollars: number | null): number | null {
  return dollars === null ? sum : (sum ?? 0) + dollars
}

/** Ends a run without the host's totals. The result uses the counts collected so far. */
function finish(failure: CoachFailure | null, cancelled: boolean): void {
  const { run } = coachStore.getState()
  if (run.status !== 'running') return
  const { judged, dollars } = run
  const result = { calls: judged, cached: 0, failed: 0, dollars, failure }
  patchCoach({ run: { status: 'done', result, cancelled } })
}

/** Stops a run; answers that came are kept. */
export function cancelRun(): void {
  running.stop()
  finish(null, true)
  void judgeAgain()
}

export function closeRun(): void {
  patchView({ dialog: null })
  if (coachStore.getState().run.status !== 'running')
    patchCoach({ batch: null, run: { status: 'none' } })
}
