import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { EarlyThreadData, ThreadData } from '../../wire/threads.ts'
import { rightsBy } from '../threads/asked-rights.ts'
import { useThreadAutomata } from '../threads/automata-thread.ts'
import { portOfParent } from '../platform/threads/ports.ts'
import { serveSessions } from './session-serve.ts'

// Entry of a session thread: it owns the sessions opened in it and answers for the workspace.
if (parentPort) {
  const port = parentPort
  const early = EarlyThreadData.safeParse(workerData)
  if (early.success) {
    const { rights } = early.data
    // A port of Node's, as `rights` is.
    const begin: object = early.data.begin
    // [F131] Loaded before it is known what for. Once: a second service on the port would answer each call again.
    const asked = begin as MessagePort
    asked.once('message', (told) => answer(port, ThreadData.parse({ ...Object(told), rights })))
  } else answer(port, ThreadData.parse(workerData))
}

function answer(port: MessagePort, data: ThreadData): void {
  const rights = rightsBy(data.rights)
  useThreadAutomata(data, rights)
  serveSessions(portOfParent(port), data, rights)
}
