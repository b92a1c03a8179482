import { createTotals, type SourceTotal } from '../../engine/context/totals.ts'
import { counted } from '../../engine/result.ts'
import type { ModelProfile } from '../../engine/schema/profile.ts'
import { readContext } from '../../host/context/read-context.ts'
import type { FormatsOf } from '../../host/transcripts/own-formats.ts'
import { shareText } from '../../engine/schema/context.ts'
import { tokensText } from '../context/context-prose.ts'
import { readFile } from '../replay/replayer.ts'

/** [X13] Sources of contexts over files. */
export interface ContextStats {
  /** Sessions with a call. */
  readonly sessions: number
  /** Sessions among them whose file records usage. */
  readonly recorded: number
  readonly tokens: number
  readonly sources: readonly SourceTotal[]
}

/** Reads every session, one file after the other. @param profile its tokenizer estimates (X7) */
export async function contextStats(
  files: readonly string[],
  formats: FormatsOf,
  profile: ModelProfile | null,
): Promise<ContextStats> {
  const totals = createTotals()
  let sessions = 0
  let recorded = 0
  for (const file of files) {
    const { transcript } = await readFile(file, formats)
    for (const session of transcript.sessions) {
      const { context } = await readContext(session, transcript, profile)
      if (context.calls.length === 0) continue
      sessions += 1
      if (context.calls.some((call) => call.recorded !== null)) recorded += 1
      totals.add(context)
    }
  }
  const sources = totals.list()
  const tokens = sources.reduce((sum, source) => sum + source.tokens, 0)
  return { sessions, recorded, tokens, sources }
}

/** A line for each source, the largest first. */
export function contextStatsText(
  { sessions, recorded, tokens, sources }: ContextStats,
  most: number,
): string {
  const lines = sources
    .slice(0, most)
    .map(
      ({ label, sessions: of, tokens: some }) =>
        `  ${label}: ${counted(of, 'session')}, ${tokensText(some)} tokens, ${shareText(some, tokens)}`,
    )
  const more = sources.length > most ? [`  ${sources.length - most} more sources`] : []
  return [
    '',
    `context: ${counted(sessions, 'session')} with model calls, ${recorded} with recorded usage; each text counts once`,
    ...lines,
    ...more,
    '',
  ].join('\n')
}
