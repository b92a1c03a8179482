import type { CoachFailure, CoachSettings } from '../../../engine/schema/coach-wire.ts'
import { failureOf } from '../../platform/net/call-failures.ts'
import { dollarsOf } from './asker.ts'
import { MAX_OUTPUT_TOKENS } from './model-client.ts'
import type { StoredAnswer } from './verdict-store.ts'

/** [V42] What a run has used and may still use. */
export interface Ceiling {
  /** Why the run may not begin: a ceiling in dollars without prices counts nothing. */
  readonly problem: CoachFailure | null
  /**
   * Books the most that a call may use; a failure where that would pass the ceiling. Waits where calls that are
   * on their way may turn out to need less than was booked for them.
   */
  reserve(inputTokens: number): Promise<CoachFailure | null>
  /** Replaces what was booked by what was used; null: the call failed, and nothing was said of its use. */
  settle(inputTokens: number, used: Usage | null): void
  /** What was used so far, in words. */
  said(): string
}

type Usage = Pick<StoredAnswer, 'inputTokens' | 'outputTokens'>
type Prices = Pick<CoachSettings, 'inputPrice' | 'outputPrice' | 'maxCost' | 'maxTokens'>

/**
 * [V42] The ceiling of one run. A call is sent only where the most that it may use (its text, estimated, and the
 * longest answer) still fits, with all calls that are on their way: what is spent stays below the ceiling, but
 * for what an estimate of the text was too low.
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
        // A server that does not say what was used counts as the most that it may have been.
        used.inputTokens += usage.inputTokens ?? inputTokens
        used.outputTokens += usage.outputTokens ?? MAX_OUTPUT_TOKENS
      }
      for (const go of waiting.splice(0)) go()
    },
  }
}

const UNPRICED = 'Enter the prices of the model, or set a ceiling in tokens (--max-tokens-total)'
