import type { OpenSource } from '../../../wire/contract.ts'
import type { OpenEvent } from '../../windows/deep-link.ts'
import { type Places, type Held, hold, type OpenStep } from './held.ts'
import { stat } from '../../platform/files/fenced-fs.ts'
import { createFeed, type Feed } from '../../../wire/stream-of.ts'

/** Prefetched results expire after this delay. */
const LONGEST_MS = 60_000

/**
 * [U201] Reads the file that the first window will open, while that window's page is still loading. The result is the
 * same as without it: the window that requests the file takes over the reading at its current point. Turns are not
 * decided yet, because the first rows would wait for that.
 */
export interface Prefetch {
  /**
   * Starts reading the path that an event opens. Does nothing if a reading was started before, or if the source is not
   * a path.
   */
  readonly begin: (event: OpenEvent) => void
  /**
   * Resolves to true when the started reading has ended or failed, or immediately to false if none was started. Never
   * rejects.
   */
  readonly read: () => Promise<boolean>
  /** Null if this file is not being read, has changed, or could not be read. It is then opened as usual. */
  readonly take: (source: OpenSource) => Promise<Prefetched | null>
  /** Releases a reading that no window took. */
  readonly close: () => Promise<void>
}

interface Waiting {
  readonly source: OpenSource
  readonly reading: Promise<BegunOpening | null>
  readonly timer: NodeJS.Timeout
}

export function createPrefetch(places: Places): Prefetch {
  let waiting: Waiting | null = null
  let read: Promise<boolean> = Promise.resolve(false)

  /** Takes the reading back; it no longer waits for a window. */
  const withdraw = (): Waiting | null => {
    const was = waiting
    if (was !== null) clearTimeout(was.timer)
    waiting = null
    return was
  }
  const letGo = async () => {
    await (await withdraw()?.reading)?.drop()
  }

  return {
    begin: (event) => {
      const { source } = event
      if (waiting !== null || source.kind !== 'path') return
      const reading = beginOpening(source, places)
      const timer = setTimeout(() => void letGo(), LONGEST_MS).unref()
      waiting = { source, reading, timer }
      read = reading.then(async (begun) => {
        await begun?.isRead
        return begun !== null
      })
    },
    read: () => read,
    take: async (source) => {
      if (waiting === null || !isSame(waiting.source, source)) return null
      const reading = (await withdraw()?.reading) ?? null
      if (reading === null) return null
      if (await reading.isGood()) return reading
      await reading.drop()
      return null
    },
    close: letGo,
  }
}

function isSame(a: OpenSource, b: OpenSource): boolean {
  return (
    a.kind === 'path' &&
    b.kind === 'path' &&
    a.path === b.path &&
    (a.map ?? null) === (b.map ?? null)
  )
}

type OpenedStep = Extract<OpenStep, { kind: 'opened' }>
type GrownStep = Extract<OpenStep, { kind: 'grown' }>

/** A file that is being read before a window asked for it. */
interface Prefetched {
  readonly held: Held
  /** Earlier steps of the reading that still matter, then its further steps. */
  readonly steps: (signal: AbortSignal) => AsyncGenerator<OpenStep, void>
}

interface BegunOpening extends Prefetched {
  /** Resolves when it is read, or cannot be. */
  readonly isRead: Promise<void>
  /** Whether the file is as it was at the beginning, and could be read so far. */
  readonly isGood: () => Promise<boolean>
  readonly drop: () => Promise<void>
}

/** Null if the file does not exist; the window that requests it gets the error. */
async function beginOpening(source: OpenSource, places: Places): Promise<BegunOpening | null> {
  const held = await hold(source, places).catch(() => null)
  if (held === null) return null
  const { key, file, link } = held
  const before = await stampOf(file.path)
  const stop = new AbortController()
  let said: Said = { opened: null, grown: null }
  let listener: Feed<OpenStep> | null = null
  let over: { readonly failure?: Error } | null = null
  const listen = async (): Promise<void> => {
    for await (const step of link.stream('session.open', { key, file }, stop.signal)) {
      if (listener === null) said = after(said, step)
      else listener.put(step)
    }
  }
  const end = (how: { readonly failure?: Error }) => {
    over = how
    listener?.end(how.failure)
  }
  const isRead = listen().then(
    () => end({}),
    (failure: unknown) => end({ failure: asError(failure) }),
  )
  return {
    held,
    isRead,
    isGood: async () => over?.failure === undefined && before === (await stampOf(file.path)),
    steps: async function* (signal) {
      listener = createFeed(stepsOf(said))
      if (over !== null) listener.end(over.failure)
      try {
        yield* listener.values(signal)
      } finally {
        stop.abort()
      }
    },
    drop: async () => {
      stop.abort()
      await held.release()
    },
  }
}

function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure))
}

/** Results of the reading that a window needs. */
interface Said {
  readonly opened: OpenedStep | null
  /** The last one. */
  readonly grown: GrownStep | null
}

function after(said: Said, step: OpenStep): Said {
  if (step.kind === 'opened') return { ...said, opened: step }
  return step.kind === 'grown' ? { ...said, grown: step } : said
}

/** All that was read as if it had been the first look. Not where events changed places since, which a window must hear. */
function openedBy({ opened, grown }: Said): OpenedStep | null {
  if (opened === null || grown?.generation !== 0) return opened
  const { bytes, complete, lines, sessions, files, problems, skipped, turns } = grown
  return { ...opened, bytes, complete, lines, sessions, files, problems, skipped, turns }
}

function stepsOf(said: Said): readonly OpenStep[] {
  const { opened, grown } = said
  if (opened === null) return []
  if (grown === null || grown.generation === 0) return [openedBy(said) ?? opened]
  return [opened, grown]
}

/** Changes with the file; empty if it does not exist. */
async function stampOf(path: string): Promise<string> {
  const info = await stat(path).catch(() => null)
  return info === null ? '' : `${info.size} ${info.mtimeMs} ${info.ino}`
}
