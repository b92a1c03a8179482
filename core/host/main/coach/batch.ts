import type { CoachFailure } from '../../../engine/schema/coach-wire.ts'
import { type Asker, type Asked, AT_ONCE } from './asker.ts'
import { ENDS_BATCH } from '../../shared/call-failures.ts'
import type { CoachPrepared } from '../../session/coach/contract.ts'

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
