import type { TurnscopeContract } from '../../../wire/contract.ts'
import type { Output } from '../../../wire/rpc.ts'
import { askBatch } from './batch.ts'
import { chosenRows } from './estimate.ts'
import type { CoachService } from './service.ts'
import type { CoachPrepared, CoachRows } from '../../../wire/internal/coach.ts'

type Step = Output<TurnscopeContract, 'coach.run'>

interface Batch {
  readonly set: CoachRows
  readonly seqs: readonly number[] | null
  readonly prepare: (seq: number) => Promise<CoachPrepared>
}

/** `coach.run`: asks about each output once, says what it has come to, and ends with the sums. */
export async function* runBatch(
  coach: CoachService,
  { set, seqs, prepare }: Batch,
  signal: AbortSignal,
): AsyncGenerator<Step, void> {
  const sums = { calls: 0, cached: 0, failed: 0, dollars: null as number | null }
  const ready = await coach.asker.model()
  if (!ready.ok) {
    yield { kind: 'done', ...sums, failure: ready.error }
    return
  }
  // [V10] What a gate decides is never sent.
  const wanted = chosenRows(set, seqs).filter((row) => !row.gated)
  const places = wanted.map((row) => row.seq)
  const steps = askBatch(coach.asker, places, prepare, signal)
  let done = 0
  for (;;) {
    const next = await steps.next()
    if (next.done === true) {
      yield { kind: 'done', ...sums, failure: next.value }
      return
    }
    const { prepared, asked } = next.value
    coach.logAsked(prepared, asked, set.basis)
    done += 1
    yield { kind: 'progress', phase: 'judging', done, total: places.length }
    const dollars = asked.ok && !asked.value.cached ? asked.value.answer.dollars : null
    if (!asked.ok) sums.failed += 1
    else if (asked.value.cached) sums.cached += 1
    else sums.calls += 1
    if (dollars !== null) sums.dollars = (sums.dollars ?? 0) + dollars
    yield { kind: 'judged', seqs: [prepared.seq], dollars }
  }
}
