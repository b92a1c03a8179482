import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../../scripts/build.ts'
import type { Answer, Request, ServeRequest } from './serve-protocol.ts'

const SERVER = fileURLToPath(new URL('serve-main.ts', import.meta.url))
/** Node keeps compiled modules here: the second start takes half the time. */
export const COMPILED = join(ROOT, 'node_modules/.cache/compiled')

/** Host processes of this Playwright worker that serve nothing now. They end with the worker, which closes their channel. */
const idle: ChildProcess[] = []

/**
 * Serves a workspace in an idle host process of this worker, or in a new one if all are in use. Rejects if the host
 * does not start. `close` rejects if the closed host still holds threads, sockets or watchers.
 */
export async function serveWorkspace(request: ServeRequest) {
  const server = idle.pop() ?? (await startProcess())
  const { url } = await ask(server, request, 'started')
  const close = async () => {
    const { left } = await ask(server, { op: 'close' }, 'closed')
    if (left.length > 0) {
      server.disconnect()
      throw new Error(`the closed host still holds ${left.join(', ')}`)
    }
    idle.push(server)
  }
  return { url, close }
}

async function startProcess(): Promise<ChildProcess> {
  const server = fork(SERVER, [], {
    execArgv: [],
    // NODE_OPTIONS is the test runner's own.
    env: { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: COMPILED },
  })
  await answerOf(server, 'ready')
  // An idle process does not keep the worker alive.
  server.unref()
  server.channel?.unref()
  return server
}

async function ask<Kind extends Answer['op']>(
  server: ChildProcess,
  request: Request,
  kind: Kind,
): Promise<Extract<Answer, { op: Kind }>> {
  const answer = answerOf(server, kind)
  server.send(request)
  return await answer
}

/** The next message of the process. Rejects if it has another kind, or if the process ends first. */
async function answerOf<Kind extends Answer['op']>(
  server: ChildProcess,
  kind: Kind,
): Promise<Extract<Answer, { op: Kind }>> {
  const done = new AbortController()
  const { signal } = done
  server.channel?.ref()
  try {
    const ended = once(server, 'exit', { signal }).then(([code]) => {
      throw new Error(`the host process ended with ${String(code ?? 'a signal')}`)
    })
    const [answer] = (await Promise.race([once(server, 'message', { signal }), ended])) as [Answer]
    if (answer.op === 'failed') throw new Error(answer.message)
    if (answer.op !== kind) throw new Error(`the host process answered ${answer.op}, not ${kind}`)
    return answer as Extract<Answer, { op: Kind }>
  } finally {
    done.abort()
    server.channel?.unref()
  }
}
