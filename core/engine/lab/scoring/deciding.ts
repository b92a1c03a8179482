import { identityOf } from '../../matcher/identity.ts'
import type { Pipeline } from '../../pipeline.ts'
import { changedColumns, createColumns } from './changed-columns.ts'
import type { Corpus, ScoredCorpus } from '../corpus/corpus.ts'
import type { CountColumns, Counts } from './count-columns.ts'
import type { FoldNames } from './fold-rules.ts'
import { startFold, type Fold, type NearFold } from './fold.ts'
import { insideOf, type Inside } from './inside.ts'
import type { RuleMemo, TurnRules } from './rule-memo.ts'
import type { Found } from '../corpus/scan-turns.ts'
import { planSlots } from './score-class.ts'

interface Decided {
  readonly corpus: Corpus
  readonly pipeline: Pipeline
  /** An earlier answer, by any scorer. */
  readonly previous: ScoredCorpus | undefined
  readonly names: FoldNames
  readonly counts: Counts
  readonly memo: RuleMemo
}

/** Decides the turns of a corpus under one pipeline: all of them, or a beginning. */
export interface Deciding {
  /** Starts from the search results for the turns before `until`. The steps fill the answer. */
  begin(found: readonly Found[], until: number): Pick<Fold, 'steps'> & { readonly inside: Inside }
}

/** By turn: 1 where two answers have other numbers for what counts; only turns before `until` are compared. */
function touchedTurns(
  pairs: Iterable<readonly [was: ArrayLike<number> | undefined, is: ArrayLike<number>]>,
  turns: number,
  until: number,
): Uint8Array {
  const touched = new Uint8Array(turns)
  for (const [was, is] of pairs)
    for (let turn = 0; turn < until; turn += 1) if (was?.[turn] !== is[turn]) touched[turn] = 1
  return touched
}

/** The reusable data of an earlier answer by the same rules. */
function nearOf(
  { folded, columns }: Inside,
  now: CountColumns,
  {
    rules,
    pipeline,
    until,
    turns,
  }: {
    readonly rules: TurnRules
    readonly pipeline: Pipeline
    readonly until: number
    readonly turns: number
  },
): NearFold {
  const changed = changedColumns(columns, now)
  const domains = pipeline.belief.set.domains.map(({ name }) => changed.has(name))
  // By state: 0 = not looked at yet.
  const known: number[] = []
  const holdsChanged = (state: number): boolean => {
    while (known.length <= state) known.push(0)
    if (known[state] === 0)
      known[state] = folded.memo.held(state).some((place) => domains[place] === true) ? 1 : 2
    return known[state] === 1
  }
  const { memo } = folded
  const places = [...domains.keys()].filter((place) => changed.has(null) || domains[place] === true)
  return {
    folded,
    touched: touchedTurns(changed.values(), turns, until),
    isTextSame: (turn) => {
      const text = folded.texts[turn] ?? 0
      return places.every((place) => memo.staysWithout(rules, turn, text, place))
    },
    // Anti-signals count against any domain.
    isTouchedIn: changed.has(null) ? () => true : holdsChanged,
  }
}

/** [T5] Applies the rules to matches. Reuses an earlier answer if one exists. */
export function createDeciding({
  corpus,
  pipeline,
  previous,
  names,
  counts,
  memo,
}: Decided): Deciding {
  const plan = planSlots(pipeline, counts.slots)
  const identities = pipeline.signals.map(identityOf)
  const known = previous === undefined ? undefined : insideOf(previous)
  const near = known?.names === names ? known : null
  const { turns } = corpus

  return {
    begin: (found, until) => {
      const firing = { plan, found, identities }
      const columns = createColumns(pipeline, firing, { counts, near, until })
      const rules = memo.on({ pipeline, plan, counts, columns })
      const isAlike = near?.folded.memo === memo
      const fold = startFold(corpus, {
        memo,
        rules,
        near: isAlike ? nearOf(near, columns, { rules, pipeline, until, turns }) : null,
      })
      const inside = { ...firing, pipeline, columns, rules, folded: fold.folded, names }
      return { inside, steps: fold.steps }
    },
  }
}
