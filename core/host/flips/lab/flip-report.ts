import type { ClassifyKinds } from '../../../engine/schema/preset.ts'
import { countAmbiguous } from '../../../engine/lab/metrics/abstain.ts'
import type { ScoredCorpus } from '../../../engine/lab/corpus/corpus.ts'
import { diffCorpus, type CorpusDiff } from '../../../engine/lab/flips/flips.ts'
import { measureCorpus } from '../../../engine/lab/metrics/metrics-corpus.ts'
import type { ScoredNow } from '../../../engine/lab/scoring/score-corpus.ts'
import { placeOfSignal } from '../../../engine/pipeline.ts'
import type { FlipReport } from '../../../engine/schema/lab.ts'
import type { LabMetrics } from '../../../engine/schema/metrics.ts'
import type { ReadCorpus } from '../../corpus/lab/read-corpus.ts'
import { createSources } from '../../corpus/lab/sources.ts'
import type { CorpusWork } from '../../corpus/lab/corpus-work.ts'
import type { Waiting } from '../../corpus/waiting.ts'
import type { ResolvedSide } from '../../drafts/sides.ts'

type Labelled = Pick<ReadCorpus, 'corpus' | 'origins' | 'labels' | 'readings'>

interface Comparison {
  readonly work: CorpusWork
  /** Labels, their provenance, and their readers. */
  readonly read: Labelled & Pick<ReadCorpus, 'hasNotices'>
  /** Kinds of events that count as turns of the corpus (T41). */
  readonly classify: ClassifyKinds
  /** Milliseconds that reading and compiling the sides took. */
  readonly compileMs: number
  /** Most flips listed (default: `LISTED_FLIPS`). */
  readonly most?: number | undefined
  /** Milliseconds after which the first flips are reported (default: `EARLY_MS`). */
  readonly earlyMs?: number
}

/** The two compiled configurations to compare. */
interface ComparedSides {
  readonly base: Compiled
  readonly side: Compiled
}
interface Compiled {
  readonly compiled: Pick<ResolvedSide['compiled'], 'pipeline' | 'classify'>
}

/** Delay in ms before the first flips are reported. An answer ready sooner would only be shown twice. */
const EARLY_MS = 40

/**
 * Turns that `side` decides differently from `base` over the corpus. The window's flips, `turnscope diff` and
 * `turnscope check --base` all use this function (T44). [L106] `onFirst` receives the first flips if computing all of
 * them takes long.
 */
export async function flipReport(
  comparison: Comparison,
  sides: ComparedSides,
  { onFirst, ...waiting }: Waiting & { readonly onFirst?: (report: FlipReport) => void },
): Promise<FlipReport> {
  const { work, read, earlyMs = EARLY_MS } = comparison
  const { base, side } = sides
  const asked = performance.now()
  const before = await work.score(base.compiled.pipeline, waiting)
  const onPart = (part: ScoredCorpus, until: number): boolean => {
    if (onFirst === undefined || performance.now() - asked < earlyMs) return false
    const start = performance.now()
    const diff = diffCorpus(before, part, read.labels, { most: comparison.most, until })
    if (diff.total === 0) return false
    const elapsed = { scan: 0, fold: 0, diff: performance.now() - start }
    onFirst({
      ...reportOf(comparison, sides, diff),
      soFar: until,
      before: null,
      after: null,
      ambiguous: { base: null, side: null },
      elapsed: { compile: comparison.compileMs, ...elapsed },
      scanned: 0,
      cutOffs: [],
    })
    return true
  }
  const after = await work.score(side.compiled.pipeline, { ...waiting, onPart })
  const start = performance.now()
  const diff = diffCorpus(before, after, read.labels, { most: comparison.most })
  const measured = { before: metricsOf(before, read), after: metricsOf(after, read) }
  const { scan, fold } = after.elapsed
  return {
    ...reportOf(comparison, sides, diff),
    soFar: null,
    ...measured,
    ambiguous: { base: countAmbiguous(before), side: countAmbiguous(after) },
    elapsed: { compile: comparison.compileMs, scan, fold, diff: performance.now() - start },
    scanned: after.scanned,
    cutOffs: cutOffsOf(after, work),
  }
}

/** The fields of a report about the flips themselves. */
function reportOf({ classify, read }: Comparison, sides: ComparedSides, diff: CorpusDiff) {
  return {
    turns: diff.turns,
    total: diff.total,
    direct: diff.direct,
    momentum: diff.momentum,
    fixed: diff.fixed,
    broken: diff.broken,
    primaries: diff.primaries,
    cells: diff.cells,
    flips: diff.flips,
    bySession: diff.bySession,
    otherKinds: (['base', 'side'] as const).filter(
      (name) => !sameKinds(sides[name].compiled.classify, classify, read.hasNotices),
    ),
  }
}

/** @param hasNotices of the corpus: without any, it makes no difference whether they are classified */
function sameKinds(a: ClassifyKinds, b: ClassifyKinds, hasNotices: boolean): boolean {
  const { notices = true } = a
  if (hasNotices && notices !== (b.notices ?? true)) return false
  return a.user === b.user && a.agent === b.agent && a.tool === b.tool
}

/** [T11] Null if there is no label to measure by. */
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
