import { type CorpusFlip, type FlipReport, LISTED_FLIPS } from '../../schema/lab.ts'
import { firesOf, type CorpusLabels, type ScoredCorpus } from '../corpus/corpus.ts'
import { changedFields, eachFlip } from './diff.ts'
import {
  enrichedOf,
  primaryOf,
  secondaryOf,
  type FoldNames,
  type Shown,
} from '../scoring/fold-rules.ts'
import { createGrowing } from '../corpus/growing.ts'
import { createFiredOnce } from '../corpus/fired-once.ts'
import { verdictBy } from '../metrics/label.ts'
import { createCells } from './session-diff.ts'

/** Differences between the decisions of two configurations on one corpus. */
export interface CorpusDiff extends Pick<
  FlipReport,
  'turns' | 'total' | 'direct' | 'momentum' | 'fixed' | 'broken' | 'bySession' | 'cells'
> {
  /** In order of session and turn, at most `most` of them; the counts include all. */
  readonly flips: readonly CorpusFlip[]
  /** Flips of the primary. */
  readonly primaries: number
  /** Turns of the corpus that flip, all of them, ascending. */
  readonly changed: Uint32Array
}

function viewOf(names: FoldNames, shown: Shown): CorpusFlip['before'] {
  const second = secondaryOf(shown)
  return {
    primary: names.domain(primaryOf(shown)),
    secondary: second < 0 ? null : names.domain(second),
    enriched: enrichedOf(shown),
  }
}

/** The requested parts of a comparison. */
interface Wanted {
  /** At most so many flips are listed (default: `LISTED_FLIPS`). */
  readonly most?: number | undefined
  /** [L106] Only turns before this one are compared: those after it are not decided yet. */
  readonly until?: number | undefined
}

/** Compares two answers for the same corpus (rule T8). */
export function diffCorpus(
  a: ScoredCorpus,
  b: ScoredCorpus,
  labels: CorpusLabels,
  { most = LISTED_FLIPS, until = a.corpus.turns }: Wanted = {},
): CorpusDiff {
  const flips: CorpusFlip[] = []
  const changed = createGrowing()
  const cells = createCells()
  const bySession = new Map<number, { session: number; direct: number; momentum: number }>()
  const firedOnce = createFiredOnce(a, b)
  const counts = { direct: 0, momentum: 0, primaries: 0, fixed: 0, broken: 0 }
  const visit: Parameters<typeof eachFlip>[2] = (flip, session, names) => {
    const { turn, was, is, others, carriedFrom } = flip
    const from = carriedFrom()
    const cause = from < 0 ? 'direct' : 'momentum'
    const own = bySession.get(session) ?? { session, direct: 0, momentum: 0 }
    bySession.set(session, own)
    own[cause] += 1
    counts[cause] += 1
    changed.push(turn)
    if (primaryOf(was) !== primaryOf(is)) {
      counts.primaries += 1
      cells.add(names.domain(primaryOf(was)), names.domain(primaryOf(is)))
    }
    // Names and fired signals are computed only for turns that are listed or labelled.
    const label = labels.get(turn)
    if (label === undefined && flips.length >= most) return
    const before = viewOf(names, was)
    const after = viewOf(names, is)
    const verdict =
      label === undefined
        ? null
        : verdictBy(
            label,
            { primary: before.primary, fires: firesOf(a, turn) },
            { primary: after.primary, fires: firesOf(b, turn) },
          )
    if (verdict === 'fixed' || verdict === 'broken') counts[verdict] += 1
    if (flips.length >= most) return
    const first = a.corpus.sessions[session]?.first ?? 0
    flips.push({
      session,
      turn: turn - first,
      seq: a.corpus.turn(turn).seq,
      fields: changedFields({ was, is, others }),
      cause,
      since: (from < 0 ? turn : from) - first,
      before,
      after,
      verdict,
      ...firedOnce(turn),
    })
  }
  eachFlip(a, b, visit, until)
  const { turns } = a.corpus
  const all = changed.done()
  return {
    turns,
    total: all.length,
    ...counts,
    flips,
    changed: all,
    bySession: [...bySession.values()],
    cells: cells.all(),
  }
}

/** Turns whose primary, or which of whose skills (K12), two configurations decide differently. */
export interface PrimaryFlips extends Pick<CorpusDiff, 'fixed' | 'broken'> {
  /** Ascending. */
  readonly turns: readonly number[]
}

/** Compares the primaries alone: ablation asks this once a signal, over all turns of the corpus (T10). */
export function primaryFlips(a: ScoredCorpus, b: ScoredCorpus, labels: CorpusLabels): PrimaryFlips {
  const turns: number[] = []
  const counts = { fixed: 0, broken: 0 }
  eachFlip(a, b, ({ turn, was, is, others }, _, { domain }) => {
    if (primaryOf(was) === primaryOf(is) && !others) return
    turns.push(turn)
    const verdict = verdictBy(
      labels.get(turn),
      { primary: domain(primaryOf(was)), fires: firesOf(a, turn) },
      { primary: domain(primaryOf(is)), fires: firesOf(b, turn) },
    )
    if (verdict === 'fixed' || verdict === 'broken') counts[verdict] += 1
  })
  return { turns, ...counts }
}
