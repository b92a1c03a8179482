import type { Failure } from './async-data.ts'
import type { Question } from './question.ts'

interface Told<T> {
  readonly answer: (value: T) => void
  readonly failed?: (failure: Failure) => void
}

/** Questions of which many are under way, each of them once. */
export interface Asking {
  /** Asks unless the same is under way; resolves when that is over. */
  readonly once: <T>(question: Question<T>, on: Told<T>) => Promise<void>
  /** Cancels the request under way. */
  readonly stop: () => void
}

export function createAsking(): Asking {
  const under = new Map<string, () => void>()
  return {
    once: async (question, { answer, failed }) => {
      const { key } = question
      if (under.has(key)) return
      const { promise, resolve } = Promise.withResolvers<undefined>()
      let stop: () => void = () => undefined
      const finish = () => {
        under.delete(key)
        resolve(undefined)
      }
      under.set(key, () => stop())
      const end = question.ask({
        answer,
        progress: () => undefined,
        failed: (failure) => {
          finish()
          failed?.(failure)
        },
        ended: finish,
      })
      stop = () => {
        end()
        finish()
      }
      await promise
    },
    stop: () => {
      for (const stop of [...under.values()]) stop()
    },
  }
}
