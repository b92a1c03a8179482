import type { Mark, Progress } from '../../wire/contract.ts'
import { type SessionEvent, textOf, type TextReader } from '../../engine/schema/event.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { TurnTrace } from '../../engine/schema/trace.ts'
import type { z } from 'zod'
import type { TimeLimit } from '../shared/guard.ts'
import { refusal } from '../shared/names.ts'
import { unreadable } from '../files/read-transcript.ts'
import { RpcError } from '../../wire/rpc.ts'
import { loadConfig } from '../files/config-files.ts'
import { LiveTranscript } from '../files/live.ts'
import { markAll } from './marks.ts'
import type { Compiled, Pipelines } from '../shared/pipelines.ts'
import { type SessionReplay, traceTurn } from './replay.ts'
import { type OpenTranscript, countTurns, sessionHeads } from '../files/transcript.ts'
import type { Workspace } from '../files/workspace.ts'
import type { WorkerContract, WorkerGrown, WorkerOpened } from './contract.ts'
import { type Replays, type Waiting, createReplays, sessionAt } from './replays.ts'

interface Entry {
  readonly live: LiveTranscript
  readonly replays: Replays
}

interface ShownEvent {
  readonly event: SessionEvent
  readonly shown: number
}

interface Address {
  readonly key: string
  readonly session: number
}

type OpenStep = Immutable<z.infer<typeof Progress> | WorkerOpened | WorkerGrown>
type FollowStep = Immutable<z.infer<WorkerContract['session.follow']['out']>>

/** All that one worker holds: opened transcripts, compiled pipelines, replays. */
export interface Desk {
  /** `opened` as soon as there is something to read, then `grown` until all is read. */
  open(key: string, path: string, signal: AbortSignal): AsyncGenerator<OpenStep, void>
  follow(key: string, signal: AbortSignal): AsyncGenerator<FollowStep, void>
  close(key: string): void
  opened(key: string): OpenTranscript
  session(address: Address): Session
  compiled(config: ReplayConfig): Promise<Compiled>
  /** From the cache, or computed now; equal requests share one computation. */
  replay(address: Address, config: ReplayConfig, waiting: Waiting): Promise<SessionReplay>
  trace(replay: SessionReplay, turn: number): TurnTrace
  /** Marks of classified events, of each in the first `shown` units of its text. */
  marks(
    compiled: Compiled,
    shown: readonly ShownEvent[],
    texts: TextReader,
  ): Promise<ReadonlyArray<readonly Mark[]>>
}

export function createDesk(workspace: Workspace, pipelines: Pipelines, limit: TimeLimit): Desk {
  const entries = new Map<string, Entry>()

  function entry(key: string): Entry {
    const found = entries.get(key)
    if (found) return found
    throw refusal({ what: 'this session is not open', where: key, do: 'Open the file again' })
  }

  const session = ({ key, session: index }: Address) => sessionAt(entry(key).live, index)

  async function compiled(config: ReplayConfig): Promise<Compiled> {
    const files = await loadConfig(workspace, config)
    if (!files.ok) throw refusal(files.error)
    const result = pipelines.get(files.value)
    if (!result.ok) throw refusal(result.error)
    return result.value
  }

  return {
    open: (key, path, signal) =>
      openSteps(path, signal, (live) => entries.set(key, { live, replays: createReplays(limit) })),
    follow: (key, signal) => followSteps(entry(key).live, signal),
    close: (key) => {
      entries.get(key)?.live.close()
      entries.delete(key)
    },
    opened: (key) => entry(key).live,
    session,
    compiled,
    replay: async (address, config, waiting) => {
      const pipeline = await compiled(config)
      const { live, replays } = entry(address.key)
      return replays.get({ live, index: address.session, pipeline }, waiting)
    },
    trace: (replay, turn) => traceTurn(replay, turn, limit),
    marks: async ({ pipeline, marks }, shown, store) => {
      const unknown = shown.filter((each) => marks.get(each.event)?.shown !== each.shown)
      const texts = unknown.map((each) => ({ text: textOf(each.event, store), shown: each.shown }))
      const found = await markAll(pipeline, texts, limit)
      for (const [index, { event, shown: units }] of unknown.entries()) {
        marks.set(event, { shown: units, marks: found[index] ?? [] })
      }
      return shown.map(({ event }) => marks.get(event)?.marks ?? [])
    },
  }
}

/** Reads a file; `keep` is told when there is something to keep. */
async function* openSteps(
  path: string,
  signal: AbortSignal,
  keep: (live: LiveTranscript) => void,
): AsyncGenerator<OpenStep, void> {
  const live = new LiveTranscript(path)
  let opened = false
  try {
    for await (const step of live.read(signal)) {
      if (step.kind === 'progress') yield { phase: 'reading', ...step } as const
      if (step.kind === 'refused') throw refusal(step.problem)
      if (step.kind !== 'look') continue
      if (!opened) keep(live)
      yield opened ? grownMessage(live) : openedMessage(live)
      opened = true
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof RpcError ? error : refusal(unreadable(error, path))
  } finally {
    // Cancelled before anything was shown: nobody would ever close it.
    if (!opened) live.close()
  }
}

async function* followSteps(
  live: LiveTranscript,
  signal: AbortSignal,
): AsyncGenerator<FollowStep, void> {
  if (live.unfollowed !== null) {
    throw refusal({ what: live.unfollowed, where: live.path, do: 'Open it again to see more' })
  }
  for await (const step of live.follow(signal)) {
    if (step.kind === 'following') yield step
    if (step.kind === 'look') yield grownMessage(live)
  }
}

function openedMessage(opened: OpenTranscript): Immutable<WorkerOpened> {
  const { transcript, formatLabel } = opened
  return { ...factsOf(opened), kind: 'opened', format: transcript.format, formatLabel }
}

function grownMessage(opened: OpenTranscript): Immutable<WorkerGrown> {
  return { ...factsOf(opened), kind: 'grown', generation: opened.generation }
}

function factsOf({ transcript, bytes, complete }: OpenTranscript) {
  return {
    ...{ bytes, complete },
    lines: transcript.lines,
    sessions: sessionHeads(transcript),
    files: transcript.files,
    problems: transcript.problemTotal,
    skipped: transcript.skipped,
    turns: countTurns(transcript),
  }
}
