import { stat } from '../../platform/files/fenced-fs.ts'
import type { OpenSource } from '../../../wire/contract.ts'
import { createFeed, type Feed } from '../../../wire/stream-of.ts'
import { type Held, hold, type OpenStep, type Places } from './held.ts'

type OpenedStep = Extract<OpenStep, { kind: 'opened' }>
type GrownStep = Extract<OpenStep, { kind: 'grown' }>

/** A file that was begun to be read, for the window that asks for it. */
export interface Begun {
  readonly held: Held
  /** What reading has said so far that still matters, then what it says from now on. */
  readonly steps: (signal: AbortSignal) => AsyncGenerator<OpenStep, void>
}

export interface Reading extends Begun {
  /** Resolves when it is read, or cannot be. */
  readonly isRead: Promise<void>
  /** Whether the file is as it was at the beginning, and could be read so far. */
  readonly isGood: () => Promise<boolean>
  readonly drop: () => Promise<void>
}

/** Null where there is no such file: whoever asks for it is told. */
export async function beginReading(source: OpenSource, places: Places): Promise<Reading | null> {
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
    ...{ held, isRead },
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

/** Says whether a file is another than before; empty where there is none. */
async function stampOf(path: string): Promise<string> {
  const info = await stat(path).catch(() => null)
  return info === null ? '' : `${info.size} ${info.mtimeMs} ${info.ino}`
}
