import { resolve } from 'node:path'
import { diffReplays } from '../engine/lab/flips/diff.ts'
import { textOf } from '../engine/schema/event.ts'
import { EVENT_CODES, RULE_CODES } from '../engine/schema/replay.ts'
import type { Session } from '../engine/schema/session.ts'
import { type SessionReplay, replaySession } from '../host/replay/session/replay.ts'
import { traceTurn } from '../host/replay/session/trace-turn.ts'
import { folderProblem } from '../host/platform/files/named-folder.ts'
import { numberedFromOne } from '../host/platform/numbering.ts'
import { HOME } from '../place.ts'
import { isPersonal } from '../workspace-place.ts'
import type * as Api from './turnscope.d.ts'
import type { ImportedTranscript } from '../engine/import/source.ts'
import { loadConfigOrPaths } from '../host/workspace/config-files.ts'
import { workspaceFormats } from '../host/transcripts/own-formats.ts'
import { openTranscript } from '../host/transcripts/transcript.ts'
import { openWorkspace as openFolder } from '../host/workspace/workspace.ts'
import { createCutOffRun } from '../host/platform/guard/cut-off-run.ts'
import { createTimeLimit } from '../host/platform/guard/guard.ts'
import { type Compiled, compilePipeline } from '../host/rules/pipelines.ts'
import { type Problem, type Result, formatProblem } from '../engine/result.ts'

/** [F190] See `turnscope.d.ts`, which this is checked against and which ships. */
export const openWorkspace: typeof Api.openWorkspace = (folder = HOME) => {
  const problem = isPersonal(folder) ? null : folderProblem(folder)
  if (problem !== null) throw new TurnscopeError(problem)
  return { folder: resolve(folder) }
}

export const replay: typeof Api.replay = async (workspace, file, config = {}) => {
  const compiled = await compiledOf(workspace, config)
  return withTranscript(workspace, file, async (transcript) => {
    const replays = createReplays(compiled)
    const sessions: Api.Session[] = []
    const cutOff: Array<Api.Replayed['cutOff'][number]> = []
    for (const [at, session] of transcript.sessions.entries()) {
      const replayed = await replays.of(session)
      const { id, title, thread } = session
      sessions.push({ session: at + 1, id, title, thread, turns: turnsOf(session, replayed) })
      for (const { domain, pattern } of replayed.columns.cutOffs) cutOff.push({ domain, pattern })
    }
    const { format } = transcript
    const problems = transcript.problems.map(({ line, message }) => ({ line, message }))
    return { file, format, sessions, problems, warnings: compiled.warnings, cutOff }
  })
}

const KINDS: ReadonlySet<string> = new Set<Api.Turn['kind']>(['user', 'agent', 'tool_result'])
const isTurnKind = (kind: string): kind is Api.Turn['kind'] => KINDS.has(kind)

function turnsOf(session: Session, replayed: SessionReplay): readonly Api.Turn[] {
  return replayed.turns.map((event, turn) => {
    const after = replayed.states[turn + 1] ?? replayed.end
    // L8: no other kinds are turns.
    const kind = isTurnKind(event.kind) ? event.kind : 'user'
    return {
      turn: turn + 1,
      seq: event.seq,
      kind,
      text: textOf(event, session.texts),
      at: event.at,
      ...decisionAt(replayed, turn),
      signature: after.signature,
      enrichment: replayed.enrichments[turn] ?? '',
    }
  })
}

function decisionAt({ columns }: SessionReplay, turn: number) {
  const { domains, primary, secondary, primaryScore, secondaryScore, scoredPrimary, resisted } =
    columns
  const second = domains[secondary[turn] ?? -1] ?? null
  return {
    primary: domains[primary[turn] ?? -1] ?? '',
    secondary: second,
    confidence: primaryScore[turn] ?? 0,
    secondaryConfidence: second === null ? null : (secondaryScore[turn] ?? 0),
    scored: domains[scoredPrimary[turn] ?? -1] ?? '',
    resisted: domains[resisted[turn] ?? -1] ?? null,
    momentum: columns.momentum[turn] ?? 0,
    event: EVENT_CODES[columns.event[turn] ?? 0] ?? 'same',
    rule: RULE_CODES[columns.rule[turn] ?? 0] ?? 'M1',
  }
}

export const explain: typeof Api.explain = async (workspace, file, turn, options = {}) => {
  const { session: number = 1, ...config } = options
  const compiled = await compiledOf(workspace, config)
  return withTranscript(workspace, file, async (transcript) => {
    const session = sessionAt(transcript, file, number)
    const { of, limit, cutOffs } = createReplays(compiled)
    const replayed = await of(session)
    const { turns } = replayed.columns
    if (!Number.isInteger(turn) || turn < 1 || turn > turns)
      throw new TurnscopeError({
        what: `there is no turn ${turn}`,
        where: file,
        do: turns === 0 ? 'Nothing in it is classified' : `It has turns 1 to ${turns}`,
      })
    const trace = traceTurn(replayed, turn - 1, limit, cutOffs.budget)
    return { file, session: session.id, ...numberedFromOne(trace) }
  })
}

export const flips: typeof Api.flips = async (workspace, file, base, head) => {
  const sides = [await compiledOf(workspace, base), await compiledOf(workspace, head)] as const
  return withTranscript(workspace, file, async (transcript) => {
    const left = createReplays(sides[0])
    const right = createReplays(sides[1])
    const found: Api.Flip[] = []
    for (const [at, session] of transcript.sessions.entries()) {
      const a = await left.of(session)
      const b = await right.of(session)
      for (const { turn, other, fields, cause, since } of diffReplays(a, b)) {
        const event = a.turns[turn]
        if (event === undefined) continue
        found.push({
          session: at + 1,
          turn: turn + 1,
          seq: event.seq,
          text: textOf(event, session.texts),
          base: domainsAt(a, turn),
          head: domainsAt(b, other),
          fields,
          cause,
          since: since + 1,
        })
      }
    }
    return found
  })
}

function domainsAt(replayed: SessionReplay, turn: number) {
  const { primary, secondary } = decisionAt(replayed, turn)
  return { primary, secondary }
}

/** Never aborted: the program that runs a script can stop the script itself. */
const { signal } = new AbortController()

/** Works with a transcript that is open, and closes it. */
async function withTranscript<T>(
  { folder }: Api.Workspace,
  file: string,
  work: (transcript: ImportedTranscript) => Promise<T>,
): Promise<T> {
  const formats = workspaceFormats(openFolder(folder, HOME))
  const opened = valueOrThrow(await openTranscript(file, { formats }))
  try {
    return await work(opened.transcript)
  } finally {
    opened.close()
  }
}

/** [F190] A configuration, read and compiled. */
async function compiledOf(
  { folder }: Api.Workspace,
  { preset = 'recommended', domains = 'default', profile = null }: Api.Config,
): Promise<Compiled> {
  const config = { preset, domains, profile, classify: null }
  const files = valueOrThrow(await loadConfigOrPaths(openFolder(folder, HOME), config))
  return valueOrThrow(compilePipeline(files))
}

/** Sessions replayed one after another under one watchdog (T61). */
function createReplays(compiled: Compiled) {
  const limit = createTimeLimit()
  const cutOffs = createCutOffRun()
  return {
    limit,
    cutOffs,
    of: (session: ImportedTranscript['sessions'][number]): Promise<SessionReplay> =>
      replaySession(compiled, session, { limit, cutOffs, signal }),
  }
}

/** A session of a transcript by its place, from 1. */
function sessionAt({ sessions }: ImportedTranscript, file: string, number: number) {
  const session = sessions[number - 1]
  if (session !== undefined) return session
  throw new TurnscopeError({
    what: `there is no session ${number}`,
    where: file,
    do: `It has sessions 1 to ${sessions.length}`,
  })
}

/** [F190] An expected failure on its way to a script. */
export class TurnscopeError extends Error implements Api.TurnscopeError {
  readonly what: string
  readonly where: string
  readonly do: string
  constructor(problem: Problem) {
    super(formatProblem(problem))
    this.name = 'TurnscopeError'
    this.what = problem.what
    this.where = problem.where
    this.do = problem.do
  }
}

/** The value of a result, or the error that a script catches. */
function valueOrThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new TurnscopeError(result.error)
}
