import { rmSync } from '../../platform/files/fenced-fs.ts'
import { processFolder } from '../../platform/files/process-folder.ts'
import { join } from 'node:path'
import { MessageChannel, Worker, type WorkerOptions } from 'node:worker_threads'
import { portOfParent } from '../../platform/threads/ports.ts'
import { notice } from '../../platform/terminal.ts'
import type { RightsDesk } from './rights.ts'

/** The interface that the host needs of a thread. Workers have it, and tests use others. */
export interface HostThread {
  postMessage(message: unknown): void
  on(event: 'message' | 'error', listener: (value: unknown) => void): unknown
  once(event: 'exit', listener: (code: number) => void): unknown
  prependListener(event: 'exit', listener: (code: number) => void): unknown
  terminate(): Promise<unknown>
}

/** Starts a thread with the data that it is given. */
export type StartThread<T extends HostThread = HostThread> = (
  url: URL,
  options: WorkerOptions & { readonly workerData: object },
) => T

/** Threads that may read files and compute, and nothing else (F24). */
interface RestrictedThreads {
  readonly start: StartThread<Worker>
  /** Removes the folders that the threads could write to. */
  readonly close: () => void
}

/** Locale variables. The operator's keys and tokens are kept out of the threads. */
const HARMLESS = new Set(['TZ', 'LANG', 'LC_ALL', 'LC_CTYPE', 'SystemRoot'])

/**
 * [F24] Starts threads with Node's permission model. Reading files is allowed. Writing is allowed only in a separate
 * folder, for texts that are larger than memory (I50). Programs, native code and further threads are not allowed. A
 * Node without this model starts them unrestricted and reports it; rights are then not requested either.
 */
export function createRestrictedThreads(
  desk: Pick<RightsDesk, 'serve'>,
  say = notice,
): RestrictedThreads {
  let scratch: string | null = null
  let isKnown = process.allowedNodeEnvironmentFlags.has('--permission')
  if (!isKnown) say(UNKNOWN)

  const restricted: StartThread<Worker> = (url, { workerData, transferList = [], ...options }) => {
    scratch ??= processFolder('turnscope')
    const { port1, port2 } = new MessageChannel()
    try {
      const worker = new Worker(url, {
        ...options,
        // Node's types take the data of a thread for anything.
        workerData: { ...(workerData as object), rights: port2 },
        transferList: [...transferList, port2],
        env: environment(scratch),
        execArgv: ['--permission', '--allow-fs-read=*', `--allow-fs-write=${join(scratch, '*')}`],
      })
      desk.serve(portOfParent(port1))
      worker.once('exit', () => port1.close())
      return worker
    } catch (error) {
      port1.close()
      throw error
    }
  }

  return {
    start: (url, options) => {
      if (isKnown) {
        try {
          return restricted(url, options)
        } catch (error) {
          if (!isRefusedFlag(error)) throw error
          isKnown = false
          say(UNKNOWN)
        }
      }
      return new Worker(url, options)
    },
    close: () => {
      if (scratch !== null) rmSync(scratch, { recursive: true, force: true })
      scratch = null
    },
  }
}

const UNKNOWN =
  'this Node cannot take rights away from threads: transcripts are read with the rights of the program'

function isRefusedFlag(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_INVALID_EXEC_ARGV'
}

function environment(scratch: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => HARMLESS.has(name))
  // `tmpdir` of a thread reads these.
  return { ...Object.fromEntries(kept), TMPDIR: scratch, TEMP: scratch, TMP: scratch }
}
