import type { ImportedTranscript } from '../../engine/import/source.ts'
import { counted } from '../../engine/result.ts'
import type { ProfileAdvice } from '../../engine/schema/profile.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { TurnTrace } from '../../engine/schema/trace.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { loadConfigOrPaths } from '../../host/workspace/config-files.ts'
import { compilePipeline } from '../../host/rules/pipelines.ts'
import { type FormatsOf, workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { type SessionReplay, replaySession } from '../../host/replay/session/replay.ts'
import { traceTurn } from '../../host/replay/session/trace-turn.ts'
import type { OpenTranscript } from '../../host/transcripts/open-transcript.ts'
import { openTranscript } from '../../host/transcripts/transcript.ts'
import { modelsOf, profileAdvice } from '../../engine/belief/profile-match.ts'
import { profileNames } from '../../host/workspace/profile-names.ts'
import { type Workspace, openWorkspace } from '../../host/workspace/workspace.ts'
import { notice } from '../../host/platform/terminal.ts'
import { beginWithAutomata } from '../kit/automata.ts'
import { sayingRun } from '../kit/cut-offs.ts'
import { HOME } from '../../place.ts'
import { type ConfigOptions, configOf } from '../kit/options.ts'
import { CommandError, createMeter, valueOrFail } from '../kit/output.ts'
import { spoolStandardInput, STANDARD_INPUT } from '../kit/standard-input.ts'

/** The pipeline of a command line, with the same watchdog as in the application. */
export interface Replayer {
  replay(
    session: Session,
    onProgress?: (done: number, total: number) => void,
  ): Promise<SessionReplay>
  trace(replay: SessionReplay, turn: number): TurnTrace
}

/**
 * Loads and compiles the configuration that the options name. Prints a notice with anything the operator should know
 * about it.
 */
export async function openReplayer(options: ConfigOptions): Promise<Replayer> {
  beginWithAutomata()
  const workspace = openWorkspace(options.workspace, HOME)
  const files = valueOrFail(await loadConfigOrPaths(workspace, configOf(options)))
  const compiled = valueOrFail(compilePipeline(files))
  const limit = createTimeLimit()
  const cutOffs = await sayingRun(files)
  const { signal } = new AbortController()
  const adviseOnce = await profileAdviser(workspace, options)
  return {
    replay: (session, onProgress) => {
      adviseOnce(session)
      return replaySession(compiled, session, {
        limit,
        cutOffs,
        signal,
        ...(onProgress ? { onProgress } : {}),
      })
    },
    trace: (replay, turn) => traceTurn(replay, turn, limit, cutOffs.budget),
  }
}

/** [I140] The formats of the workspace that the options name. */
export function ownFormats({ workspace }: { readonly workspace: string }): FormatsOf {
  return workspaceFormats(openWorkspace(workspace, HOME))
}

/** Reads a transcript (`-`: standard input); what could not be used is said in one line. */
export async function readFile(path: string, formats: FormatsOf): Promise<OpenTranscript> {
  const meter = createMeter()
  const place = path === STANDARD_INPUT ? await spoolStandardInput() : path
  const opened = await openTranscript(place, {
    formats,
    onProgress: (done, total) =>
      meter.show(`${path} ${Math.round((100 * done) / Math.max(1, total))} %`),
  })
  meter.clear()
  if (!opened.ok && place !== path) {
    throw new CommandError({ ...opened.error, where: 'standard input' })
  }
  const read = valueOrFail(opened)
  noticeProblems(path, read.transcript)
  return read
}

/**
 * Reports on stderr how many lines of a file could not be used, with the problem of the first. [I108] Also reports how
 * many records have a kind that the format does not know, and where.
 */
export function noticeProblems(path: string, { problems, problemTotal }: ImportedTranscript): void {
  const kinds = problems.filter(({ code }) => code === 'unknown_kind')
  for (const { line, message } of kinds.slice(0, KINDS_SAID)) notice(`${path}:${line}: ${message}`)
  if (kinds.length > KINDS_SAID) notice(`${path}: ${kinds.length} unknown kinds in all`)
  const first = problems.find(({ code }) => code !== 'unknown_kind')
  if (first === undefined) return
  const lines = counted(problemTotal - kinds.length, 'line')
  notice(`${path}:${first.line}: ${lines} could not be used, first: ${first.message}`)
}

const KINDS_SAID = 5

/**
 * [F60] Reports on stderr problems with the chosen profile, each sentence once per run. A name that does not exist is
 * already a warning of every replay. The path of a file is not a name.
 */
async function profileAdviser(workspace: Workspace, options: ConfigOptions) {
  const { profile } = configOf(options)
  const profiles = await profileNames(workspace)
  const isName = profile === null || profiles.some(({ name }) => name === profile)
  const said = new Set<string>()
  return ({ events }: Session): void => {
    if (!isName) return
    const sentence = adviceOf(profileAdvice(modelsOf(events), profiles, profile), profile ?? '')
    if (sentence === null || said.has(sentence)) return
    said.add(sentence)
    notice(sentence)
  }
}

function adviceOf(advice: ProfileAdvice, chosen: string): string | null {
  switch (advice.kind) {
    case 'suggested':
      return `no model profile is chosen, so no domain is disabled; the session's model is ${advice.model}: --profile ${advice.profile} is its profile`
    case 'no_profile':
      return `there is no model profile for ${advice.model}, the session's model: no domain is disabled`
    case 'other_model':
      return `the profile ${chosen} is not for ${advice.model}, the session's model${advice.profile === null ? '' : `: --profile ${advice.profile} is`}`
    case 'fits':
    case 'missing':
      return null
  }
}
