import type { MessagePort, Worker } from 'node:worker_threads'
import type { Port } from '../../wire/rpc.ts'

/** The main side of a worker thread as a port; it closes when the thread ends. */
export function portOfWorker(worker: Worker): Port {
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      worker.on('message', listener)
    },
    onClose: (listener) => {
      worker.once('exit', listener)
    },
  }
}

/** The worker's own side. */
export function portOfParent(port: MessagePort): Port {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', listener)
    },
    onClose: (listener) => {
      port.once('close', listener)
    },
  }
}

/** Two joined ports in one process; values cross as JSON does, so that nothing else sneaks through. */
export function portPair(): {
  readonly left: Port
  readonly right: Port
  readonly close: () => void
} {
  const left = endpoint()
  const right = endpoint()
  const link = (from: Endpoint, to: Endpoint): Port => ({
    post: (message) => {
      const wire = JSON.stringify(message)
      queueMicrotask(() => {
        for (const listener of to.messages) listener(JSON.parse(wire))
      })
    },
    onMessage: (listener) => from.messages.push(listener),
    onClose: (listener) => from.closes.push(listener),
  })
  return {
    left: link(left, right),
    right: link(right, left),
    close: () => {
      for (const listener of [...left.closes, ...right.closes]) listener()
    },
  }
}

interface Endpoint {
  readonly messages: Array<(message: unknown) => void>
  readonly closes: Array<() => void>
}

function endpoint(): Endpoint {
  return { messages: [], closes: [] }
}
