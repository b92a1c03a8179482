import type { CoachEstimate, CoachFailure } from '../../../engine/schema/coach-wire.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type {
  CoachBasis,
  CoachPrepared,
  CoachRow,
  CoachRows,
} from '../../../wire/internal/coach.ts'
import type { Output } from '../../../wire/rpc.ts'
import { ENDS_BATCH } from '../../shared/call-failures.ts'
import { type Asked, type Asker, AT_ONCE, dollarsOf } from './asker.ts'
import { MAX_OUTPUT_TOKENS } from './model-client.ts'
import type { CoachService } from './service.ts'

/** One output of a batch that has been asked about. */
export interface BatchStep {
  readonly prepared: CoachPrepared
  readonly asked: Asked
}

/**
 * [V20] Asks about outputs, a few at once, in any order of answers. A failure that every other call
 * would meet ends the batch: the rest is not sent. Leaving the loop cancels what is on its way.
 */
export async function* askBatch(
  asker: Asker,
  places: readonly number[],
  prepare: (place: number) => Promise<CoachPrepared>,
  signal: AbortSignal,
): AsyncGenerator<BatchStep, CoachFailure | null> {
  const stop = new AbortController()
  const all = AbortSignal.any([signal, stop.signal])
  const running = new Map<number, Promise<{ place: number; step: BatchStep }>>()
  const waiting = [...places]
  let ended: CoachFailure | null = null

  const start = (place: number) => {
    const work = prepare(place).then(async (prepared) => {
      const { content, request } = prepared
      const asked = await asker.ask({ content, ...request }, all)
      return { place, step: { prepared, asked } }
    })
    work.catch(() => undefined)
    running.set(place, work)
  }

  try {
    for (;;) {
      while (ended === null && !all.aborted && running.size < AT_ONCE) {
        const place = waiting.shift()
        if (place === undefined) break
        start(place)
      }
      if (running.size === 0) return ended
      const { place, step } = await Promise.race(running.values())
      running.delete(place)
      const { asked } = step
      if (!asked.ok && ENDS_BATCH.has(asked.error.kind)) ended ??= asked.error
      yield step
    }
  } finally {
    stop.abort()
  }
}

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
  const { open: wanted = [], gated = [] } = Object.groupBy(chosenRows(set, seqs), (row) =>
    row.gated ? 'gated' : 'open',
  )
  coach.logGated(gated)
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

/** The rows of a batch; null = all. */
function chosenRows({ rows }: CoachRows, seqs: readonly number[] | null): readonly CoachRow[] {
  if (seqs === null) return rows
  const wanted = new Set(seqs)
  return rows.filter((row) => wanted.has(row.seq))
}

/** [V20] What asking about outputs of a session would send and cost. */
export function estimateOf(
  coach: CoachService,
  set: CoachRows,
  seqs: readonly number[] | null,
): Promise<CoachEstimate> {
  return estimateFor(coach, set.basis, chosenRows(set, seqs))
}

/**
 * [V20] What a batch would send and cost: every question once, without those that a gate decides or
 * that were answered before. Tokens in are an estimate, those of the answers their limit.
 */
export async function estimateFor(
  coach: CoachService,
  { promptHash }: Pick<CoachBasis, 'promptHash'>,
  outputs: ReadonlyArray<Pick<CoachRow, 'content' | 'gated' | 'tokens'>>,
): Promise<CoachEstimate> {
  const open = outputs.filter((output) => !output.gated)
  const known = await Promise.all(
    open.map(({ content }) => coach.asker.known({ content, promptHash })),
  )
  const asked = new Map(
    open
      .filter((_, index) => known[index] === null)
      .map(({ content, tokens }) => [content, tokens]),
  )
  const inputTokens = [...asked.values()].reduce((sum, tokens) => sum + tokens, 0)
  const outputTokens = asked.size * MAX_OUTPUT_TOKENS
  const ready = await coach.asker.model()
  return {
    outputs: outputs.length,
    gated: outputs.length - open.length,
    cached: open.length - asked.size,
    calls: asked.size,
    inputTokens,
    outputTokens,
    dollars: dollarsOf(await coach.settings(), { inputTokens, outputTokens }),
    problem: ready.ok ? null : ready.error,
  }
}
