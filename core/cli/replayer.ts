import { counted } from '../engine/result.ts'
import type { Session } from '../engine/schema/session.ts'
import type { TurnTrace } from '../engine/schema/trace.ts'
import { createTimeLimit } from '../host/shared/guard.ts'
import { loadConfigOrPaths } from '../host/files/config-files.ts'
import { compilePipeline } from '../host/shared/pipelines.ts'
import { type SessionReplay, replaySession, traceTurn } from '../host/session/replay.ts'
import { type OpenTranscript, openTranscript } from '../host/files/transcript.ts'
import { openWorkspace } from '../host/files/workspace.ts'
import { notice } from '../host/shared/terminal.ts'
import { sayingRun } from './cut-offs.ts'
import { type ConfigOptions, configOf, HOME } from './options.ts'
import { CommandError, createMeter, valueOrFail } from './output.ts'
import { spoolStandardInput, STANDARD_INPUT } from './standard-input.ts'

/** The pipeline of a command line, with the same watchdog as in the application. */
export interface Replayer {
  replay(
    session: Session,
    onProgress?: (done: number, total: number) => void,
  ): Promise<SessionReplay>
  trace(replay: SessionReplay, turn: number): TurnTrace
}

/** Loads and compiles what the options name; a notice says what a person should know about it. */
export async function openReplayer(options: ConfigOptions): Promise<Replayer> {
  const workspace = openWorkspace(options.workspace, HOME)
  const files = valueOrFail(await loadConfigOrPaths(workspace, configOf(options)))
  const compiled = valueOrFail(compilePipeline(files))
  const limit = createTimeLimit()
  const cutOffs = await sayingRun(files)
  const { signal } = new AbortController()
  return {
    replay: (session, onProgress) =>
      replaySession(compiled, session, {
        limit,
        cutOffs,
        signal,
        ...(onProgress ? { onProgress } : {}),
      }),
    trace: (replay, turn) => traceTurn(replay, turn, limit, cutOffs.budget),
  }
}

/** Reads a transcript (`-`: standard input); what could not be used is said in one line. */
export async function readFile(path: string): Promise<OpenTranscript> {
  const meter = createMeter()
  const place = path === STANDARD_INPUT ? await spoolStandardInput() : path
  const opened = await openTranscript(place, {
    onProgress: (done, total) =>
      meter.show(`${path} ${Math.round((100 * done) / Math.max(1, total))} %`),
  })
  meter.clear()
  if (!opened.ok && place !== path) {
    throw new CommandError({ ...opened.error, where: 'standard input' })
  }
  const { transcript } = valueOrFail(opened)
  const [first] = transcript.problems
  if (first) {
    const count = transcript.problemTotal
    notice(
      `${path}:${first.line}: ${counted(count, 'line')} could not be used, first: ${first.message}`,
    )
  }
  return valueOrFail(opened)
}
