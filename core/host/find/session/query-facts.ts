import {
  wordsOfAmbiguous,
  coachWords,
  compareWords,
  heldWords,
  type KnownFacts,
  type KnownWords,
  labelWords,
  personaWords,
  queryWords,
} from '../../../engine/find/filter-values.ts'
import type { KnownField, Query } from '../../../engine/find/query.ts'
import type { OutputType } from '../../../engine/schema/coach.ts'
import type { TurnLabel } from '../../../engine/schema/label.ts'
import type { Session } from '../../../engine/schema/session.ts'
import type { SessionReplay } from '../../replay/session/replay.ts'

/** Sources of facts other than the replay. Each is loaded only if a query needs it. */
export interface FindSources {
  readonly labels: () => Promise<ReadonlyMap<number, TurnLabel>>
  /** [V10] Of outputs by the coach's rules: no model is asked. */
  readonly verdicts: () => Promise<
    ReadonlyArray<{ readonly seq: number; readonly type: OutputType }>
  >
  /** Null if the session was not probed. */
  readonly personas: ReadonlyArray<{
    readonly seq: number
    readonly persona: string | null
  }> | null
}

interface Replays {
  readonly session: Session
  readonly base: SessionReplay
  readonly other: Pick<SessionReplay, 'columns'> | null
}

type Ask = (of: Replays, sources: FindSources) => Promise<KnownWords | null> | KnownWords | null

const ASKS: Readonly<Record<KnownField, Ask>> = {
  label: async ({ base }, { labels }) => labelWords(await labels(), base.columns, base.turnOf),
  verdict: async (_, { verdicts }) => coachWords(await verdicts()),
  ambiguous: ({ base }) => wordsOfAmbiguous(base.columns),
  held: ({ base }) => heldWords(base.columns),
  persona: (_, { personas }) => personas && personaWords(personas),
  query: ({ session, base }) => queryWords(session, base.compiled.pipeline.preset.query),
  compare: ({ other }) => other && compareWords(other.columns),
}

/** [F70] Facts that a query needs in addition to the replay. A filter that has no source here is omitted. */
export async function factsBeside(
  { asks }: Query,
  of: Replays,
  sources: FindSources,
): Promise<KnownFacts> {
  const known = new Map<KnownField, KnownWords>()
  for (const field of asks) {
    const words = await ASKS[field](of, sources)
    if (words !== null) known.set(field, words)
  }
  return Object.fromEntries(known)
}
