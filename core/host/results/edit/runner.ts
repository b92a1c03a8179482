import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { refusal } from '../../platform/threads/refusal.ts'
import type { EditThreadData, FromEditThread, ToEditThread } from './thread-protocol.ts'
import type { EditAnswer, EditTask, EditWork } from './work.ts'

type EditTasks =
  AsyncIterator<EditTask, unknown, undefined> | Iterator<EditTask, unknown, undefined>

/** Runs the tasks of an edit, several in parallel if there are enough. */
export interface EditRunner {
  /** Does all tasks; `take` gets the answers in any order, one at a time. */
  readonly all: (tasks: EditTasks, take: (answer: EditAnswer) => void) => Promise<void>
  /** Indexes of signals that took too long. */
  readonly cut: ReadonlySet<number>
  readonly close: () => Promise<void>
}

/** In this thread, one after the other. */
export function runHere({ run, cut }: EditWork, signal: AbortSignal): EditRunner {
  return {
    cut,
    all: async (tasks, take) => {
      for (let next = await tasks.next(); next.done !== true; next = await tasks.next()) {
        signal.throwIfAborted()
        take(await run(next.value))
      }
    },
    close: () => Promise.resolve(),
  }
}

/** More threads would wait for the disk. */
const MOST_THREADS = 4

/** Tasks per thread: while one runs, the file of the next is read. */
const TASKS_AT_ONCE = 2

/** Uses separate threads. Each takes the next task when it is free. */
export function runInThreads(
  url: URL,
  workerData: EditThreadData,
  signal: AbortSignal,
): EditRunner {
  const cut = new Set<number>()
  const count = Math.min(availableParallelism(), MOST_THREADS)
  const threads = Array.from({ length: count }, () => startThread(url, workerData, signal))
  // One task for each thread before any has a second one.
  const lanes = Array.from({ length: TASKS_AT_ONCE }, () => threads).flat()
  return {
    cut,
    all: async (tasks, take) => {
      let hasFailed = false
      const drained = lanes.map(async ({ ask }) => {
        try {
          for (let next = await tasks.next(); next.done !== true; next = await tasks.next()) {
            const done = await ask(next.value)
            // The receiver of answers ended at the first failure.
            if (hasFailed) return
            for (const index of done.cut) cut.add(index)
            take(done.answer)
          }
        } catch (error) {
          hasFailed = true
          throw error
        }
      })
      await Promise.all(drained)
    },
    close: async () => {
      await Promise.all(threads.map(({ end }) => end()))
    },
  }
}

type Done = Extract<FromEditThread, { readonly kind: 'done' }>

interface Asked {
  readonly resolve: (done: Done) => void
  readonly reject: (error: Error) => void
}

/** One thread, and its pending requests. */
function startThread(url: URL, workerData: EditThreadData, signal: AbortSignal) {
  const thread = new Worker(url, { workerData })
  const asked = new Map<number, Asked>()
  const counts = { asked: 0 }
  let failed: Error | null = null
  const fail = (error: Error): void => {
    failed ??= error
    for (const { reject } of asked.values()) reject(failed)
    asked.clear()
  }
  thread.on('message', (message: FromEditThread) => {
    if (message.kind === 'failed') {
      fail(refusal(message.problem))
      return
    }
    asked.get(message.id)?.resolve(message)
    asked.delete(message.id)
  })
  thread.on('error', fail)
  thread.on('exit', (code) => fail(new Error(`a thread of the edit ended with code ${code}`)))
  const cancel = (): void => fail(new DOMException('cancelled', 'AbortError'))
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  return {
    ask: (task: EditTask): Promise<Done> =>
      new Promise((resolve, reject) => {
        if (failed !== null) {
          reject(failed)
          return
        }
        counts.asked += 1
        asked.set(counts.asked, { resolve, reject })
        thread.postMessage({ id: counts.asked, task } satisfies ToEditThread)
      }),
    end: async (): Promise<void> => {
      signal.removeEventListener('abort', cancel)
      await thread.terminate()
    },
  }
}
