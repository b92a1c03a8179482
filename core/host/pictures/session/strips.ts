import { stripOf } from '../../../engine/draw/strip.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'
import { diffReplays } from '../../../engine/lab/flips/diff.ts'
import type { Replay } from '../../../engine/replay.ts'
import type { SessionStrip } from '../../../engine/schema/picture.ts'
import type { Session } from '../../../engine/schema/session.ts'
import type { FormatsOf } from '../../transcripts/own-formats.ts'
import { openTranscript } from '../../transcripts/transcript.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import type { Compiled } from '../../rules/pipelines.ts'
import { shownTitle } from './picture-parts.ts'
import { replaySession } from '../../replay/session/replay.ts'
import { createScanCache } from '../../replay/session/scan-cache.ts'

/** A session under one configuration, and under the other. */
interface Replayed {
  readonly base: Replay
  readonly other: Replay | null
}

/** Main sessions. Sub-agents and left branches are folded into their session. */
export function mainSessions({
  sessions,
}: Pick<ImportedTranscript, 'sessions'>): ReadonlyArray<
  readonly [index: number, session: Session]
> {
  const all = [...sessions.entries()]
  const main = all.filter(([, session]) => session.parent === null)
  return main.length > 0 ? main : all
}

/** [U155] A session as a line; `name` is the file's, for a session without a title. */
export function stripFrom(
  { title }: Pick<Session, 'title'>,
  name: string,
  { base, other }: Replayed,
): SessionStrip {
  const flips = other && diffReplays(base, other)
  return stripOf(shownTitle(title || name), base.columns, flips)
}

interface Under {
  readonly compiled: Compiled
  readonly other: Compiled | null
  readonly limit: TimeLimit
  readonly signal: AbortSignal
  readonly formats: FormatsOf
}

/** [U155] Strips of a file's sessions. Reads, replays and releases them; null if the file cannot be read. */
export async function stripsOfFile(
  file: { readonly path: string; readonly name: string },
  { compiled, other, limit, signal, formats }: Under,
): Promise<readonly SessionStrip[] | null> {
  const opened = await openTranscript(file.path, { signal, formats })
  if (!opened.ok) return null
  try {
    const strips: SessionStrip[] = []
    for (const [, session] of mainSessions(opened.value.transcript)) {
      const scans = createScanCache()
      const under = { limit, signal, scans }
      const base = await replaySession(compiled, session, under)
      const there = other && (await replaySession(other, session, under))
      strips.push(stripFrom(session, file.name, { base, other: there }))
    }
    return strips
  } finally {
    opened.value.close()
  }
}
