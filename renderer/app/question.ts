import type { TurnscopeContract } from '../../core/wire/contract.ts'
import type { CallName, Input, Output, StreamName } from '../../core/wire/rpc.ts'
import type { Failure, Progress } from './async-data.ts'
import { failureOf, host, wasCancelled } from './host.ts'

/** What is told of a question under way. */
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
  /** What a failure is said to be about, where the host does not say it. */
  readonly where: string
  /** What the answer depends on beside the input: contents of files, for example. */
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
/** What a call answers, or a stream beside its progress. */
export type Answer<K extends Name> = Exclude<Message<K>, { readonly kind: 'progress' }>
/** Streams that tell their progress, all in the same shape. */
type WithProgress = {
  [K in StreamName<TurnscopeContract>]: Progress extends Message<K> ? K : never
}[StreamName<TurnscopeContract>]

/** A question whose answer takes its time: the host tells how far it is. */
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
            // What is no progress is an answer: the type of one stream out of many loses that.
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

/** The same question, with what the window makes of its answer. */
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
