import type { TimeLimit } from '../../platform/guard/guard.ts'
import type { OpenTranscript } from '../../transcripts/open-transcript.ts'
import { type Replays, createReplays } from '../../replay/session/replays.ts'

/** A file that was read, with the replays of its sessions as far as they are done. */
export interface GrowingFile {
  readonly live: OpenTranscript
  readonly replays: Replays
}

/** Files of the library that may be written to while somebody looks at them. */
export interface GrowingFiles {
  /** The file as it is now, with only what came read of it; null where it has to be read anew. */
  readonly again: (path: string, signal: AbortSignal) => Promise<GrowingFile | null>
  /** Takes a file that was just read; where it is not worth keeping it is closed. Whether it is kept. */
  readonly keep: (path: string, file: GrowingFile) => boolean
}

/** Files that a thread keeps: somebody works with a few agents at the same time. */
const MOST_FILES = 8
/** So short that their texts stay in memory (I50). */
const MOST_BYTES = 8_000_000
/** Changed so recently, a file may still be written to. */
const RECENT_MS = 30 * 60_000

/**
 * [I148] A scan reads of a file that only grew no more than what came, and its replays go on. By the hash of
 * all that was read before, a file that was rewritten is another one, whatever its name, size and ends say.
 */
export function createGrowingFiles(now: () => number = () => Date.now()): GrowingFiles {
  const files = new Map<string, GrowingFile>()

  function isWorthIt({ live }: GrowingFile): boolean {
    const { tails, changedAt } = live.growth
    return tails && live.bytes <= MOST_BYTES && now() - changedAt < RECENT_MS
  }

  function put(path: string, file: GrowingFile): void {
    const before = files.get(path)
    if (before !== file) before?.live.close()
    files.delete(path)
    files.set(path, file)
    for (const [oldest, { live }] of files) {
      if (files.size <= MOST_FILES) return
      live.close()
      files.delete(oldest)
    }
  }

  return {
    async again(path, signal) {
      const file = files.get(path)
      if (file === undefined) return null
      // Nobody else may read on in it meanwhile.
      files.delete(path)
      const { live } = file
      try {
        const grew = (await live.holdsAll()) && (await readsOn(live, signal))
        if (grew) {
          put(path, file)
          return file
        }
      } catch {
        // Whatever it is now, reading it anew says what is wrong with it.
      }
      live.close()
      signal.throwIfAborted()
      return null
    },
    keep(path, file) {
      if (isWorthIt(file)) {
        put(path, file)
        return true
      }
      file.live.close()
      return false
    },
  }
}

/** Reads what came; false where it is refused now. */
async function readsOn(live: OpenTranscript, signal: AbortSignal): Promise<boolean> {
  for await (const step of live.again(signal)) if (step.kind === 'refused') return false
  return true
}

export function freshFile(live: OpenTranscript, limit: TimeLimit): GrowingFile {
  return { live, replays: createReplays(limit) }
}
