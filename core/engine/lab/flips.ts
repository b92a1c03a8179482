import { type CorpusFlip, type FlipReport, LISTED_FLIPS } from '../schema/lab.ts'
import type { CorpusLabels, ScoredCorpus } from './corpus.ts'
import { compareTurns } from './compare-turns.ts'
import { createGrowing } from './growing.ts'
import { createFiredOnce } from './fired-once.ts'
import { isRight } from './label.ts'

/** What two configurations decide differently over one corpus. */
export interface CorpusDiff extends Pick<
  FlipReport,
  'turns' | 'total' | 'direct' | 'momentum' | 'fixed' | 'broken' | 'bySession'
> {
  /** In order of session and turn; at most `most`. The counts have all. */
  readonly flips: readonly CorpusFlip[]
  /** Flips of the primary. */
  readonly primaries: number
  /** Turns of the corpus that flip, all of them, ascending. */
  readonly changed: Uint32Array
}

interface View {
  readonly primary: string
  readonly secondary: string | null
  readonly enriched: number
}

function view(scored: ScoredCorpus, turn: number): View {
  return {
    primary: scored.domains[scored.primary[turn] ?? -1] ?? '',
    secondary: scored.domains[scored.secondary[turn] ?? -1] ?? null,
    enriched: scored.enriched[turn] ?? 0,
  }
}

function fieldsOf(a: View, b: View): CorpusFlip['fields'] {
  const fields: Array<CorpusFlip['fields'][number]> = []
  const signature = ({ primary, secondary }: View) => [primary, secondary ?? ''].sort().join('+')
  if (a.primary !== b.primary) fields.push('primary')
  if (a.secondary !== b.secondary) fields.push('secondary')
  if (signature(a) !== signature(b)) fields.push('signature')
  if (a.enriched !== b.enriched) fields.push('enrichment')
  return fields
}

const VERDICTS = { tt: 'still_right', tf: 'broken', ft: 'fixed', ff: 'still_wrong' } as const

/** [T8] What a change did to a labelled turn. */
function verdictOf(
  labels: CorpusLabels,
  turn: number,
  before: string,
  after: string,
): CorpusFlip['verdict'] {
  const label = labels.get(turn)
  if (label === undefined) return null
  return VERDICTS[`${isRight(label, before) ? 't' : 'f'}${isRight(label, after) ? 't' : 'f'}`]
}

/** Compares two answers for the same corpus (rule T8). At most `most` flips are listed. */
export function diffCorpus(
  a: ScoredCorpus,
  b: ScoredCorpus,
  labels: CorpusLabels,
  most: number = LISTED_FLIPS,
): CorpusDiff {
  const flips: CorpusFlip[] = []
  const changed = createGrowing()
  const bySession = new Map<number, { session: number; direct: number; momentum: number }>()
  const firedOnce = createFiredOnce(a, b)
  const counts = { direct: 0, momentum: 0, primaries: 0, fixed: 0, broken: 0 }
  compareTurns(a, b, (session, { turn, carriedFrom, primary }) => {
    const cause = carriedFrom < 0 ? 'direct' : 'momentum'
    const own = bySession.get(session) ?? { session, direct: 0, momentum: 0 }
    bySession.set(session, own)
    own[cause] += 1
    counts[cause] += 1
    if (primary) counts.primaries += 1
    changed.push(turn)
    const before = view(a, turn)
    const after = view(b, turn)
    const verdict = verdictOf(labels, turn, before.primary, after.primary)
    if (verdict === 'fixed' || verdict === 'broken') counts[verdict] += 1
    if (flips.length >= most) return
    const first = a.corpus.sessions[session]?.first ?? 0
    flips.push({
      ...{ session, turn: turn - first, seq: a.corpus.turn(turn).seq },
      ...{ fields: fieldsOf(before, after), cause },
      ...{ since: (carriedFrom < 0 ? turn : carriedFrom) - first, before, after, verdict },
      ...firedOnce(turn),
    })
  })
  const { turns } = a.corpus
  const all = changed.done()
  return {
    ...{ turns, total: all.length, ...counts, flips, changed: all },
    bySession: [...bySession.values()],
  }
}
