import type { OpenSource } from '../../../wire/contract.ts'
import type { OpenEvent } from '../../windows/deep-link.ts'
import { type Begun, beginReading, type Reading } from './ahead-reading.ts'
import type { Places } from './held.ts'

/** A window that comes later than this finds nothing begun: what nobody asks for is not held for ever. */
const LONGEST_MS = 60_000

/**
 * [U201] Reads the file that the first window will open while that window's page is still being loaded. Nothing is
 * another for it: a window that asks for that file takes the reading over where it is. Its turns are not decided yet:
 * the first rows would wait for that.
 */
export interface Ahead {
  /** Begins with what an event opens; nothing where something was begun before, or it is not a path. */
  readonly begin: (event: OpenEvent) => void
  /** Resolves when what was begun is read, or cannot be: true; at once where nothing was: false. Never rejects. */
  readonly read: () => Promise<boolean>
  /** Null where this file was not begun, is another by now, or could not be read: then it is opened as ever. */
  readonly take: (source: OpenSource) => Promise<Begun | null>
  /** Lets go of what nobody took. */
  readonly close: () => Promise<void>
}

interface Waiting {
  readonly source: OpenSource
  readonly reading: Promise<Reading | null>
  readonly timer: NodeJS.Timeout
}

export function createAhead(places: Places): Ahead {
  let waiting: Waiting | null = null
  let read: Promise<boolean> = Promise.resolve(false)

  /** Nobody waits for it any more. */
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
      const reading = beginReading(source, places)
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
