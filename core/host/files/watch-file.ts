import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'

/** How often a file is looked at where the system says nothing of changes. */
const POLL_MS = 500

/** Says when it is worth looking at a file again. */
export interface FileWatch {
  /** Resolves after a change of something in the file's folder, at the latest after half a second. */
  next(signal: AbortSignal): Promise<void>
  close(): void
}

/**
 * [I53] Watches the folder of a file, because a file that is replaced or rotated is another file.
 * Where that cannot be done (network folders, no more watches), looking twice a second is enough.
 */
export function watchFile(path: string): FileWatch {
  let changed = false
  let wake: () => void = () => undefined
  let watcher: FSWatcher | null = null
  try {
    watcher = watch(dirname(path), { persistent: false }, () => {
      changed = true
      wake()
    })
    watcher.on('error', () => undefined)
  } catch {
    watcher = null
  }
  return {
    async next(signal) {
      if (changed || signal.aborted) {
        changed = false
        return
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        signal.addEventListener('abort', wake, { once: true })
      })
      signal.removeEventListener('abort', wake)
      wake = () => undefined
      changed = false
    },
    close: () => watcher?.close(),
  }
}
