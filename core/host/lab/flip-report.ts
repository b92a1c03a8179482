import type { ClassifyKinds } from '../../engine/schema/preset.ts'
import { countAmbiguous } from '../../engine/lab/abstain.ts'
import { diffCorpus } from '../../engine/lab/flips.ts'
import { measureCorpus } from '../../engine/lab/metrics-corpus.ts'
import type { ScoredNow } from '../../engine/lab/score-corpus.ts'
import { placeOfSignal } from '../../engine/pipeline.ts'
import { type FlipReport, LISTED_FLIPS } from '../../engine/schema/lab.ts'
import type { LabMetrics } from '../../engine/schema/metrics.ts'
import type { ReadCorpus } from './read-corpus.ts'
import { createSources } from './sources.ts'
import type { CorpusWork, Waiting } from './corpus-work.ts'
import type { ResolvedSide } from '../shared/drafts/sides.ts'

type Labelled = Pick<ReadCorpus, 'corpus' | 'origins' | 'labels' | 'readings'>

interface Comparison {
  readonly work: CorpusWork
  /** Labels, where they come from, and who gave them. */
  readonly read: Labelled
  /** What counts as a turn of the corpus (T41). */
  readonly classify: ClassifyKinds
  /** Milliseconds that reading and compiling the sides took. */
  readonly compileMs: number
  /** Most flips listed (default: `LISTED_FLIPS`). */
  readonly most?: number
}

/**
 * What `side` decides differently from `base` over the corpus. The one function behind the window's
 * flips, `turnscope diff` and `turnscope check --base` (T44).
 */
export async function flipReport(
  { work, read, classify, compileMs, most = LISTED_FLIPS }: Comparison,
  { base, side }: { readonly base: ResolvedSide; readonly side: ResolvedSide },
  waiting: Waiting,
): Promise<FlipReport> {
  const before = await work.score(base.compiled.pipeline, waiting)
  const after = await work.score(side.compiled.pipeline, waiting)
  const start = performance.now()
  const diff = diffCorpus(before, after, read.labels, most)
  const measured = { before: metricsOf(before, read), after: metricsOf(after, read) }
  const { scan, fold } = after.elapsed
  return {
    ...{ turns: diff.turns, total: diff.total, direct: diff.direct, momentum: diff.momentum },
    ...{ fixed: diff.fixed, broken: diff.broken, primaries: diff.primaries, cells: diff.cells },
    ...{ flips: diff.flips, bySession: diff.bySession },
    ...measured,
    ambiguous: { base: countAmbiguous(before), side: countAmbiguous(after) },
    elapsed: { compile: compileMs, scan, fold, diff: performance.now() - start },
    scanned: after.scanned,
    otherKinds: (['base', 'side'] as const).filter(
      (name) => !sameKinds({ base, side }[name].compiled.classify, classify),
    ),
    cutOffs: cutOffsOf(after, work),
  }
}

function sameKinds(a: ClassifyKinds, b: ClassifyKinds): boolean {
  return a.user === b.user && a.agent === b.agent && a.tool === b.tool
}

/** [T11] Null where there is no label to measure by. */
export function metricsOf(scored: ScoredNow, read: Labelled): LabMetrics | null {
  const { labels, readings } = read
  if (labels.size === 0) return null
  return measureCorpus(scored, labels, {
    sourceOf: createSources(read).of,
    readings: readings.values(),
  })
}

/** Patterns that ran out of time, each on the largest of its texts. */
export function cutOffsOf(scored: ScoredNow, { watch }: CorpusWork): FlipReport['cutOffs'] {
  const largest = new Map<number, number>()
  for (const { number, chars } of scored.cutOffs) {
    largest.set(number, Math.max(chars, largest.get(number) ?? 0))
  }
  return [...largest].map(([number, chars]) => ({
    domain: placeOfSignal(scored.pipeline, number).domain,
    pattern: scored.pipeline.signals[number]?.pattern ?? '',
    chars,
    elapsedMs: watch.elapsed(chars),
  }))
}
