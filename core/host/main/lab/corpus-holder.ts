import { randomBytes } from 'node:crypto'
import { RpcError } from '../../../wire/rpc.ts'
import { refusal } from '../../shared/names.ts'
import type { Lease, WorkerPool } from '../worker-pool.ts'

/** A corpus of the lab's thread, by the name it was given. */
export interface HeldCorpus {
  readonly id: string
  readonly lease: Lease
}

export interface CorpusHolder {
  /** Refused where another one, or none, is open. */
  readonly get: (corpus: string) => HeldCorpus
  readonly current: () => HeldCorpus | null
  readonly replace: () => Promise<HeldCorpus>
  readonly close: () => Promise<void>
}

/** [T40] The corpus of one window; a new one replaces the one before. */
export function createCorpusHolder(pool: WorkerPool): CorpusHolder {
  let held: HeldCorpus | null = null

  async function close(): Promise<void> {
    const leaving = held
    held = null
    if (leaving === null) return
    // A thread that has ended holds nothing any more.
    await leaving.lease.client.call('lab.close', { corpus: leaving.id }).catch(() => undefined)
    leaving.lease.release()
  }

  function get(corpus: string): HeldCorpus {
    if (held?.id === corpus) return held
    throw refusal({ what: 'this corpus is not open', where: corpus, do: 'Open the lab again' })
  }

  return {
    get,
    close,
    current: () => held,
    replace: async () => {
      await close()
      held = { id: randomBytes(9).toString('base64url'), lease: pool.lease(1) }
      return held
    },
  }
}

/** What a person is told when the lab's thread went away; other errors as they are. */
export function explainLab(error: unknown, { lease }: HeldCorpus): unknown {
  const lost = lease.lost()
  if (!(error instanceof RpcError) || error.code !== 'CLOSED' || lost === null) return error
  return refusal({
    what: `the thread of the lab stopped (${lost})`,
    where: 'lab',
    do: 'Open the lab again, perhaps with fewer sessions',
  })
}
