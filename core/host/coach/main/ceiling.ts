import type { CoachFailure, CoachSettings } from '../../../engine/schema/coach-wire.ts'
import { failureOf } from '../../platform/net/call-failures.ts'
import { dollarsOf } from './asker.ts'
import { MAX_OUTPUT_TOKENS } from './model-client.ts'
import type { StoredAnswer } from './verdict-store.ts'

/** [V42] The usage of a run, and its remaining budget. */
export interface Ceiling {
  /** Why the run may not begin: a ceiling in dollars without prices counts nothing. */
  readonly problem: CoachFailure | null
  /**
   * Reserves the maximum that a call may use. Returns a failure if that exceeds the ceiling. Waits if calls in flight
   * may turn out to need less than reserved.
   */
  reserve(inputTokens: number): Promise<CoachFailure | null>
  /** Replaces the reservation by the actual usage. Null: the call failed and its usage is unknown. */
  settle(inputTokens: number, used: Usage | null): void
  /** The usage so far, as text. */
  said(): string
}

type Usage = Pick<StoredAnswer, 'inputTokens' | 'outputTokens'>
type Prices = Pick<CoachSettings, 'inputPrice' | 'outputPrice' | 'maxCost' | 'maxTokens'>

/**
 * [V42] The ceiling of one run. A call is sent only if its maximum usage (estimated text and longest answer) still
 * fits, together with all calls in flight. Spending thus stays below the ceiling, except if the estimate of a text was
 * too low.
 */
export function createCeiling(settings: Prices): Ceiling {
  const { maxCost, maxTokens } = settings
  const used = { inputTokens: 0, outputTokens: 0 }
  const booked = { inputTokens: 0, outputTokens: 0 }
  const waiting: Array<() => void> = []
  const priced = settings.inputPrice !== null && settings.outputPrice !== null

  function said(): string {
    const tokens = `${used.inputTokens + used.outputTokens} tokens`
    const dollars = dollarsOf(settings, used)
    return dollars === null
      ? `${tokens}, prices unknown`
      : `${dollars.toFixed(4)} dollars, ${tokens}`
  }

  function passed(more: number): string | null {
    const inputTokens = used.inputTokens + booked.inputTokens + more
    const outputTokens = used.outputTokens + booked.outputTokens + MAX_OUTPUT_TOKENS
    if (maxTokens !== null && inputTokens + outputTokens > maxTokens) return `${maxTokens} tokens`
    const dollars = dollarsOf(settings, { inputTokens, outputTokens })
    return maxCost !== null && dollars !== null && dollars > maxCost ? `${maxCost} dollars` : null
  }

  return {
    problem:
      maxCost !== null && maxTokens === null && !priced
        ? { ...failureOf('ceiling', 'in dollars, but the prices are unknown'), do: UNPRICED }
        : null,
    said,
    reserve: async (inputTokens) => {
      for (;;) {
        const what = passed(inputTokens)
        if (what === null) break
        if (booked.outputTokens === 0) return failureOf('ceiling', `${what}; used: ${said()}`)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
        })
      }
      booked.inputTokens += inputTokens
      booked.outputTokens += MAX_OUTPUT_TOKENS
      return null
    },
    settle: (inputTokens, usage) => {
      booked.inputTokens -= inputTokens
      booked.outputTokens -= MAX_OUTPUT_TOKENS
      if (usage !== null) {
        // If the server does not report usage, the maximum counts.
        used.inputTokens += usage.inputTokens ?? inputTokens
        used.outputTokens += usage.outputTokens ?? MAX_OUTPUT_TOKENS
      }
      for (const go of waiting.splice(0)) go()
    },
  }
}

const UNPRICED = 'Enter the prices of the model, or set a ceiling in tokens (--max-tokens-total)'
