import { openWorkspace } from '../core/host/workspace/workspace.ts'
import { createLabHandlers } from '../core/host/entries/lab-handlers.ts'
import { createSessionHandlers } from '../core/host/entries/session-handlers.ts'
import { createPriority } from '../core/host/platform/threads/priority.ts'
import { type Port, serve } from '../core/wire/rpc.ts'
import { labThreadContract, sessionContract, ThreadData } from '../core/wire/threads.ts'

/** The host's names for its threads: `page:session` takes the place of a file. */
const THREADS: Readonly<Record<string, (data: unknown, port: Port) => void>> = {
  'page:session': (data, port) => {
    const { workspace, shipped, trust } = ThreadData.parse(data)
    const priority = createPriority()
    const handlers = createSessionHandlers(openWorkspace(workspace, shipped, trust), priority)
    serve(sessionContract, priority.first(handlers), port)
  },
  'page:lab': (data, port) => {
    const { workspace, shipped, trust } = ThreadData.parse(data)
    serve(labThreadContract, createLabHandlers(openWorkspace(workspace, shipped, trust)), port)
  },
}

/** Starts the part of the program that a thread would run elsewhere. */
export function startThread(url: URL, data: unknown, port: MessagePort): void {
  const start = THREADS[url.href]
  if (start === undefined) throw new Error(`${url.href}: this part is not in an exported page`)
  start(data, portOf(port))
}

/** Either end of a message channel as a port of the wire. */
function portOf(port: MessagePort): Port {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.onmessage = (event: MessageEvent<unknown>) => listener(event.data)
    },
    onClose: () => undefined,
  }
}
