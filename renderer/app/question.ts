import type { TurnscopeContract } from '../../core/wire/contract.ts'
import type { CallName, Input, Output, StreamName } from '../../core/wire/rpc.ts'
import type { Failure, Progress } from './async-data.ts'
import { failureOf, host, wasCancelled } from './host.ts'

/** Receives the answer, progress and failure of a pending question. */
export interface Listener<T> {
  readonly answer: (value: T) => void
  readonly progress: (progress: Progress) => void
  readonly failed: (failure: Failure) => void
  /** There will be no further answer. */
  readonly ended: () => void
}

/** Something to ask the host. */
export interface Question<T> {
  /** Equal keys give equal answers. */
  readonly key: string
  /**
   * Files and configuration that the answer is about. While it is computed, an earlier answer stays on
   * screen only if it is of the same basis. Left out: every earlier answer stays.
   */
  readonly basis?: string
  /** A later question of the same topic waits for the answer to the earlier one. */
  readonly topic?: string
  /** Asks; returns what stops asking. */
  readonly ask: (on: Listener<T>) => () => void
  /** Whether an answer may be shown again when the same is asked later; left out: yes. */
  isLasting?(value: T): boolean
}

interface About<T> {
  /** Subject of a failure message, if the host does not give one. */
  readonly where: string
  /** Dependencies of the answer besides the input, such as file contents. */
  readonly of?: string
  readonly isLasting?: (value: T) => boolean
}

function keyOf(name: string, input: unknown, of = ''): string {
  return `${name} ${of} ${JSON.stringify(input)}`
}

/** A question that is answered once. */
export function call<K extends CallName<TurnscopeContract>>(
  name: K,
  input: Input<TurnscopeContract, K>,
  { where, of, ...rest }: About<Output<TurnscopeContract, K>>,
): Question<Output<TurnscopeContract, K>> {
  return {
    ...rest,
    key: keyOf(name, input, of),
    ask: (on) => {
      const { signal, abort } = abortable()
      const answer = async () => host().call(name, input, signal)
      answer().then(
        (value) => {
          if (signal.aborted) return
          on.answer(value)
          on.ended()
        },
        (error: unknown) => {
          if (!signal.aborted && !wasCancelled(error)) on.failed(failureOf(error, where))
        },
      )
      return abort
    },
  }
}

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

type Message<K extends Name> = Output<TurnscopeContract, K>
type Name = CallName<TurnscopeContract> | StreamName<TurnscopeContract>
/** The result of a call, or a stream's message other than progress. */
export type Answer<K extends Name> = Exclude<Message<K>, { readonly kind: 'progress' }>
/** Streams that tell their progress, all in the same shape. */
type WithProgress = {
  [K in StreamName<TurnscopeContract>]: Progress extends Message<K> ? K : never
}[StreamName<TurnscopeContract>]

/** A long-running question: the host reports its progress. */
export function stream<K extends WithProgress>(
  name: K,
  input: Input<TurnscopeContract, K>,
  { where, of, ...rest }: About<Answer<K>>,
): Question<Answer<K>> {
  return {
    ...rest,
    key: keyOf(name, input, of),
    ask: (on) => {
      try {
        return host().subscribe(name, input, {
          next: (message) => {
            if (message.kind === 'progress') on.progress(message)
            // Any message other than progress is an answer. The type of one stream out of many loses that fact.
            else on.answer(message as Answer<K>)
          },
          error: (error) => {
            if (!wasCancelled(error)) on.failed(failureOf(error, where))
          },
          end: () => on.ended(),
        })
      } catch (error) {
        on.failed(failureOf(error, where))
        return () => undefined
      }
    },
  }
}

/** The same question with a transformed answer. */
export function mapped<A, B>(
  { key, basis, ask }: Question<A>,
  change: (answer: A) => B,
  isLasting: (value: B) => boolean = () => true,
): Question<B> {
  return {
    key,
    ...(basis === undefined ? {} : { basis }),
    isLasting,
    ask: (on) => ask({ ...on, answer: (value) => on.answer(change(value)) }),
  }
}
