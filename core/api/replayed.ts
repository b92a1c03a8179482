import type { ImportedTranscript } from '../engine/import/source.ts'
import { loadConfigOrPaths } from '../host/workspace/config-files.ts'
import { workspaceFormats } from '../host/transcripts/own-formats.ts'
import { openTranscript } from '../host/transcripts/transcript.ts'
import { openWorkspace } from '../host/workspace/workspace.ts'
import { type SessionReplay, replaySession } from '../host/replay/session/replay.ts'
import { createCutOffRun } from '../host/platform/guard/cut-off-run.ts'
import { createTimeLimit } from '../host/platform/guard/guard.ts'
import { type Compiled, compilePipeline } from '../host/rules/pipelines.ts'
import { HOME } from '../place.ts'
import { TurnscopeError, valueOrThrow } from './error.ts'
import type * as Api from './turnscope.d.ts'

/** Long before a text ends: a script can be stopped by whoever runs it. */
const { signal } = new AbortController()

/** Works with a transcript that is open, and closes it. */
export async function withTranscript<T>(
  { folder }: Api.Workspace,
  file: string,
  work: (transcript: ImportedTranscript) => Promise<T>,
): Promise<T> {
  const formats = workspaceFormats(openWorkspace(folder, HOME))
  const opened = valueOrThrow(await openTranscript(file, { formats }))
  try {
    return await work(opened.transcript)
  } finally {
    opened.close()
  }
}

/** [F190] A configuration, read and compiled. */
export async function compiledOf(
  { folder }: Api.Workspace,
  { preset = 'recommended', domains = 'default', profile = null }: Api.Config,
): Promise<Compiled> {
  const config = { preset, domains, profile, classify: null }
  const files = valueOrThrow(await loadConfigOrPaths(openWorkspace(folder, HOME), config))
  return valueOrThrow(compilePipeline(files))
}

/** Sessions replayed one after another under one watchdog (T61). */
export function createReplays(compiled: Compiled) {
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
export function sessionAt({ sessions }: ImportedTranscript, file: string, number: number) {
  const session = sessions[number - 1]
  if (session !== undefined) return session
  throw new TurnscopeError({
    what: `there is no session ${number}`,
    where: file,
    do: `It has sessions 1 to ${sessions.length}`,
  })
}
