import type { Mark, Progress } from '../../contract.ts'
import type { SessionEvent } from '../../engine/schema/event.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { TurnTrace } from '../../engine/schema/trace.ts'
import type { z } from 'zod'
import type { TimeLimit } from '../guard.ts'
import { refusal } from '../names.ts'
import { loadConfig } from '../session/files.ts'
import { markAll } from '../session/marks.ts'
import type { Compiled, Pipelines } from '../session/pipelines.ts'
import type { SessionReplay } from '../session/replay.ts'
import { replaySession, traceTurn } from '../session/replay.ts'
import type { ScanCache } from '../session/scan-cache.ts'
import { createScanCache } from '../session/scan-cache.ts'
import type { SharedWork } from '../session/shared-work.ts'
import { createSharedWork } from '../session/shared-work.ts'
import type { OpenTranscript } from '../session/transcript.ts'
import { countTurns, openTranscript, sessionHeads } from '../session/transcript.ts'
import { reporting, throttled } from '../session/yielding.ts'
import type { Workspace } from '../workspace.ts'
import type { WorkerOpened } from './contract.ts'

/** Replays kept for each opened file: a few configurations of a few of its sessions. */
const KEPT_REPLAYS = 8

interface Entry {
  readonly opened: OpenTranscript
  readonly replays: SharedWork<SessionReplay>
  /** By session of the file. */
  readonly scans: readonly ScanCache[]
}

interface ShownEvent {
  readonly event: SessionEvent
  readonly shown: number
}

interface Address {
  readonly key: string
  readonly session: number
}

interface Waiting {
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}

type OpenStep = Immutable<z.infer<typeof Progress> | WorkerOpened>

/** All that one worker holds: opened transcripts, compiled pipelines, replays. */
export interface Desk {
  open(key: string, path: string, signal: AbortSignal): AsyncGenerator<OpenStep, void>
  close(key: string): void
  opened(key: string): OpenTranscript
  session(address: Address): Session
  compiled(config: ReplayConfig): Promise<Compiled>
  /** From the cache, or computed now; equal requests share one computation. */
  replay(address: Address, config: ReplayConfig, waiting: Waiting): Promise<SessionReplay>
  trace(replay: SessionReplay, turn: number): TurnTrace
  /** Marks of classified events, of each in the first `shown` units of its text. */
  marks(compiled: Compiled, shown: readonly ShownEvent[]): Promise<ReadonlyArray<readonly Mark[]>>
}

export function createDesk(workspace: Workspace, pipelines: Pipelines, limit: TimeLimit): Desk {
  const entries = new Map<string, Entry>()

  function entry(key: string): Entry {
    const found = entries.get(key)
    if (found) return found
    throw refusal({ what: 'this session is not open', where: key, do: 'Open the file again' })
  }

  const session = ({ key, session: index }: Address) => sessionAt(entry(key).opened, index)

  async function compiled(config: ReplayConfig): Promise<Compiled> {
    const files = await loadConfig(workspace, config)
    if (!files.ok) throw refusal(files.error)
    const result = pipelines.get(files.value)
    if (!result.ok) throw refusal(result.error)
    return result.value
  }

  return {
    open: async function* (key, path, signal) {
      const opened = yield* readReporting(path, signal)
      const scans = opened.transcript.sessions.map(() => createScanCache())
      entries.set(key, { opened, replays: createSharedWork(KEPT_REPLAYS), scans })
      yield openedMessage(opened)
    },
    close: (key) => {
      entries.delete(key)
    },
    opened: (key) => entry(key).opened,
    session,
    compiled,
    replay: async (address, config, waiting) => {
      const pipeline = await compiled(config)
      const { replays, scans } = entry(address.key)
      const known = scans[address.session] ?? createScanCache()
      return replays.get(`${address.session} ${pipeline.key}`, {
        ...waiting,
        start: (signal, onProgress) =>
          replaySession(pipeline, session(address), {
            limit,
            signal,
            scans: known,
            onProgress: throttled(onProgress),
          }),
      })
    },
    trace: (replay, turn) => traceTurn(replay, turn, limit),
    marks: async ({ pipeline, marks }, shown) => {
      const unknown = shown.filter((each) => marks.get(each.event)?.shown !== each.shown)
      const texts = unknown.map((each) => ({ text: each.event.text, shown: each.shown }))
      const found = await markAll(pipeline, texts, limit)
      for (const [index, { event, shown: units }] of unknown.entries()) {
        marks.set(event, { shown: units, marks: found[index] ?? [] })
      }
      return shown.map(({ event }) => marks.get(event)?.marks ?? [])
    },
  }
}

function sessionAt({ transcript }: OpenTranscript, index: number): Session {
  const { sessions } = transcript
  const found = sessions[index]
  if (found) return found
  throw refusal({
    what: `there is no session ${index + 1}`,
    where: 'this file',
    do: `It has ${sessions.length}`,
  })
}

/** Reads a transcript; progress is handed out on the way. */
async function* readReporting(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<OpenStep, OpenTranscript> {
  const opened = yield* reporting<OpenStep, Awaited<ReturnType<typeof openTranscript>>>(
    (report) => {
      const onProgress = throttled((done, total) => {
        report({ kind: 'progress', phase: 'reading', done, total })
      })
      return openTranscript(path, { signal, onProgress })
    },
  )
  if (!opened.ok) throw refusal(opened.error)
  // Cancelled at the very end: nobody would ever close it.
  signal.throwIfAborted()
  return opened.value
}

function openedMessage(opened: OpenTranscript): OpenStep {
  const { transcript, formatLabel, bytes } = opened
  return {
    kind: 'opened',
    format: transcript.format,
    formatLabel,
    bytes,
    lines: transcript.lines,
    sessions: sessionHeads(transcript),
    files: transcript.files,
    complete: true,
    problems: transcript.problemTotal,
    skipped: transcript.skipped,
    turns: countTurns(transcript),
  }
}
