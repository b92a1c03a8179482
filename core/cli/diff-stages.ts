import { isDeepStrictEqual } from 'node:util'
import { stageFlips } from '../engine/lab/recorded.ts'
import type { StageFlip } from '../engine/schema/compare.ts'
import type { Preset } from '../engine/schema/preset.ts'
import { openTranscript } from '../host/files/transcript.ts'
import { replaySession } from '../host/session/replay.ts'
import type { ResolvedSide } from '../host/shared/drafts/sides.ts'
import { createTimeLimit } from '../host/shared/guard.ts'
import type { LabCorpus } from './lab-corpus.ts'
import { openStages } from './stages.ts'

/** An event for which a stage beside the belief says something else, and where it is. */
export interface PlacedStageFlip extends StageFlip {
  readonly file: string
  readonly sessionId: string
}

interface Sides {
  readonly base: ResolvedSide
  readonly side: ResolvedSide
}

const STAGE_OPTIONS = ['query', 'selfSignal', 'prompt'] as const

/** Prompts hold enrichment: they may differ where a turn does, everything else where an option does. */
function mayDiffer({ base, side }: Sides, flips: number): boolean {
  const [own, other]: readonly Preset[] = [base.files.preset.value, side.files.preset.value]
  return flips > 0 || STAGE_OPTIONS.some((name) => !isDeepStrictEqual(own?.[name], other?.[name]))
}

/** [L51] Flips of query types, self-signals and prompts, in the order of files and events. */
export async function* stageFlipsOf(
  options: { readonly workspace: string },
  { read }: LabCorpus,
  sides: Sides,
  flips: number,
): AsyncGenerator<PlacedStageFlip, void> {
  if (!mayDiffer(sides, flips)) return
  const stages = await openStages(options)
  const limit = createTimeLimit()
  const { signal } = new AbortController()
  for (const { path } of read.files) {
    const opened = await openTranscript(path, { signal })
    // What cannot be read was said when the corpus was.
    if (!opened.ok) continue
    for (const session of opened.value.transcript.sessions) {
      const factsOf = async ({ compiled }: ResolvedSide) =>
        stages(session, await replaySession(compiled, session, { limit, signal }), null)
      const found = stageFlips(await factsOf(sides.base), await factsOf(sides.side))
      for (const flip of found.flips) yield { file: path, sessionId: session.id, ...flip }
    }
    opened.value.close()
  }
}
