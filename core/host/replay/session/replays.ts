import { randomBytes } from 'node:crypto'
import { createLru } from '../../../engine/lru.ts'
import type { Session } from '../../../engine/schema/session.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import type { OpenTranscript } from '../../transcripts/open-transcript.ts'
import type { Compiled } from '../../rules/pipelines.ts'
import { type GrowingReplay, type SessionReplay, createGrowingReplay } from './replay.ts'
import { type ScanCache, createScanCache } from './scan-cache.ts'
import { createQueue, createSharedWork } from '../../platform/threads/shared-work.ts'
import { throttled } from '../../platform/threads/yielding.ts'

/** Replays kept for each opened file: a few configurations of a few of its sessions. */
const KEPT = 8

export interface Waiting {
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}

interface Wanted {
  readonly live: OpenTranscript
  /** Session of the file. */
  readonly index: number
  readonly pipeline: Compiled
}

/** Replays of the sessions of one opened file. */
export interface Replays {
  /** Of the session as it is now: from the cache, or computed; equal requests share one computation. */
  get(wanted: Wanted, waiting: Waiting): Promise<RunReplay>
  /** Computed with the cached scans; the replay itself is not cached. */
  once(wanted: Wanted, waiting: Waiting): Promise<SessionReplay>
}

/** [U190] A replay with the name of its run: of two replays of one run, the longer one begins with the shorter. */
export interface RunReplay extends SessionReplay {
  readonly run: string
}

/** A replay as far as it is done. */
interface Growing {
  readonly run: string
  readonly extend: GrowingReplay['extend']
  /** Key of its last result, which is of no use once there is a longer one. */
  key: string | null
}

/** [I57] A grown session is replayed from the end of its last replay. */
export function createReplays(limit: TimeLimit): Replays {
  const done = createSharedWork<RunReplay>(KEPT)
  const growing = createLru<string, Growing>(KEPT)
  const scans = new Map<number, ScanCache>()
  let known = { generation: 0, reading: 1 }

  /** Drops stale data of a file that was read again, or whose events moved. */
  function refresh({ generation, reading }: OpenTranscript): void {
    if (known.generation !== generation) growing.clear()
    if (known.reading !== reading) for (const each of scans.values()) each.forget()
    known = { generation, reading }
  }

  function scansOf(index: number): ScanCache {
    return getOrMake(scans, index, createScanCache)
  }

  function growingOf(slot: string, { index, pipeline }: Wanted): Growing {
    return getOrMake(growing, slot, () =>
      inTurn(createGrowingReplay(pipeline, limit, scansOf(index))),
    )
  }

  return {
    get: async (wanted, waiting) => {
      const { live, index, pipeline } = wanted
      refresh(live)
      const session = sessionAt(live, index)
      const slot = `${index} ${pipeline.key}`
      const replay = growingOf(slot, wanted)
      const key = `${live.generation} ${live.reading} ${session.events.length} ${slot}`
      const result = await done.get(key, {
        ...waiting,
        start: async (signal, onProgress) => {
          const options = { signal, onProgress: throttled(onProgress) }
          return { ...(await replay.extend(session, options)), run: replay.run }
        },
      })
      if (replay.key !== null && replay.key !== key) done.forget(replay.key)
      replay.key = key
      return result
    },
    once: ({ live, index, pipeline }, { signal }) => {
      refresh(live)
      const replay = createGrowingReplay(pipeline, limit, scansOf(index))
      return replay.extend(sessionAt(live, index), { signal })
    },
  }
}

/** Runs the extensions one after the other, even if an earlier one failed. */
function inTurn(replay: GrowingReplay): Growing {
  const alone = createQueue()
  return {
    run: randomBytes(9).toString('base64url'),
    key: null,
    extend: (events, options) => alone(() => replay.extend(events, options)),
  }
}

export function sessionAt(
  { transcript }: Pick<OpenTranscript, 'transcript'>,
  index: number,
): Session {
  const { sessions } = transcript
  const found = sessions[index]
  if (found) return found
  throw refusal({
    what: `there is no session ${index + 1}`,
    where: 'this file',
    do: `It has ${sessions.length}`,
  })
}
