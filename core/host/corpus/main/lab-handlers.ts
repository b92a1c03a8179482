import { randomBytes } from 'node:crypto'
import { isAbsolute, resolve } from 'node:path'
import type { SessionContract, LabThreadContract } from '../../../wire/threads.ts'
import type { CallContext, Input, Output } from '../../../wire/rpc.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import type { MainHandlersOf } from '../../threads/main/handlers.ts'
import type { OpenSessions } from '../../sessions/main/open-sessions.ts'
import { type Link, type WorkerPool, linkOf } from '../../threads/main/worker-pool.ts'

/** A corpus of the lab's thread, by the name it was given. */
interface HeldCorpus {
  readonly id: string
  readonly link: Link<LabThreadContract>
  /** [D70] It is made of sample sessions alone. */
  readonly isSample: boolean
  readonly release: () => Promise<void>
}

interface LabOptions {
  readonly sessions: OpenSessions
  /** Threads of the lab alone; one is started at the first corpus. */
  readonly pool: WorkerPool<LabThreadContract>
  /** Folder that relative paths start from. */
  readonly base: string
  /** [F22] Labels were written: other windows may show them. */
  readonly onLabels: () => void
}

export interface LabPart {
  readonly handlers: MainHandlersOf<'lab' | 'labels'>
  /** The thread of a corpus; refused where another one, or none, is open. */
  readonly link: (corpus: string) => Link<LabThreadContract>
  /** [D70] Whether the corpus is made of sample sessions alone. */
  readonly isSample: (corpus: string) => boolean
  /** Lets go of the window's corpus. */
  close(): Promise<void>
}

/** [T40] The corpus of one window; a new one replaces the one before. */
export function createLabPart({ sessions, pool, base, onLabels }: LabOptions): LabPart {
  let held: HeldCorpus | null = null

  async function close(): Promise<void> {
    const leaving = held
    held = null
    await leaving?.release()
  }

  /** Labels of a file are also read by the corpus; one that is going away needs none. */
  async function relabelled<T>(writing: Promise<T>, key: string): Promise<T> {
    const answer = await writing
    onLabels()
    await held?.link.call('lab.relabel', { corpus: held.id, key }).catch(() => undefined)
    return answer
  }

  const label =
    <K extends 'labels.set' | 'labels.outcome'>(name: K) =>
    (
      input: Input<SessionContract, K>,
      { signal }: CallContext,
    ): Promise<Output<SessionContract, K>> =>
      relabelled(sessions.get(input.key).link.call(name, input, signal), input.key)

  return {
    close,
    link: (corpus) => {
      if (held?.id === corpus) return held.link
      throw refusal({ what: 'this corpus is not open', where: corpus, do: 'Open the lab again' })
    },
    isSample: (corpus) => held?.id === corpus && held.isSample,
    handlers: {
      'lab.open': async (input, { signal }) => {
        const { keys, samples, config } = input
        const files = keys.map((key) => ({ ...sessions.get(key).file, key }))
        const folders = input.folders.map((each) => (isAbsolute(each) ? each : resolve(base, each)))
        await close()
        signal.throwIfAborted()
        const isSample = folders.length === 0 && keys.every((key) => sessions.get(key).isSample)
        held = { ...holdCorpus(pool), isSample }
        const whole = { corpus: held.id, files, folders, samples, config }
        return held.link.forward('lab.open', whole)
      },
      'lab.close': async ({ corpus }) => {
        if (held?.id === corpus) await close()
        return {}
      },
      'labels.set': label('labels.set'),
      'labels.outcome': label('labels.outcome'),
    },
  }
}

function holdCorpus(pool: WorkerPool<LabThreadContract>): Omit<HeldCorpus, 'isSample'> {
  const id = randomBytes(9).toString('base64url')
  const lease = pool.lease(1)
  const link = linkOf(lease, (why) => ({
    what: `the thread of the lab stopped (${why})`,
    where: 'lab',
    do: 'Open the lab again, perhaps with fewer sessions',
  }))
  const release = async () => {
    // A thread that has ended holds nothing any more.
    await link.call('lab.close', { corpus: id }).catch(() => undefined)
    lease.release()
  }
  return { id, link, release }
}
