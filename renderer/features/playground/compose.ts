import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { QueryType } from '../../../core/engine/schema/query.ts'
import type { Output } from '../../../core/wire/rpc.ts'
import type { Failure } from '../../app/async-data.ts'
import { failureOf, host, wasCancelled } from '../../app/host.ts'

/** What is tried out in the playground. Never written to a file. */
export interface Trial {
  readonly text: string
  /** Null = classified from the text. */
  readonly type: QueryType | null
  /** Texts of segments that replace their files, by id. */
  readonly drafts: Readonly<Record<string, string>>
  readonly variables: Readonly<Record<string, string>>
  /** Null = the preset's. */
  readonly budget: number | null
}

export type Composed = Output<TurnscopeContract, 'playground.compose'>

export interface ComposeListener {
  answer(composed: Composed): void
  failed(failure: Failure): void
}

export interface Composer {
  /** Composes after a pause in the typing; an answer to an earlier trial is never told. */
  compose(preset: string, trial: Trial): void
  stop(): void
}

/** @param pause milliseconds without another trial before the host is asked */
export function createComposer(listener: ComposeListener, pause = 160): Composer {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | null = null
  const stop = () => {
    clearTimeout(timer)
    asking?.abort()
    asking = null
  }
  const ask = async (preset: string, trial: Trial, signal: AbortSignal) => {
    try {
      const { drafts, variables, ...rest } = trial
      const composed = await host().call(
        'playground.compose',
        { ...rest, preset, drafts: { ...drafts }, variables: filled(variables) },
        signal,
      )
      if (!signal.aborted) listener.answer(composed)
    } catch (error) {
      if (!signal.aborted && !wasCancelled(error))
        listener.failed(failureOf(error, 'Prompt playground'))
    }
  }
  return {
    stop,
    compose: (preset, trial) => {
      stop()
      const controller = new AbortController()
      asking = controller
      timer = setTimeout(() => void ask(preset, trial, controller.signal), pause)
    },
  }
}

/** A variable left empty is not given. */
function filled(variables: Trial['variables']): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
}
