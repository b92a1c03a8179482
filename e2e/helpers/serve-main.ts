/**
 * Host process of end-to-end tests, forked by serve.ts. It serves one workspace at a time and keeps its loaded modules,
 * compiled automata and code caches for the next one.
 */
import { load } from '../../bin/launch.cjs'
import type { Answer, Request, ServeRequest } from './serve-protocol.ts'

// The build if it is current: it starts in a fraction of the time of the sources.
const { startServe } = await load('serve')
type Started = Awaited<ReturnType<typeof startServe>>

let served: Started | null = null
let restore = (): void => undefined

/** Sets variables of the environment. Returns the function that restores the previous values. */
function setVariables(variables: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
    }
  }
}

async function start({ workspace, root, port, receiverPort, file, feed, variables }: ServeRequest) {
  restore = setVariables(variables)
  served = await startServe({
    workspace,
    root,
    port,
    receiverPort,
    files: file === null ? [] : [file],
    ...(feed === null ? {} : { updates: await updatesOf(feed, workspace) }),
  })
  return served.url
}

/** A feed of updates: the real library reads it, for an installed version that the test made up. */
async function updatesOf(address: string, folder: string) {
  const { updaterOf } = await import('../../fixtures/updates/updater.ts')
  return updaterOf({ version: '1.0.0', folder, address })
}

async function close(): Promise<readonly string[]> {
  await served?.close()
  served = null
  restore()
  return await leftOpen()
}

/** Handles of the process besides the channel to the test runner. */
const OWN: ReadonlySet<string> = new Set(['PipeWrap', 'TTYWrap', 'Immediate', 'Timeout'])
/** Turns of the event loop in which closed handles have to be gone. */
const TURNS = 1000

/** Kinds of handles that are still open after the host has closed, for example of threads and sockets. */
async function leftOpen(): Promise<readonly string[]> {
  let left: readonly string[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    left = process.getActiveResourcesInfo().filter((kind) => !OWN.has(kind))
    if (left.length === 0) return []
    await new Promise((resolve) => setImmediate(resolve))
  }
  return left
}

async function answer(request: Request): Promise<Answer> {
  try {
    return request.op === 'start'
      ? { op: 'started', url: await start(request) }
      : { op: 'closed', left: await close() }
  } catch (error) {
    return { op: 'failed', message: error instanceof Error ? (error.stack ?? '') : String(error) }
  }
}

process.on('message', (request: Request) => {
  void answer(request).then((message) => process.send?.(message))
})
// The channel closes when the test run is over, or when its process died: nothing is left behind either way.
process.once('disconnect', () => void close().finally(() => process.exit(0)))
process.send?.({ op: 'ready' } satisfies Answer)
