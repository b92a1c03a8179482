import { startThread } from '../threads.ts'

// `node:worker_threads` inside one worker: a thread is code of the same program at the other end of a message channel.
// The whole host runs in one worker of the page, so it never blocks the page.

export type ResourceLimits = object
export const parentPort = null
export const workerData = null
export const isMainThread = true
const Channel = MessageChannel
export { Channel as MessageChannel }

type Listener = (value: never) => void

export class Worker {
  readonly #port: MessagePort
  readonly #listeners = new Map<string, Listener[]>()

  constructor(url: URL, { workerData: data }: { readonly workerData: object }) {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.onmessage = (event: MessageEvent<unknown>) => this.#tell('message', event.data)
    startThread(url, data, port2)
  }

  #tell(event: string, value: unknown): void {
    for (const listener of this.#listeners.get(event) ?? [])
      (listener as (value: unknown) => void)(value)
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message)
  }

  on(event: string, listener: Listener): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener])
    return this
  }

  once(event: string, listener: Listener): this {
    return this.on(event, listener)
  }

  prependListener(event: string, listener: Listener): this {
    this.#listeners.set(event, [listener, ...(this.#listeners.get(event) ?? [])])
    return this
  }

  terminate(): Promise<number> {
    this.#port.close()
    this.#tell('exit', 0)
    return Promise.resolve(0)
  }
}
