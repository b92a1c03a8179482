import { createTotals, type SourceTotal } from '../../engine/context/totals.ts'
import { counted } from '../../engine/result.ts'
import type { ModelProfile } from '../../engine/schema/profile.ts'
import { knownSources } from '../../host/context/known-sources.ts'
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

interface Around {
  readonly formats: FormatsOf
  /** Its tokenizer estimates (X7). */
  readonly profile: ModelProfile | null
  /** Folder of the workspace, whose files name sources that no session may have loaded. */
  readonly root: string
}

/** Reads every session, one file after the other. */
export async function contextStats(
  files: readonly string[],
  { formats, profile, root }: Around,
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
  const sources = totals.list(await knownSources(root))
  const tokens = sources.reduce((sum, source) => sum + source.tokens, 0)
  return { sessions, recorded, tokens, sources }
}

/** A line for each source, the largest first. */
export function contextStatsText(
  { sessions, recorded, tokens, sources }: ContextStats,
  most: number,
): string {
  const loaded = sources.filter((source) => source.loaded !== 'never')
  const never = sources.flatMap(({ label, loaded: when }) => (when === 'never' ? [label] : []))
  const lines = loaded
    .slice(0, most)
    .map(
      (source) =>
        `  ${source.label}: ${counted(source.sessions, 'session')}${loadsText(source)}, ${tokensText(source.tokens)} tokens, ${shareText(source.tokens, tokens)}`,
    )
  const more = loaded.length > most ? [`  ${loaded.length - most} more sources`] : []
  const unused = never.length === 0 ? [] : [`  never loaded: ${never.slice(0, most).join(', ')}`]
  return [
    '',
    `context: ${counted(sessions, 'session')} with model calls, ${recorded} with recorded usage; each text counts once`,
    ...lines,
    ...more,
    ...unused,
    '',
  ].join('\n')
}

/** [X21] In every session, or twice in some. */
function loadsText({ loaded, repeated }: SourceTotal): string {
  const every = loaded === 'every' ? ' (every)' : ''
  return repeated === 0 ? every : `${every}, twice or more in ${repeated}`
}
