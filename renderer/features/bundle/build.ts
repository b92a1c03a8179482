import type { BuiltStep } from '../../../core/engine/schema/bundle-wire.ts'
import type { TurnscopeContract } from '../../../core/wire/contract.ts'
import type { Input } from '../../../core/wire/rpc.ts'
import type { Failure } from '../../app/async-data.ts'
import { failureOf, host, wasCancelled } from '../../app/host.ts'

export type BuildRequest = Input<TurnscopeContract, 'bundle.build'>

export interface BuildListener {
  answer(built: BuiltStep): void
  failed(failure: Failure): void
}

export interface Builder {
  /** Builds after a pause; an answer to an earlier request is never told. */
  build(request: BuildRequest): void
  stop(): void
}

/** @param pause milliseconds without another request before the host is asked */
export function createBuilder(listener: BuildListener, pause = 180): Builder {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | null = null
  const stop = () => {
    clearTimeout(timer)
    asking?.abort()
    asking = null
  }
  const ask = async (request: BuildRequest, signal: AbortSignal) => {
    try {
      const built = await host().call('bundle.build', request, signal)
      if (!signal.aborted) listener.answer(built)
    } catch (error) {
      if (!signal.aborted && !wasCancelled(error)) listener.failed(failureOf(error, 'This bundle'))
    }
  }
  return {
    stop,
    build: (request) => {
      stop()
      const controller = new AbortController()
      asking = controller
      timer = setTimeout(() => void ask(request, controller.signal), pause)
    },
  }
}
