import type { TurnscopeContract } from '../../core/wire/contract.ts'
import type { CallName, Input, Output, StreamListener, StreamName } from '../../core/wire/rpc.ts'
import type { Host } from './api.ts'

type Contract = TurnscopeContract

/** A call that was asked ahead. */
interface Call {
  readonly answer: Promise<unknown>
  readonly cancel: () => void
}

/** A prefetched stream: its messages so far and its current listener. */
interface Stream {
  readonly give: (to: StreamListener<unknown>) => void
  readonly cancel: () => void
}

/** [U204] A host of which some questions were asked before anybody wanted to know. */
export interface AheadHost {
  /**
   * Returns the prefetched answer to the first caller that makes the same request; sends all other requests to the
   * host.
   */
  readonly host: Host
  readonly call: <K extends CallName<Contract>>(name: K, input: Input<Contract, K>) => void
  /** `watch` receives each message before the caller that takes the stream over. */
  readonly stream: <K extends StreamName<Contract>>(
    name: K,
    input: Input<Contract, K>,
    watch: (message: Output<Contract, K>) => void,
  ) => void
  /** Cancels prefetched requests that no caller has taken over. */
  readonly drop: () => void
}

/** Equal questions have equal keys, however their members are ordered. */
const keyOf = (name: string, input: object): string =>
  `${name} ${JSON.stringify(Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`

function taken<T>(from: Map<string, T>, key: string): T | undefined {
  const found = from.get(key)
  from.delete(key)
  return found
}

export function askAhead(raw: Host): AheadHost {
  const calls = new Map<string, Call>()
  const streams = new Map<string, Stream>()
  const host: Host = {
    call: (name, input, signal) => {
      const found = taken(calls, keyOf(name, input))
      if (found === undefined) return raw.call(name, input, signal)
      if (signal?.aborted === true) found.cancel()
      signal?.addEventListener('abort', found.cancel, { once: true })
      // It is the answer to this very question.
      return found.answer as ReturnType<typeof raw.call<typeof name>>
    },
    subscribe: (name, input, on) => {
      const found = taken(streams, keyOf(name, input))
      if (found === undefined) return raw.subscribe(name, input, on)
      found.give(on)
      return found.cancel
    },
  }
  return {
    host,
    call: (name, input) => {
      const stop = new AbortController()
      const answer = raw.call(name, input, stop.signal)
      // The caller that takes the answer over receives the error.
      answer.catch(() => undefined)
      calls.set(keyOf(name, input), { answer, cancel: () => stop.abort() })
    },
    stream: (name, input, watch) => {
      streams.set(
        keyOf(name, input),
        beginStream((on) => raw.subscribe(name, input, on), watch),
      )
    },
    drop: () => {
      for (const { cancel } of [...calls.values(), ...streams.values()]) cancel()
      calls.clear()
      streams.clear()
    },
  }
}

function beginStream<T>(
  subscribe: (on: StreamListener<T>) => () => void,
  watch: (message: T) => void,
): Stream {
  const held: Array<(to: StreamListener<unknown>) => void> = []
  let listener: StreamListener<unknown> | null = null
  const tell = (act: (to: StreamListener<unknown>) => void): void => {
    if (listener === null) held.push(act)
    else act(listener)
  }
  const cancel = subscribe({
    next: (message) => {
      watch(message)
      tell((to) => to.next(message))
    },
    error: (error) => tell((to) => to.error?.(error)),
    end: () => tell((to) => to.end?.()),
  })
  return {
    cancel,
    give: (to) => {
      listener = to
      for (const act of held) act(to)
      held.length = 0
    },
  }
}
