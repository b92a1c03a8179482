import type { MessagePort } from 'node:worker_threads'
import type { Port } from '../../../wire/rpc.ts'

/** The main side of a worker thread as a port; it closes when the thread ends. */
export function portOfWorker(worker: Channel): Port {
  return portOf(worker, 'exit')
}

/** The worker's own side. */
export function portOfParent(port: MessagePort): Port {
  return portOf(port, 'close')
}

interface Channel {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
  once(event: string, listener: () => void): unknown
}

function portOf(channel: Channel, end: 'exit' | 'close'): Port {
  return {
    post: (message) => channel.postMessage(message),
    onMessage: (listener) => void channel.on('message', listener),
    onClose: (listener) => void channel.once(end, listener),
  }
}
