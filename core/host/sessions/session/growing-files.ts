import type { TimeLimit } from '../../platform/guard/guard.ts'
import type { OpenTranscript } from '../../transcripts/open-transcript.ts'
import { type Replays, createReplays } from '../../replay/session/replays.ts'

/** A file that was read, with the replays of its sessions so far. */
export interface GrowingFile {
  readonly live: OpenTranscript
  readonly replays: Replays
}

/** Files of the library that may still grow while the operator looks at them. */
export interface GrowingFiles {
  /** The current file, with only its new bytes read. Null if it must be read from the beginning. */
  readonly again: (path: string, signal: AbortSignal) => Promise<GrowingFile | null>
  /** Takes a file that was just read; closes it if it is not worth keeping. Returns whether it is kept. */
  readonly keep: (path: string, file: GrowingFile) => boolean
}

/** Maximum files per thread, because the operator works with a few agents at the same time. */
const MOST_FILES = 8
/** So short that their texts stay in memory (I50). */
const MOST_BYTES = 8_000_000
/** Changed so recently, a file may still be written to. */
const RECENT_MS = 30 * 60_000

/**
 * [I148] If a file only grew, a scan reads only the new bytes, and its replays resume. The hash of all earlier bytes
 * detects a rewritten file, even if its name, size and ends are equal.
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
      // No other caller may continue reading it meanwhile.
      files.delete(path)
      const { live } = file
      try {
        const grew = (await live.holdsAll()) && (await readsOn(live, signal))
        if (grew) {
          put(path, file)
          return file
        }
      } catch {
        // Reading the file from the beginning then reports the error.
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

/** Reads the new bytes; returns false if they are refused. */
async function readsOn(live: OpenTranscript, signal: AbortSignal): Promise<boolean> {
  for await (const step of live.again(signal)) if (step.kind === 'refused') return false
  return true
}

export function freshFile(live: OpenTranscript, limit: TimeLimit): GrowingFile {
  return { live, replays: createReplays(limit) }
}
