import type { z } from 'zod'
import { createMatcher } from '../../../engine/find/match.ts'
import { parseQuery } from '../../../engine/find/parse.ts'
import type { Query } from '../../../engine/find/query.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import type { Result } from '../../../engine/result.ts'
import type { LibraryStats } from '../../../engine/schema/library.ts'
import { type ReplayConfig, EVENT_CODES } from '../../../engine/schema/replay.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { parseSelfSignal } from '../../../engine/self-signal/response.ts'
import type { HandlersOf, Output } from '../../../wire/rpc.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { type FoundFormats, workspaceFormats } from '../../transcripts/own-formats.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'
import { findEvents } from '../../find/session/find.ts'
import type { Compiled } from '../../rules/pipelines.ts'
import { type SessionReplay, replaySession } from '../../replay/session/replay.ts'
import { diffReplays } from '../../../engine/lab/flips/diff.ts'
import {
  type GrowingFile,
  type GrowingFiles,
  createGrowingFiles,
  freshFile,
} from '../../sessions/session/growing-files.ts'
import { createScanCache } from '../../replay/session/scan-cache.ts'
import { openListed, openTranscript } from '../../transcripts/transcript.ts'
import { createBreath } from '../../platform/threads/yielding.ts'
import type { Reading } from '../../../wire/internal/session.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { factsFor, excerptsOf } from '../../find/session/find-handlers.ts'
import { fileSources, presetStages } from '../../find/session/file-sources.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { textOf } from '../../../engine/schema/event.ts'
import type { Priority } from '../../platform/threads/priority.ts'

type FindInput = z.output<SessionContract['library.findIn']['in']>

interface Around {
  readonly service: SessionService
  readonly workspace: Workspace
  readonly limit: TimeLimit
  readonly priority: Priority
}

/** Reads, replays and searches files of the library; nothing stays open. */
export function createLibraryHandlers(around: Around): HandlersOf<SessionContract, 'library'> {
  const { service, workspace, limit, priority } = around
  const formats = workspaceFormats(workspace)
  const kept = createGrowingFiles()
  return {
    'library.read': async ({ paths, config, compare }, { signal }) => {
      await priority.turn(signal)
      // Asked once for all of them: looking for the files of a workspace costs as much as a short session.
      const compiled = await service.compiled(config)
      const other = compare === null ? null : await service.compiled(compare)
      const known = { ok: true as const, value: valueOrRefuse(await formats()) }
      const under = { compiled, other, limit, signal, formats: known, kept }
      const readings: Reading[] = []
      for (const path of paths) readings.push(await readFile(path, under, priority))
      return { readings }
    },
    'library.findIn': async (input, { signal }) => findIn(around, input, signal),
  }
}

/** [I147] Reads and replays one file, which is opened once; of one that was kept (I148) only what came. */
async function readFile(path: string, under: Under, priority: Priority): Promise<Reading> {
  const { limit, signal, formats, kept } = under
  // A mapping that was edited may know a file now, or read it in another way.
  const keeps = formats.value.own.length === 0
  const known = keeps ? await kept.again(path, signal) : null
  if (known !== null) return { ...(await readingOf(known, under, priority)), kept: true }
  const opened = await openListed(path, { signal, formats: () => Promise.resolve(formats) })
  if (opened === 'unknown') return { kind: 'skipped', reason: 'not a transcript' }
  if (!opened.ok) return { kind: 'failed', problem: opened.error }
  const file = freshFile(opened.value, limit)
  try {
    const reading = await readingOf(file, under, priority)
    if (keeps) return { ...reading, kept: kept.keep(path, file) }
    file.live.close()
    return { ...reading, kept: false }
  } catch (error) {
    file.live.close()
    throw error
  }
}

/** The indexed results of a file under the configurations. */
async function readingOf(file: GrowingFile, under: Under, priority: Priority) {
  const { transcript, formatLabel, companions } = file.live
  const stats = emptyStats(under.other !== null)
  for (const [index, session] of transcript.sessions.entries()) {
    await priority.turn(under.signal)
    await addSession(stats, { file, index, session }, under)
  }
  return {
    kind: 'read' as const,
    label: formatLabel,
    ...factsOf(transcript),
    companions: [...companions],
    stats: finished(stats),
  }
}

function factsOf({ format, sessions, problemTotal }: ImportedTranscript) {
  const main = sessions.find((session) => session.parent === null) ?? sessions[0]
  const events = sessions.reduce((sum, session) => sum + session.events.length, 0)
  const title = main?.title ?? ''
  return {
    format,
    title,
    events,
    startedAt: main?.startedAt ?? null,
    sessions: sessions.length,
    problems: problemTotal,
  }
}

type Counts = { -readonly [K in keyof LibraryStats]: LibraryStats[K] } & {
  readonly byDomain: Map<string, number>
}

function emptyStats(isCompared: boolean): Counts {
  return {
    turns: 0,
    domains: [],
    flips: isCompared ? 0 : null,
    breaks: 0,
    held: 0,
    resisted: 0,
    signals: 0,
    errors: 0,
    byDomain: new Map<string, number>(),
  }
}

interface Under {
  readonly compiled: Compiled
  readonly other: Compiled | null
  readonly limit: TimeLimit
  readonly signal: AbortSignal
  readonly formats: Extract<Result<FoundFormats>, { readonly ok: true }>
  readonly kept: GrowingFiles
}

interface Counted {
  readonly file: GrowingFile
  /** Session of the file. */
  readonly index: number
  readonly session: Session
}

/** [K6] Adds the results of a session's replay. */
async function addSession(
  stats: Counts,
  { file, index, session }: Counted,
  { compiled, other, signal }: Under,
): Promise<void> {
  const { live, replays } = file
  const replayed = (pipeline: Compiled) => replays.get({ live, index, pipeline }, { signal })
  const replay = await replayed(compiled)
  const { columns } = replay
  stats.turns += columns.turns
  for (const number of columns.primary) {
    const name = columns.domains[number] ?? ''
    stats.byDomain.set(name, (stats.byDomain.get(name) ?? 0) + 1)
  }
  stats.breaks += columns.event.filter((code) => EVENT_CODES[code] === 'break').length
  stats.held += runsOf(replay, 'hold')
  stats.resisted += runsOf(replay, 'resist')
  const { selfSignal } = compiled.pipeline.preset
  const breath = createBreath(signal)
  for (const event of session.events) {
    if (event.isError) stats.errors += 1
    if (
      event.kind === 'agent' &&
      parseSelfSignal(textOf(event, session.texts), selfSignal) !== null
    )
      stats.signals += 1
    await breath()
  }
  if (other === null) return
  const compared = await replayed(other)
  stats.flips = (stats.flips ?? 0) + diffReplays(replay, compared).length
}

/** Runs of turns, one after the other, with which momentum did the same. */
function runsOf({ columns }: SessionReplay, event: (typeof EVENT_CODES)[number]): number {
  const code = EVENT_CODES.indexOf(event)
  return columns.event.filter((each, turn) => each === code && columns.event[turn - 1] !== code)
    .length
}

function finished({ byDomain, ...stats }: Counts): LibraryStats {
  const domains = [...byDomain]
    .map(([name, turns]) => ({ name, turns }))
    .toSorted((a, b) => b.turns - a.turns || (a.name < b.name ? -1 : 1))
  return { ...stats, domains }
}

async function findIn(around: Around, input: FindInput, signal: AbortSignal): Promise<Findings> {
  const query = parseQuery(input.query)
  if (!query.ok) return { sessions: 0, found: [], problem: query.error, cutOff: 0 }
  await around.priority.turn(signal)
  const formats = workspaceFormats(around.workspace)
  const opened = await openTranscript(input.path, { signal, formats })
  if (!opened.ok) return { sessions: 0, found: [], problem: null, cutOff: 0 }
  try {
    return await findInSessions(around, opened.value.transcript.sessions, {
      input,
      query: query.value,
      signal,
    })
  } finally {
    opened.value.close()
  }
}

type Findings = Output<SessionContract, 'library.findIn'>

interface Search {
  readonly input: FindInput
  readonly query: Query
  readonly signal: AbortSignal
}

async function findInSessions(
  { service, workspace, limit, priority }: Around,
  sessions: readonly Session[],
  { input, query, signal }: Search,
): Promise<Findings> {
  const found: Array<Findings['found'][number]> = []
  let cutOff = 0
  const sourcesOf = fileSources({ path: input.path, workspace, limit, signal })
  for (const [index, session] of sessions.entries()) {
    await priority.turn(signal)
    const scans = createScanCache()
    const replayed = async (config: ReplayConfig) =>
      replaySession(await service.compiled(config), session, { limit, signal, scans })
    const sources = sourcesOf(index, session)
    const otherOf = async (config: ReplayConfig) => {
      const decided = await replayed(config)
      return { replay: decided, decided }
    }
    const stagesOf = presetStages({ session, workspace, limit, signal })
    const ways = { session, replayed, otherOf, sources, stagesOf }
    const facts = await factsFor(query, input, ways)
    const matcher = createMatcher(query, { facts, events: session.events })
    if (!matcher.ok) return { sessions: index, found: [], problem: matcher.error, cutOff }
    const breath = createBreath(signal)
    const hits = await findEvents(session, matcher.value, { limit, breath })
    cutOff += hits.cutOff
    if (hits.seqs.length === 0) continue
    const first = hits.seqs.slice(0, input.most).flatMap((seq) => session.events[seq] ?? [])
    const excerpts = first.map(excerptsOf(session, query, limit))
    found.push({ session: index, title: session.title, total: hits.seqs.length, excerpts })
  }
  return { sessions: sessions.length, found, problem: null, cutOff }
}
