import type { z } from 'zod'
import type { Immutable } from '../engine/schema/immutable.ts'
import {
  type Pending,
  type RpcErrorCode,
  type Wire,
  isWire,
  pack,
  Packed,
  passingAssembly,
  readingAssembly,
  tell,
  wireOf,
} from './messages.ts'

export { writeMessage } from './messages.ts'
export type { RpcErrorCode } from './messages.ts'

/** One method of the wire. A `call` answers once; a `stream` answers any number of times, then ends. */
export interface Method {
  readonly kind: 'call' | 'stream'
  readonly in: z.ZodType
  readonly out: z.ZodType
  /** Answers are large: they travel as JSON text, which whoever only passes them on need not read. */
  readonly packed?: true
}
export type Contract = Readonly<Record<string, Method>>

/** All that a transport has to be: Electron IPC, WebSocket, a worker's MessagePort, an in-memory pair. */
export interface Port {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: () => void): void
}

/** What a failed call rejects with, on both sides. */
export class RpcError extends Error {
  readonly code: RpcErrorCode
  constructor(code: RpcErrorCode, message: string) {
    super(message)
    this.name = 'RpcError'
    this.code = code
  }
}

type KeysOf<C extends Contract, Kind extends Method['kind']> = {
  [K in keyof C]: C[K]['kind'] extends Kind ? K : never
}[keyof C]
export type CallName<C extends Contract> = KeysOf<C, 'call'> & string
export type StreamName<C extends Contract> = KeysOf<C, 'stream'> & string
export type Input<C extends Contract, K extends keyof C> = z.input<C[K]['in']>
export type Output<C extends Contract, K extends keyof C> = Immutable<z.output<C[K]['out']>>

export interface CallContext {
  /** Aborted when the caller cancels or its port closes. */
  readonly signal: AbortSignal
}

/** The server's side of a contract: one function a method; a missing one does not compile. */
export type Handlers<C extends Contract> = {
  readonly [K in CallName<C>]: (
    input: z.output<C[K]['in']>,
    context: CallContext,
  ) => Promise<Immutable<z.input<C[K]['out']>>> | Immutable<z.input<C[K]['out']>>
} & {
  readonly [K in StreamName<C>]: (
    input: z.output<C[K]['in']>,
    context: CallContext,
  ) => AsyncIterable<Immutable<z.input<C[K]['out']>>>
}

/** The caller's side of a contract. */
export interface Client<C extends Contract> {
  call<K extends CallName<C>>(
    name: K,
    input: Input<C, K>,
    signal?: AbortSignal,
  ): Promise<Output<C, K>>
  /** Returns the function that cancels the stream. */
  subscribe<K extends StreamName<C>>(
    name: K,
    input: Input<C, K>,
    on: StreamListener<Output<C, K>>,
  ): () => void
}

export interface StreamListener<T> {
  next(value: T): void
  error?(error: RpcError): void
  end?(): void
}

type AnyHandler = (input: unknown, context: CallContext) => unknown

function checkOutput(method: Method, name: string, value: unknown): unknown {
  const output = method.out.safeParse(value)
  if (!output.success) throw new RpcError('BAD_OUTPUT', `${name}: ${output.error.message}`)
  return output.data
}

/** Mounts handlers on a port. Input is parsed before a handler sees it, output before it leaves. */
export function serve<C extends Contract>(contract: C, handlers: Handlers<C>, port: Port): void {
  const live = new Map<number, AbortController>()
  const send = (message: Wire) => port.post(message)
  port.onClose(() => {
    for (const controller of live.values()) controller.abort()
    live.clear()
  })

  async function answer(id: number, name: string, payload: unknown, controller: AbortController) {
    const method = Object.hasOwn(contract, name) ? contract[name] : undefined
    if (!method) throw new RpcError('NO_METHOD', `there is no method "${name}"`)
    const input = method.in.safeParse(payload)
    if (!input.success) throw new RpcError('BAD_INPUT', `${name}: ${input.error.message}`)
    // The mapped type ties name, input and output together; a dynamic name loses it here only.
    const handler = (handlers as Readonly<Record<string, AnyHandler>>)[name]
    if (!handler) throw new RpcError('NO_METHOD', `"${name}" has no handler`)
    const result = handler(input.data, { signal: controller.signal })
    const checked = (value: unknown) => checkOutput(method, name, value)
    const post = (t: 'ok' | 'next', value: unknown) => {
      // A packed answer was checked by the same schema where it was made.
      const packed =
        value instanceof Packed ? value : method.packed === true ? pack(checked(value)) : null
      if (packed) for (const message of wireOf(id, t, packed)) send(message)
      else send({ id, t, v: checked(value) })
    }
    if (method.kind === 'call') {
      const value = await result
      if (!controller.signal.aborted) post('ok', value)
      return
    }
    for await (const value of result as AsyncIterable<unknown>) {
      if (controller.signal.aborted) return
      post('next', value)
    }
    if (!controller.signal.aborted) send({ id, t: 'ok' })
  }

  port.onMessage((message) => {
    if (!isWire(message)) return
    const { id } = message
    if (message.t === 'cancel') {
      live.get(id)?.abort()
      live.delete(id)
      return
    }
    if (message.t !== 'open') return
    const controller = new AbortController()
    live.set(id, controller)
    answer(id, message.m, message.p, controller)
      .catch((error: unknown) => {
        if (controller.signal.aborted) return
        const known = error instanceof RpcError
        const text = error instanceof Error ? error.message : String(error)
        send({ id, t: 'err', e: { code: known ? error.code : 'FAILED', message: text } })
      })
      .finally(() => live.delete(id))
  })
}

interface Told extends Pick<Pending, 'next' | 'end'> {
  readonly fail: (error: RpcError) => void
}

/**
 * Connects to whatever serves `C` at the other end of the port. With `passOn`, packed answers stay
 * text: they can only be answered with, by a handler of the same method.
 */
export function connect<C extends Contract>(port: Port, { passOn = false } = {}): Client<C> {
  let lastId = 0
  let closed = false
  const open = new Map<number, Pending>()

  port.onMessage((message) => {
    if (!isWire(message)) return
    const pending = open.get(message.id)
    if (!pending) return
    // Before the answer is told: who hears the end may cancel, and there is nothing to cancel any more.
    if (message.t === 'ok' || message.t === 'err') open.delete(message.id)
    tell(pending, message)
  })
  port.onClose(() => {
    closed = true
    for (const pending of open.values()) pending.fail('CLOSED', 'the host went away')
    open.clear()
  })

  function start(name: string, payload: unknown, on: Told): () => void {
    if (closed) {
      on.fail(new RpcError('CLOSED', 'the host went away'))
      return () => undefined
    }
    lastId += 1
    const id = lastId
    const fail = (code: RpcErrorCode, text: string) => on.fail(new RpcError(code, text))
    open.set(id, { ...on, fail, assembly: passOn ? passingAssembly() : readingAssembly() })
    port.post({ id, t: 'open', m: name, p: payload } satisfies Wire)
    return () => {
      if (open.delete(id)) port.post({ id, t: 'cancel' } satisfies Wire)
    }
  }

  return {
    call: (name, input, signal) =>
      new Promise((resolve, reject) => {
        const cancel = start(name, input, {
          next: () => undefined,
          // What arrives was parsed by the contract's own schema before it was sent.
          end: (value) => resolve(value as never),
          fail: reject,
        })
        signal?.addEventListener('abort', () => {
          cancel()
          reject(new RpcError('CLOSED', 'cancelled'))
        })
      }),
    subscribe: (name, input, on) =>
      start(name, input, {
        next: (value) => on.next(value as never),
        end: () => on.end?.(),
        fail: (error) => on.error?.(error),
      }),
  }
}
