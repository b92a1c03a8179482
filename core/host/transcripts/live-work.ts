import type { FSWatcher } from 'node:fs'
import { watch } from '../platform/files/fenced-fs.ts'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportedTranscript } from '../../engine/import/source.ts'
import { type SessionEvent, textOf } from '../../engine/schema/event.ts'
import type { Session } from '../../engine/schema/session.ts'

/** Progress is said at most this often, in milliseconds. */
const PROGRESS_MS = 100

export interface Progressed {
  readonly kind: 'progress'
  readonly done: number
  readonly total: number
}

/** Progress, ten times a second. */
interface Meter {
  readonly note: (done: number, total: number) => void
  /** Returns the progress to report now, or null. */
  readonly step: () => Progressed | null
}

export function createMeter(): Meter {
  let latest: Progressed | null = null
  let said = -Infinity
  return {
    note: (done, total) => {
      latest = { kind: 'progress', done: Math.min(done, total), total }
    },
    step: () => {
      const now = performance.now()
      if (latest === null || now - said < PROGRESS_MS) return null
      said = now
      const step = latest
      latest = null
      return step
    },
  }
}

/** Work on one thing, one after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Starts when all work before has ended or was left; throws when `signal` is aborted by then. */
  async *take<T, R>(signal: AbortSignal, work: () => AsyncGenerator<T, R>): AsyncGenerator<T, R> {
    const before = this.#last
    const done = Promise.withResolvers<null>()
    this.#last = Promise.all([before, done.promise])
    try {
      await before
      signal.throwIfAborted()
      return yield* work()
    } finally {
      done.resolve(null)
    }
  }
}

/** Waits, but not for a caller that has left. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined)
}

/** Polling interval in ms, used if the system reports no changes. */
const POLL_MS = 500

/** Says when it is worth looking at a file again. */
export interface FileWatch {
  /** Resolves after a change of something in the file's folder, at the latest after half a second. */
  next(signal: AbortSignal): Promise<void>
  close(): void
}

/**
 * [I53] Watches the folder of a file, because a replaced or rotated file is a new file. If watching fails (network
 * folders, no more watches), polling twice a second is enough.
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

/**
 * Whether a transcript only extends an earlier one: the same sessions in the same places, each beginning with the same
 * events. `deep`: the transcripts come from different readings of the file, so events are compared by content. Without
 * it, they are the same objects.
 */
export function continues(
  before: ImportedTranscript,
  now: ImportedTranscript,
  deep: boolean,
): boolean {
  return before.sessions.every((session, at) => {
    const other = now.sessions[at]
    if (other?.id !== session.id || other.thread !== session.thread) return false
    const { events } = other
    return session.events.every((event, seq) => {
      const same = events[seq]
      if (same === undefined || !deep) return event === same
      // Texts are fetched last: all else must agree first.
      return factsAgree(event, same) && textOf(event, session.texts) === textOf(same, other.texts)
    })
  })
}

function factsAgree(a: SessionEvent, b: SessionEvent): boolean {
  return (
    a.kind === b.kind &&
    a.at === b.at &&
    a.name === b.name &&
    a.callId === b.callId &&
    a.isError === b.isError &&
    a.model === b.model &&
    a.chars === b.chars
  )
}

/** Sessions that did not change stay the objects they were, with all that is known of them. */
export function keepingSame(
  before: ImportedTranscript,
  now: ImportedTranscript,
): ImportedTranscript {
  const sessions = now.sessions.map((session, at) => {
    const old = before.sessions[at]
    return old !== undefined && isSame(old, session) ? old : session
  })
  return { ...now, sessions }
}

function isSame(a: Session, b: Session): boolean {
  return (
    a.events.length === b.events.length &&
    a.id === b.id &&
    a.thread === b.thread &&
    a.parent === b.parent &&
    a.title === b.title &&
    a.cwd === b.cwd &&
    a.startedAt === b.startedAt &&
    a.events.every((event, seq) => event === b.events[seq])
  )
}
