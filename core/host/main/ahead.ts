import { stat } from 'node:fs/promises'
import type { OpenSource } from '../../wire/contract.ts'
import { createFeed, type Feed } from '../../wire/stream-of.ts'
import { indexOfSession, largestOf } from '../../wire/which-session.ts'
import type { OpenEvent } from '../shared/deep-link.ts'
import { type Held, hold, type Places } from './held.ts'
import type { OpenStep } from './open-sessions.ts'
import type { StateStore } from './state-store.ts'

/** A window that comes later than this finds nothing begun: what nobody asks for is not held for ever. */
const LONGEST_MS = 60_000

type OpenedStep = Extract<OpenStep, { kind: 'opened' }>
type GrownStep = Extract<OpenStep, { kind: 'grown' }>

/** A file that was begun to be read, for the window that asks for it. */
export interface Begun {
  readonly held: Held
  /** What reading has said so far that still matters, then what it says from now on. */
  readonly steps: (signal: AbortSignal) => AsyncGenerator<OpenStep, void>
}

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
        if (begun !== null) void decide(begun, event, state)
      })
    },
    read: () => read,
    take: async (source) => {
      if (waiting === null || !isSame(waiting.source, source)) return null
      const reading = await withdraw()?.reading
      if (reading == null) return null
      if (await reading.isGood()) return reading
      await reading.drop()
      return null
    },
    close: letGo,
  }
}

interface Reading extends Begun {
  /** Resolves when it is read, or cannot be. */
  readonly isRead: Promise<void>
  /** What was read so far; null before there is something to see. */
  readonly opened: () => OpenedStep | null
  /** Whether the file is as it was at the beginning, and could be read so far. */
  readonly isGood: () => Promise<boolean>
  /** Aborted when nobody will ask any more. */
  readonly dropped: AbortSignal
  readonly drop: () => Promise<void>
}

/** Null where there is no such file: whoever asks for it is told. */
async function beginReading(source: OpenSource, places: Places): Promise<Reading | null> {
  const held = await hold(source, places).catch(() => null)
  if (held === null) return null
  const { key, file, link } = held
  const before = await stampOf(file.path)
  const stop = new AbortController()
  const gone = new AbortController()
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
    ...{ held, isRead, dropped: gone.signal },
    opened: () => openedBy(said),
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
      gone.abort()
      await held.release()
    },
  }
}

function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure))
}

/** What reading has said that a window has to know. */
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
  if (opened === null || grown === null || grown.generation !== 0) return opened
  const { generation: _, ...facts } = grown
  return { ...opened, ...facts, kind: 'opened' }
}

function stepsOf(said: Said): readonly OpenStep[] {
  const { opened, grown } = said
  if (opened === null) return []
  if (grown === null || grown.generation === 0) return [openedBy(said) ?? opened]
  return [opened, grown]
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

/** Says whether a file is another than before; empty where there is none. */
async function stampOf(path: string): Promise<string> {
  const info = await stat(path).catch(() => null)
  return info === null ? '' : `${info.size} ${info.mtimeMs} ${info.ino}`
}
