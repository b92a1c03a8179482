import { SHIPPED_EMBEDDER } from '../../engine/schema/probe-settings.ts'
import { messageOf } from '../../engine/result.ts'
import type { ScoredCorpus } from '../../engine/lab/corpus/corpus.ts'
import type { TurnVectors } from '../../engine/lab/opinion/opinion.ts'
import { unembedded } from '../../host/queue/lab/queue.ts'
import type { LabCorpus } from '../lab/lab-corpus.ts'
import { createMeter, valueOrFail } from '../kit/output.ts'
import { withProbe } from '../probe/probe-service.ts'

interface Embedded {
  readonly vectors: TurnVectors
  /** Why there are none. */
  readonly note: string | null
}

interface Where {
  readonly workspace: string
  readonly trust?: boolean | undefined
}

/** Texts embedded between two looks at the meter. */
const PORTION = 32

/** [L80] Vectors of the turns that a second opinion needs, by the shipped model; without it none, and why. */
export async function embedTurns(
  { read, waiting }: LabCorpus,
  scored: ScoredCorpus,
  where: Where,
): Promise<Embedded> {
  const vectors = new Map<number, Float32Array>()
  const { turns, texts } = unembedded(read, scored, vectors)
  if (turns.length === 0) return { vectors, note: null }
  const meter = createMeter()
  try {
    await withProbe(where, async ({ service, settings }) => {
      const embedder = valueOrFail(await service.embedder(SHIPPED_EMBEDDER, settings))
      for (let from = 0; from < turns.length; from += PORTION) {
        meter.show(`embedding ${from} of ${turns.length} turns`)
        const part = texts.slice(from, from + PORTION)
        const made = valueOrFail(await embedder.embed(part, waiting.signal))
        for (const [at, vector] of made.entries()) vectors.set(turns[from + at] ?? -1, vector)
      }
    })
    return { vectors, note: null }
  } catch (error) {
    return { vectors: new Map(), note: `no second opinion: ${messageOf(error)}` }
  } finally {
    meter.clear()
  }
}
