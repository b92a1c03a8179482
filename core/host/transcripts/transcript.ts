import type { EventIndex, SessionHead } from '../../wire/contract.ts'
import { startingCalls } from '../../engine/sub-agents.ts'
import type { ImportedTranscript } from '../../engine/import/source.ts'
import { type Problem, type Result, err, ok } from '../../engine/result.ts'
import { EventKind } from '../../engine/schema/event-kind.ts'
import type { Session } from '../../engine/schema/session.ts'
import { turnsOf } from '../../engine/turns.ts'
import { fileOfFolder } from './results-folder.ts'
import { unreadable } from './read-transcript.ts'
import type { FormatsOf } from './own-formats.ts'
import { OpenTranscript } from './open-transcript.ts'

interface OpenOptions {
  readonly signal?: AbortSignal
  /** Bytes read so far, bytes in all. */
  readonly onProgress?: (done: number, total: number) => void
  /** [I140] Formats of one's own; none by default. */
  readonly formats?: FormatsOf | undefined
}

/** Reads and imports one transcript file with its companions, to the end. Close it when it is not needed any more. */
export async function openTranscript(
  path: string,
  options: OpenOptions = {},
): Promise<Result<OpenTranscript>> {
  const read = await readToEnd((await fileOfFolder(path)).path, options)
  return read.ok ? read : err(read.error.problem)
}

/** The same for a file that a walk found, prepared for later growth (I148). `unknown` if no format recognizes it. */
export async function openListed(
  path: string,
  options: OpenOptions,
): Promise<Result<OpenTranscript> | 'unknown'> {
  const read = await readToEnd(path, options, true)
  if (read.ok) return read
  return read.error.isUnknown ? 'unknown' : err(read.error.problem)
}

interface Refused {
  readonly problem: Problem
  readonly isUnknown: boolean
}

async function readToEnd(
  path: string,
  options: OpenOptions,
  hashed = false,
): Promise<Result<OpenTranscript, Refused>> {
  const { signal = new AbortController().signal } = options
  const live = new OpenTranscript(path, options.formats, hashed)
  try {
    for await (const step of live.read(signal)) {
      if (step.kind === 'progress') options.onProgress?.(step.done, step.total)
      if (step.kind === 'refused') {
        live.close()
        return err({ problem: step.problem, isUnknown: step.isUnknown === true })
      }
    }
    return ok(live)
  } catch (error) {
    live.close()
    signal.throwIfAborted()
    return err({ problem: unreadable(error, path), isUnknown: false })
  }
}

/** Heads of all sessions of a file, for the library. */
export function sessionHeads(transcript: ImportedTranscript): SessionHead[] {
  const callOf = startingCalls(transcript.sessions)
  return transcript.sessions.map((session, index) => {
    const { id, title, thread, parent, startedAt, cwd, events } = session
    const kinds = kindsOf(session)
    const startedAtEvent = callOf(session)
    const place = { index, id, title, thread, parent, startedAtEvent, startedAt, cwd }
    return { ...place, events: events.length, kinds }
  })
}

/** A growing file is looked at again and again; sessions that did not change are the same objects. */
const counted = new WeakMap<Session, SessionHead['kinds']>()

function kindsOf(session: Session): SessionHead['kinds'] {
  const known = counted.get(session)
  if (known !== undefined) return known
  const kinds: Partial<Record<EventKind, number>> = {}
  for (const { kind } of session.events) kinds[kind] = (kinds[kind] ?? 0) + 1
  counted.set(session, kinds)
  return kinds
}

const CODES = new Map(EventKind.options.map((kind, code) => [kind, code]))

/** The light index of one session from an event on: kind, time, size and exchange of every event, as columns. */
export function eventIndex({ events }: Session, from = 0): EventIndex {
  let current = -1
  for (let seq = 0; seq < Math.min(from, events.length); seq += 1) {
    if (events[seq]?.kind === 'user') current += 1
  }
  const rest = from === 0 ? events : events.slice(from)
  return {
    kind: rest.map((event) => CODES.get(event.kind) ?? 0),
    at: rest.map((event) => event.at ?? 0),
    chars: rest.map(({ chars }) => chars),
    exchange: rest.map((event) => {
      if (event.kind === 'user') current += 1
      return current
    }),
  }
}

/** Turns of a file's main threads by the default of L8 (user messages and tool results). */
export function countTurns({ sessions }: ImportedTranscript): number {
  const classify = { user: true, agent: false, tool: true }
  const main = sessions.filter((session) => session.parent === null)
  return main.reduce((sum, session) => sum + turnsOf(session.events, classify).length, 0)
}
