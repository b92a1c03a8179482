import type {
  Answer,
  Asked,
  CallContext,
  CallName,
  Contract,
  Handlers,
  Input,
  Method,
  Output,
  Place,
  RowsAt,
  StreamName,
} from './method.ts'
import {
  type Told,
  type Wire,
  failureToWire,
  isWire,
  messagesOf,
  reader,
  RpcError,
} from './messages.ts'

export { writeMessage, RpcError } from './messages.ts'
export type {
  CallContext,
  CallName,
  Contract,
  Handlers,
  HandlersOf,
  Input,
  Output,
  StreamName,
} from './method.ts'

/** All that a transport has to be: Electron IPC, WebSocket, a worker's MessagePort, an in-memory pair. */
export interface Port {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: () => void): void
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

/** A client that can also forward a call. The answer is passed unchanged to the caller. */
export type ForwardingClient<C extends Contract> = Client<C> & {
  /** `explain` returns the caller's error message if the other side disconnects. */
  readonly forward: <K extends keyof C & string>(
    name: K,
    input: Input<C, K>,
    explain?: (error: RpcError) => RpcError,
  ) => Forwarded<Output<C, K>>
}

type Relay = (post: (message: Wire) => void, signal: AbortSignal) => Promise<void>

/** The answer to a call that another thread gives: its messages are passed on unread. */
export class Forwarded<T = unknown> {
  readonly relay: Relay
  /** For types only: the other thread's answer. */
  declare readonly answer?: T
  constructor(relay: Relay) {
    this.relay = relay
  }
}

/** Handlers of a server that also forwards: each may leave its answer to another thread. */
export type ForwardingHandlers<C extends Contract> = {
  readonly [K in keyof C]: (
    input: Asked<C, K>,
    context: CallContext,
  ) =>
    | ReturnType<Handlers<C>[K & keyof Handlers<C>]>
    | Forwarded<Answer<C, K>>
    | Promise<Forwarded<Answer<C, K>>>
}

/** A call on its way to the thread that answers it; nothing of the payload was checked yet. */
export interface Forwarding {
  readonly name: string
  readonly at: Exclude<Place, 'main'>
  readonly payload: unknown
}
export type Forward = (call: Forwarding) => Forwarded | Promise<Forwarded>

type AnyHandler = (input: unknown, context: CallContext) => unknown

function checkOutput({ out }: Method, name: string, value: unknown): unknown {
  const output = out.safeParse(value)
  if (!output.success) throw new RpcError('BAD_OUTPUT', `${name}: ${output.error.message}`)
  return output.data
}

/**
 * Mounts handlers on a port. Input is parsed before a handler sees it, output before it leaves. With
 * `forward`, only rows at `main` have handlers; all others go on to a thread that parses them itself.
 */
export function serve<C extends Contract>(contract: C, handlers: Handlers<C>, port: Port): void
export function serve<C extends Contract>(
  contract: C,
  handlers: ForwardingHandlers<RowsAt<C, 'main'>>,
  port: Port,
  forward: Forward,
): void
export function serve(contract: Contract, handlers: object, port: Port, forward?: Forward): void {
  const live = new Map<number, AbortController>()
  port.onClose(() => {
    for (const controller of live.values()) controller.abort()
    live.clear()
  })

  /** The handler's answer, or that of the thread to which the call belongs. */
  function ask(name: string, method: Method, payload: unknown, context: CallContext): unknown {
    const { at } = method
    if (forward && at !== 'main') return forward({ name, at, payload })
    const input = method.in.safeParse(payload)
    if (!input.success) throw new RpcError('BAD_INPUT', `${name}: ${input.error.message}`)
    // The mapped type ties name, input and output together; a dynamic name loses it here only.
    const handler = (handlers as Readonly<Record<string, AnyHandler>>)[name]
    if (!handler) throw new RpcError('NO_METHOD', `"${name}" has no handler`)
    return handler(input.data, context)
  }

  async function answer(id: number, name: string, payload: unknown, { signal }: CallContext) {
    const method = Object.hasOwn(contract, name) ? contract[name] : undefined
    if (!method) throw new RpcError('NO_METHOD', `there is no method "${name}"`)
    const result = await ask(name, method, payload, { signal })
    const isOver = () => signal.aborted
    if (isOver()) return
    if (result instanceof Forwarded) {
      await result.relay((message) => port.post({ ...message, id }), signal)
      return
    }
    const post = (t: 'ok' | 'next', value: unknown) => {
      const checked = checkOutput(method, name, value)
      for (const message of messagesOf(id, t, checked, method.packed === true)) port.post(message)
    }
    if (method.kind === 'call') {
      post('ok', result)
      return
    }
    for await (const value of result as AsyncIterable<unknown>) {
      if (isOver()) return
      post('next', value)
    }
    if (!isOver()) port.post({ id, t: 'ok' } satisfies Wire)
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
        port.post({ id, t: 'err', e: failureToWire(error) } satisfies Wire)
      })
      .finally(() => live.delete(id))
  })
}

/** Connects to the server of `C` at the other end of the port. */
export function connect<C extends Contract>(port: Port): Client<C> {
  return connectThread<C>(port)
}

/** The same for a server that passes calls on to the other end. */
export function connectThread<C extends Contract>(port: Port): ForwardingClient<C> {
  const start = openCalls(port)
  // Received data was parsed by the contract's own schema before it was sent.
  const ask = (name: string, input: unknown, on: Told) =>
    start(name, input, { take: reader(on), fail: on.fail })
  return {
    call: (name, input, signal) =>
      new Promise((resolve, reject) => {
        const end = (value: unknown) => resolve(value as never)
        const cancel = ask(name, input, { next: () => undefined, end, fail: reject })
        signal?.addEventListener('abort', () => {
          cancel()
          reject(new RpcError('CLOSED', 'cancelled'))
        })
      }),
    subscribe: (name, input, on) =>
      ask(name, input, {
        next: (value) => on.next(value as never),
        end: () => on.end?.(),
        fail: (error) => on.error?.(error),
      }),
    forward: (name, input, explain = (error) => error) =>
      new Forwarded(
        (post, signal) =>
          new Promise((resolve, reject) => {
            const cancel = start(name, input, {
              take: (message) => {
                post(message)
                if (isLast(message)) resolve()
              },
              fail: (error) => reject(explain(error)),
            })
            signal.addEventListener('abort', () => {
              cancel()
              resolve()
            })
          }),
      ),
  }
}

/** A call that waits for its messages. */
interface OpenCall {
  readonly take: (message: Wire) => void
  /** The other side went away. */
  readonly fail: (error: RpcError) => void
}

/** Opens calls at the other end of a port; each gives the function that cancels it. */
function openCalls(port: Port): (name: string, payload: unknown, call: OpenCall) => () => void {
  let lastId = 0
  let closed = false
  const open = new Map<number, OpenCall>()
  const gone = () => new RpcError('CLOSED', 'the host went away')

  port.onMessage((message) => {
    if (!isWire(message)) return
    const pending = open.get(message.id)
    // Deleted before the answer is delivered, because its listener may cancel, and then nothing is left to cancel.
    if (isLast(message)) open.delete(message.id)
    pending?.take(message)
  })
  port.onClose(() => {
    closed = true
    for (const pending of open.values()) pending.fail(gone())
    open.clear()
  })

  return (name, payload, call) => {
    if (closed) {
      call.fail(gone())
      return () => undefined
    }
    lastId += 1
    const id = lastId
    open.set(id, call)
    port.post({ id, t: 'open', m: name, p: payload } satisfies Wire)
    return () => {
      if (open.delete(id)) port.post({ id, t: 'cancel' } satisfies Wire)
    }
  }
}

function isLast({ t }: Wire): boolean {
  return t === 'ok' || t === 'err'
}
