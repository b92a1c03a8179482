import type { OpenSource } from '../../wire/contract.ts'
import { indexOfSession, largestOf } from '../../wire/which-session.ts'
import type { OpenEvent } from '../shared/deep-link.ts'
import { type Begun, beginReading, type Reading } from './ahead-reading.ts'
import type { Places } from './held.ts'
import type { StateStore } from './state-store.ts'

/** A window that comes later than this finds nothing begun: what nobody asks for is not held for ever. */
const LONGEST_MS = 60_000

/**
 * [U201] Reads the file that the first window will open while that window's page is still being loaded, and decides
 * its turns by the settings when it is read. Nothing is another for it: a window that asks for that file takes the
 * reading over where it is.
 */
export interface Ahead {
  /** Begins with what an event opens; nothing where something was begun before, or it is not a path. */
  readonly begin: (event: OpenEvent) => void
  /** Resolves when what was begun is read, or cannot be; at once where nothing was. Never rejects. */
  readonly read: () => Promise<void>
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

export function createAhead(places: Places, state: Pick<StateStore, 'settings'>): Ahead {
  let waiting: Waiting | null = null
  let read: Promise<void> = Promise.resolve()

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
        // [U188] A window that took it over says itself what comes first.
        if (begun !== null && waiting?.reading === reading) void decide(begun, event, state)
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

/**
 * Decides the turns by which the window will begin, so that its replay is there or under way when it is asked for.
 * Asked as a trace, because of the replay behind it nothing has to be sent. Where it is refused the window hears of it.
 */
async function decide(
  { held, opened, dropped }: Reading,
  { session, id }: OpenEvent,
  state: Pick<StateStore, 'settings'>,
): Promise<void> {
  const sessions = opened()?.sessions ?? []
  const wanted = id ?? session
  const index = wanted === undefined ? largestOf(sessions) : indexOfSession(sessions, wanted)
  if (sessions[index] === undefined) return
  try {
    const { preset, domains } = await state.settings()
    // [U187] A file that is opened without a link has no profile.
    const config = { preset, domains, profile: null, classify: null }
    const asked = { key: held.key, session: index, turn: 0, config }
    await held.link.call('session.trace', asked, dropped)
  } catch {
    // It has no turn, the settings name a preset that there is not, or nobody waits any more.
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
