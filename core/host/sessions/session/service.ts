import type { Problem } from '../../../engine/result.ts'
import type { Mark } from '../../../wire/contract.ts'
import { type SessionEvent, textOf, type TextReader } from '../../../engine/schema/event.ts'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { Decider } from '../../../engine/schema/compare.ts'
import type { Session } from '../../../engine/schema/session.ts'
import type { TurnTrace } from '../../../engine/schema/trace.ts'
import { TEXTLESS, textlessTurn } from '../../../engine/textless/schema.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import { unreadable } from '../../transcripts/read-transcript.ts'
import { type Output, RpcError } from '../../../wire/rpc.ts'
import type { ConfigFiles } from '../../workspace/config-files.ts'
import { type Sides, createSides } from '../../drafts/sides.ts'
import { type FormatsOf, workspaceFormats } from '../../transcripts/own-formats.ts'
import { markAll } from '../../replay/session/marks.ts'
import type { Compiled, Pipelines } from '../../rules/pipelines.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'
import { traceTurn } from '../../replay/session/trace-turn.ts'
import { OpenTranscript } from '../../transcripts/open-transcript.ts'
import { countTurns, sessionHeads } from '../../transcripts/transcript.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { GrownTurns, LocatedFile, OpenedTurns } from '../../../wire/internal/session.ts'
import {
  type Replays,
  type RunReplay,
  type Waiting,
  createReplays,
  sessionAt,
} from '../../replay/session/replays.ts'

interface Entry {
  readonly file: LocatedFile
  readonly live: OpenTranscript
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

type OpenStep = Output<SessionContract, 'session.open'>
type FollowStep = Output<SessionContract, 'session.follow'>

/** All that one thread holds: opened transcripts, compiled pipelines, replays. */
export interface SessionService {
  /** `opened` as soon as there is something to read, then `grown` until all is read. */
  open(key: string, file: LocatedFile, signal: AbortSignal): AsyncGenerator<OpenStep, void>
  /** [I53] Refused for what cannot grow. */
  follow(key: string, signal: AbortSignal): AsyncGenerator<FollowStep, void>
  /** [U161] Called after a scratch session's file was written; reads it immediately. */
  again(key: string, signal: AbortSignal): Promise<Immutable<GrownTurns>>
  close(key: string): void
  opened(key: string): OpenTranscript
  /** The file of an opened transcript, as the main process located it. */
  file(key: string): LocatedFile
  session(address: Address): Session
  compiled(config: Decider): Promise<Compiled>
  /** The files of a configuration. */
  files(config: Decider): Promise<ConfigFiles>
  /** From the cache, or computed now; equal requests share one computation. */
  replay(address: Address, config: Decider, waiting: Waiting): Promise<RunReplay>
  /** The same without caching, so that a single request does not evict the displayed session. */
  replayOnce(address: Address, pipeline: Compiled, waiting: Waiting): Promise<SessionReplay>
  trace(replay: SessionReplay, turn: number): TurnTrace
  /** Marks of classified events, of each in the first `shown` units of its text. */
  marks(
    compiled: Compiled,
    shown: readonly ShownEvent[],
    texts: TextReader,
  ): Promise<ReadonlyArray<readonly Mark[]>>
}

interface Marking {
  readonly store: TextReader
  readonly limit: TimeLimit
}

async function marksOf(
  { pipeline, marks }: Compiled,
  shown: readonly ShownEvent[],
  { store, limit }: Marking,
): Promise<ReadonlyArray<readonly Mark[]>> {
  if (shown.some(({ event }) => event.extras !== undefined && TEXTLESS in event.extras))
    return shown.map(recordedMarks)
  const unknown = shown.filter((each) => marks.get(each.event)?.shown !== each.shown)
  const texts = unknown.map((each) => ({ text: textOf(each.event, store), shown: each.shown }))
  const found = await markAll(pipeline, texts, limit)
  for (const [index, { event, shown: units }] of unknown.entries()) {
    marks.set(event, { shown: units, marks: found[index] ?? [] })
  }
  return shown.map(({ event }) => marks.get(event)?.marks ?? [])
}

export function createSessionService(
  workspace: Workspace,
  pipelines: Pipelines,
  limit: TimeLimit,
  sides: Sides = createSides(workspace),
): SessionService {
  const entries = new Map<string, Entry>()

  function entry(key: string): Entry {
    const found = entries.get(key)
    if (found) return found
    throw refusal({ what: 'this session is not open', where: key, do: 'Open the file again' })
  }

  const session = ({ key, session: index }: Address) => sessionAt(entry(key).live, index)

  async function resolved(config: Decider) {
    if (!('kind' in config)) {
      const files = valueOrRefuse(await sides.files(config))
      return { files, compiled: valueOrRefuse(pipelines.get(files)) }
    }
    const side = await sides.resolve(config)
    if (side.ok) return side.value
    throw refusal(side.error.problem)
  }

  const compiled = async (config: Decider) => (await resolved(config)).compiled

  async function replayWith(address: Address, pipeline: Compiled, waiting: Waiting) {
    const { live, replays } = entry(address.key)
    return replays.get({ live, index: address.session, pipeline }, waiting)
  }

  return {
    open: (key, file, signal) =>
      openSteps({ key, file, formats: workspaceFormats(workspace, file.map) }, signal, (live) =>
        entries.set(key, { file, live, replays: createReplays(limit) }),
      ),
    follow: (key, signal) => followSteps(entry(key), signal),
    again: (key, signal) => readAgain(entry(key).live, signal),
    close: (key) => {
      entries.get(key)?.live.close()
      entries.delete(key)
    },
    opened: (key) => entry(key).live,
    file: (key) => entry(key).file,
    session,
    compiled,
    files: async (config) => (await resolved(config)).files,
    replay: async (address, config, waiting) =>
      replayWith(address, await compiled(config), waiting),
    replayOnce: async (address, pipeline, waiting) => {
      const { live, replays } = entry(address.key)
      return replays.once({ live, index: address.session, pipeline }, waiting)
    },
    trace: (replay, turn) => traceTurn(replay, turn, limit),
    marks: (way, shown, store) => marksOf(way, shown, { store, limit }),
  }
}

/** [U120] Marks of a text that is not there any more. */
function recordedMarks({ event, shown }: ShownEvent): readonly Mark[] {
  const { marks } = textlessTurn(event)
  return marks.flatMap(({ span: [start, end], ...mark }) =>
    end <= shown ? [{ ...mark, span: [start, end] }] : [],
  )
}

interface Opening {
  readonly key: string
  readonly file: LocatedFile
  readonly formats: FormatsOf
}

/** Reads a file. `keep` is called when there is something to keep. */
async function* openSteps(
  { key, file, formats }: Opening,
  signal: AbortSignal,
  keep: (live: OpenTranscript) => void,
): AsyncGenerator<OpenStep, void> {
  const { path, shown, name } = file
  // [I84] A dropped file is spooled under a generated name, so messages show the original name.
  const chosen = (problem: Problem): Problem =>
    shown === null ? { ...problem, where: problem.where.replaceAll(path, name) } : problem
  const live = new OpenTranscript(path, formats)
  let opened = false
  try {
    for await (const step of live.read(signal)) {
      if (step.kind === 'progress') yield { phase: 'reading', ...step } as const
      if (step.kind === 'refused') throw refusal(chosen(step.problem))
      if (step.kind !== 'look') continue
      if (!opened) keep(live)
      yield opened ? grownMessage(live) : { ...openedMessage(live), key, name, path: shown }
      opened = true
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof RpcError ? error : refusal(chosen(unreadable(error, path)))
  } finally {
    // Cancelled before anything was shown, so no other code would close it.
    if (!opened) live.close()
  }
}

async function readAgain(live: OpenTranscript, signal: AbortSignal) {
  for await (const step of live.again(signal)) {
    if (step.kind === 'refused') throw refusal(step.problem)
  }
  return grownMessage(live)
}

async function* followSteps(
  { live, file }: Entry,
  signal: AbortSignal,
): AsyncGenerator<FollowStep, void> {
  const { fixed, name } = file
  if (fixed !== null) {
    const what = `${fixed} does not grow`
    throw refusal({ what, where: name, do: 'Open the file itself by its path' })
  }
  if (live.unfollowed !== null) {
    throw refusal({ what: live.unfollowed, where: live.path, do: 'Open it again to see more' })
  }
  for await (const step of live.follow(signal)) {
    if (step.kind === 'following') yield step
    if (step.kind === 'look') yield grownMessage(live)
  }
}

function openedMessage(
  opened: OpenTranscript,
): Immutable<Omit<OpenedTurns, 'key' | 'name' | 'path'>> {
  const { transcript, formatLabel } = opened
  return { ...factsOf(opened), kind: 'opened', format: transcript.format, formatLabel }
}

function grownMessage(opened: OpenTranscript): Immutable<GrownTurns> {
  return { ...factsOf(opened), kind: 'grown', generation: opened.generation }
}

function factsOf({ transcript, bytes, complete }: OpenTranscript) {
  return {
    bytes,
    complete,
    lines: transcript.lines,
    sessions: sessionHeads(transcript),
    files: transcript.files,
    problems: transcript.problemTotal,
    skipped: transcript.skipped,
    turns: countTurns(transcript),
  }
}
