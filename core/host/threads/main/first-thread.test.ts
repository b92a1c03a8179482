import { join } from 'node:path'
import { expect, test } from 'vitest'
import { THREADS } from '../../../../fixtures/built.ts'
import { connect, type Port } from '../../../wire/rpc.ts'
import { portPair } from '../../../../fixtures/port-pair.ts'
import {
  makeFolder,
  makeHost,
  makeSession,
  openIn,
  replayIn,
  windowOf,
} from '../../../../fixtures/host.ts'
import { type FirstThread, startFirstThread } from './first-thread.ts'
import type { TurnscopeContract } from '../../../wire/contract.ts'

const folder = makeFolder({ 'a.jsonl': makeSession(40), 'b.jsonl': makeSession(50) })
const path = (name: string) => ({ kind: 'path', path: join(folder, name) }) as const

async function columnsOf(host: ReturnType<typeof makeHost>) {
  const window = windowOf(host)
  const columns = []
  for (const name of ['a.jsonl', 'b.jsonl']) {
    const { key } = await openIn(window, path(name))
    columns.push((await replayIn(window, key)).columns)
  }
  const labels = await window.call('labels.get', {
    ...(await openIn(window, path('a.jsonl'))),
    session: 0,
    by: null,
  })
  await host.close()
  return { columns, labels }
}

test('[F131] a thread that was started early answers as any other', async () => {
  const firstThread = startFirstThread(THREADS.sessionUrl)
  const plain = await columnsOf(makeHost())
  expect(await columnsOf(makeHost({ firstThread }))).toEqual(plain)
})

test('[F131] one that has ended before it is needed is not missed', async () => {
  const firstThread = startFirstThread(new URL('data:text/javascript,process.exit(3)'))
  await new Promise((resolve) => setTimeout(resolve, 300))
  const { columns } = await columnsOf(makeHost({ firstThread }))
  expect(columns.map(({ turns }) => turns)).toEqual([40, 50])
})

/** Final answers on the wire, by call. */
type Answers = Map<unknown, number>

function isFinal(message: unknown): message is { readonly id: number; readonly t: 'ok' | 'err' } {
  return (
    typeof message === 'object' &&
    message !== null &&
    't' in message &&
    (message.t === 'ok' || message.t === 'err')
  )
}

/** A window whose final answers are counted as they leave the host. */
function countedWindow(host: ReturnType<typeof makeHost>, answers: Answers) {
  const { left, right } = portPair()
  const counted: Port = {
    ...right,
    post: (message) => {
      if (isFinal(message)) answers.set(message.id, (answers.get(message.id) ?? 0) + 1)
      right.post(message)
    },
  }
  host.mount(counted)
  return connect<TurnscopeContract>(left)
}

test('[F131] 20 windows over two files get every call answered exactly once', async () => {
  const firstThread = startFirstThread(THREADS.sessionUrl)
  const served: Answers = new Map()
  const host = makeHost({ firstThread: countingAnswers(firstThread, served) })
  const wires: Answers[] = []
  const visit = async (_: unknown, at: number) => {
    const answers: Answers = new Map()
    wires.push(answers)
    const window = countedWindow(host, answers)
    const { key } = await openIn(window, path(at % 2 === 0 ? 'a.jsonl' : 'b.jsonl'))
    const { columns } = await replayIn(window, key)
    const labels = await window.call('labels.get', { key, session: 0, by: null })
    return { turns: columns.turns, labels: labels.labels.length }
  }
  const visits = await Promise.all(Array.from({ length: 20 }, visit))
  await host.close()
  expect(visits).toEqual(
    Array.from({ length: 20 }, (_, at) => ({ turns: at % 2 === 0 ? 40 : 50, labels: 0 })),
  )
  expect(wires.flatMap((answers) => [...answers.values()]).filter((count) => count !== 1)).toEqual(
    [],
  )
  // Between thread and host: the client there drops a second answer, so a window never sees it.
  expect([...served.values()].filter((count) => count !== 1)).toEqual([])
  expect(served.size).toBeGreaterThan(20)
})

/** The same first thread; counts the final answers of every thread that it starts. */
function countingAnswers(first: FirstThread, served: Answers): FirstThread {
  let threads = 0
  return {
    ...first,
    join: (desk) => {
      const joined = first.join(desk)
      return {
        start: (otherwise) => {
          const start = joined.start(otherwise)
          return (url, options) => {
            const thread = start(url, options)
            threads += 1
            const number = threads
            thread.on('message', (message) => {
              if (!isFinal(message)) return
              const call = `${number}:${message.id}`
              served.set(call, (served.get(call) ?? 0) + 1)
            })
            return thread
          }
        },
      }
    },
  }
}
