import type { CoachEstimate, CoachFailure } from '../../../engine/schema/coach-wire.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'
import type {
  CoachBasis,
  CoachPrepared,
  CoachRow,
  CoachRows,
} from '../../../wire/internal/coach.ts'
import type { Output } from '../../../wire/rpc.ts'
import { ENDS_BATCH } from '../../platform/net/call-failures.ts'
import { type Asked, type Asker, AT_ONCE, dollarsOf } from './asker.ts'
import { type Ceiling, createCeiling } from './ceiling.ts'
import { MAX_OUTPUT_TOKENS } from './model-client.ts'
import type { CoachService } from './service.ts'

/** One output of a batch that has been asked about. */
interface BatchStep {
  readonly prepared: CoachPrepared
  readonly asked: Asked
}

interface Bounds {
  readonly signal: AbortSignal
  readonly ceiling: Ceiling
}

/** [V42] Sends one question if it fits under the ceiling. Cached answers cost nothing. */
async function askWithin(
  asker: Asker,
  { content, request }: CoachPrepared,
  signal: AbortSignal,
  ceiling: Ceiling,
): Promise<Asked> {
  const [known] = await asker.known([{ content, promptHash: request.promptHash }])
  if (known) return { ok: true, value: { answer: known, cached: true } }
  const refused = await ceiling.reserve(request.tokens)
  if (refused !== null) return { ok: false, error: refused }
  const asked = await asker.ask({ content, ...request }, signal)
  const paid = asked.ok && !asked.value.cached
  ceiling.settle(request.tokens, paid ? asked.value.answer : null)
  return asked
}

/**
 * [V20] Sends outputs to the model, a few at a time; answers arrive in any order. A failure that would affect every
 * other call ends the batch, and the rest is not sent. Leaving the loop cancels calls in flight.
 */
export async function* askBatch(
  asker: Asker,
  places: readonly number[],
  prepare: (place: number) => Promise<CoachPrepared>,
  { signal, ceiling }: Bounds,
): AsyncGenerator<BatchStep, CoachFailure | null> {
  const stop = new AbortController()
  const all = AbortSignal.any([signal, stop.signal])
  const running = new Map<number, Promise<{ place: number; step: BatchStep }>>()
  const waiting = [...places]
  let ended: CoachFailure | null = null

  const start = (place: number) => {
    const work = prepare(place).then(async (prepared) => {
      return { place, step: { prepared, asked: await askWithin(asker, prepared, all, ceiling) } }
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
  /** Of several batches together; without it, that of the settings, for this batch alone. */
  readonly ceiling?: Ceiling
  readonly set: CoachRows
  readonly seqs: readonly number[] | null
  readonly prepare: (seq: number) => Promise<CoachPrepared>
}

/** `coach.run`: sends each output once, yields the progress, and ends with the sums. */
export async function* runBatch(
  coach: CoachService,
  { set, seqs, prepare, ...given }: Batch,
  signal: AbortSignal,
): AsyncGenerator<Step, void> {
  const sums = { calls: 0, cached: 0, failed: 0, dollars: null as number | null }
  const ready = await coach.asker.model()
  if (!ready.ok) {
    yield { kind: 'done', ...sums, failure: ready.error }
    return
  }
  const ceiling = given.ceiling ?? createCeiling(ready.value.settings)
  if (ceiling.problem !== null) {
    yield { kind: 'done', ...sums, failure: ceiling.problem }
    return
  }
  // [V10] Outputs that a gate decides are never sent.
  const { open: wanted = [], gated = [] } = Object.groupBy(chosenRows(set, seqs), (row) =>
    row.gated ? 'gated' : 'open',
  )
  coach.logGated(gated)
  const places = wanted.map((row) => row.seq)
  const steps = askBatch(coach.asker, places, prepare, { signal, ceiling })
  let done = 0
  for (;;) {
    const next = await steps.next()
    if (next.done === true) {
      yield { kind: 'done', ...sums, failure: next.value }
      return
    }
    const { prepared, asked } = next.value
    // [V42] An output over the ceiling was not sent: the rules' verdict applies, and it is not a failure.
    if (!asked.ok && asked.error.kind === 'ceiling') continue
    coach.logAsked(prepared, asked, set.basis)
    done += 1
    yield { kind: 'progress', phase: 'judging', done, total: places.length }
    const dollars = spentOn(asked)
    sums[sumOf(asked)] += 1
    if (dollars !== null) sums.dollars = (sums.dollars ?? 0) + dollars
    yield { kind: 'judged', seqs: [prepared.seq], dollars }
  }
}

function sumOf(asked: Asked): 'failed' | 'cached' | 'calls' {
  if (!asked.ok) return 'failed'
  return asked.value.cached ? 'cached' : 'calls'
}

/** Cost of an answer; null if it came from the cache or prices are unknown. */
function spentOn(asked: Asked): number | null {
  return asked.ok && !asked.value.cached ? asked.value.answer.dollars : null
}

/** The rows of a batch; null = all. */
function chosenRows({ rows }: CoachRows, seqs: readonly number[] | null): readonly CoachRow[] {
  if (seqs === null) return rows
  const wanted = new Set(seqs)
  return rows.filter((row) => wanted.has(row.seq))
}

/** [V20] Estimates the data sent and the cost of questions about outputs of a session. */
export function estimateOf(
  coach: CoachService,
  set: CoachRows,
  seqs: readonly number[] | null,
): Promise<CoachEstimate> {
  return estimateFor(coach, set.basis, chosenRows(set, seqs))
}

/**
 * [V20] Estimated requests and cost of a batch: every question once, except those that a gate decides or that have an
 * answer. Input tokens are an estimate; output tokens are the limit.
 */
export async function estimateFor(
  coach: CoachService,
  { promptHash }: Pick<CoachBasis, 'promptHash'>,
  outputs: ReadonlyArray<Pick<CoachRow, 'content' | 'gated' | 'tokens'>>,
): Promise<CoachEstimate> {
  const open = outputs.filter((output) => !output.gated)
  const known = await coach.asker.known(open.map(({ content }) => ({ content, promptHash })))
  const asked = new Map(
    open
      .filter((_, index) => (known[index] ?? null) === null)
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
