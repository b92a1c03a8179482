import { initialBeliefState } from '../../belief/momentum.ts'
import type { DomainScore, Scored } from '../../belief/score.ts'
import type { Replay } from '../../replay.ts'
import type { Flip, OneSided } from '../../schema/replay.ts'
import type { ScoredCorpus } from '../corpus/corpus.ts'
import { changedColumns } from '../scoring/changed-columns.ts'
import {
  createFoldNames,
  enrichedOf,
  packShown,
  primaryOf,
  secondaryOf,
  shownOf,
  type FoldNames,
  type Shown,
} from '../scoring/fold-rules.ts'
import { insideOf } from '../scoring/inside.ts'

/** A domain that takes part in a turn. */
type Taking = Pick<DomainScore, 'domain' | 'score'>

/** One answer by number, a cell a turn: equal numbers of two answers mean equal things. */
export interface Answer {
  readonly shown: Uint32Array
  /** State before the turn. */
  readonly before: Uint32Array
  /** Names and scores of all domains that matched, in the order of the ranking. */
  readonly scores: (turn: number) => readonly Taking[]
  /** [K12] Skills that fire; null if the configuration decides domains, of which two are shown. */
  readonly fires: ((turn: number) => string) | null
}

/** A turn that two answers decide differently. */
export interface TurnFlip {
  readonly turn: number
  readonly was: Shown
  readonly is: Shown
  /** [K12] Other skills fire than before. */
  readonly others: boolean
  /** -1 if the flip is direct, else the turn whose state caused it. */
  readonly carriedFrom: () => number
}

/** The first turn from `turn` on, before `end`, whose decision or state before it differs. */
function nextDifference(
  turn: number,
  end: number,
  [a, b]: readonly [Pick<Answer, 'shown' | 'before'>, Pick<Answer, 'shown' | 'before'>],
): number {
  const was = a.shown
  const is = b.shown
  const stateA = a.before
  const stateB = b.before
  let at = turn
  while (at < end && was[at] === is[at] && stateA[at] === stateB[at]) at += 1
  return at
}

/**
 * [T8] The turns of one session that two answers decide differently, in order. `direct`: the scores
 * differ, or the state carried in does not (so the rules do). Momentum carries a flip where only the
 * state before the turn differs; it comes from the turn that made the states part, without their
 * having met again in between.
 */
export function flipsOfSession(
  { first, end }: { readonly first: number; readonly end: number },
  [a, b]: readonly [Answer, Answer],
  visit: (flip: TurnFlip) => void,
  isSame = (turn: number): boolean => isSameRanking(a.scores(turn), b.scores(turn)),
): void {
  let parted = -1
  const firesOther = firingOtherwise(a, b)
  for (let turn = first; turn < end; turn += 1) {
    const next = firesOther === null ? nextDifference(turn, end, [a, b]) : turn
    if (next >= end) return
    if (next > turn) parted = -1
    turn = next
    if (a.before[turn] === b.before[turn]) parted = -1
    else if (parted < 0) parted = turn - 1
    const was = a.shown[turn] ?? 0
    const is = b.shown[turn] ?? 0
    const others = firesOther?.(turn) === true
    if (was === is && !others) continue
    const at = turn
    const since = parted
    visit({ turn, was, is, others, carriedFrom: () => (since >= 0 && isSame(at) ? since : -1) })
  }
}

/** [K12] Whether different skills fire on a turn; null if the configuration decides domains. */
function firingOtherwise(
  { fires: was }: Pick<Answer, 'fires'>,
  { fires: is }: Pick<Answer, 'fires'>,
): ((turn: number) => boolean) | null {
  return was === null || is === null ? null : (turn) => was(turn) !== is(turn)
}

/** The fields of a turn that differ. */
export function changedFields({
  was,
  is,
  others,
}: Pick<TurnFlip, 'was' | 'is' | 'others'>): Flip['fields'] {
  const primary = primaryOf(was) !== primaryOf(is)
  const secondary = secondaryOf(was) !== secondaryOf(is)
  const swapped = primaryOf(was) === secondaryOf(is) && secondaryOf(was) === primaryOf(is)
  const fields: Array<Flip['fields'][number]> = []
  if (primary) fields.push('primary')
  if (secondary) fields.push('secondary')
  if (others || ((primary || secondary) && !swapped)) fields.push('signature')
  if (enrichedOf(was) !== enrichedOf(is)) fields.push('enrichment')
  return fields
}

/** The domains that decide, of all that matched. */
export function takingOf({ scores }: Pick<Scored, 'scores'>): readonly Taking[] {
  // Barred domains (K15) do not affect the decision.
  return scores.filter(({ barred }) => barred === null)
}

function isSameRanking(a: readonly Taking[], b: readonly Taking[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ domain, score }, at) => domain === b[at]?.domain && score === b[at].score)
  )
}

function answerOf(scored: ScoredCorpus, names: FoldNames): Answer {
  const inside = insideOf(scored)
  if (inside?.names === names) {
    const { folded, rules } = inside
    const scores = (turn: number) => takingOf({ scores: rules.ranking(turn) })
    const signature = (turn: number): string => names.state(folded.after[turn] ?? 0).signature
    const { allTogether } = scored.pipeline.belief.rules
    const fires = allTogether ? signature : null
    return { shown: folded.shown, before: folded.before, scores, fires }
  }
  const { turns } = scored.corpus
  const shown = new Uint32Array(turns)
  const before = new Uint32Array(turns)
  for (let turn = 0; turn < turns; turn += 1) {
    const decided = scored.decided(turn)
    shown[turn] = shownOf(names, decided)
    before[turn] = names.stateOf(scored.state(turn))
  }
  const { allTogether } = scored.pipeline.belief.rules
  return {
    shown,
    before,
    scores: (turn) => takingOf(scored.decided(turn).scored),
    fires: allTogether ? (turn) => scored.after(turn).signature : null,
  }
}

/**
 * Compares two answers for the same corpus, session by session, on the turns before `until`. Numbers of
 * domains are those of `names`.
 */
export function eachFlip(
  a: ScoredCorpus,
  b: ScoredCorpus,
  visit: (flip: TurnFlip, session: number, names: FoldNames) => void,
  until: number = a.corpus.turns,
): void {
  const names = insideOf(a)?.names ?? insideOf(b)?.names ?? createFoldNames()
  const answers = [answerOf(a, names), answerOf(b, names)] as const
  const isSame = sameRankings(a, b)
  for (const [session, { first, turns }] of a.corpus.sessions.entries()) {
    const end = Math.min(until, first + turns.length)
    flipsOfSession({ first, end }, answers, (flip) => visit(flip, session, names), isSame)
  }
}

/** Some turns of a replay as an answer for a corpus of one session. */
function answerOfReplay(
  { columns, states }: Replay,
  turns: readonly number[],
  names: FoldNames,
): Answer {
  const name = (place: number | undefined): string => columns.domains[place ?? -1] ?? ''
  const second = (place = -1): number => (place < 0 ? -1 : names.domainOf(name(place)))
  const pairsOf = (at: number): readonly number[] => {
    const turn = turns[at] ?? 0
    return columns.scorePairs.slice(columns.scoreStart[turn], columns.scoreStart[turn + 1])
  }
  const namesOf = (at: number): readonly string[] =>
    pairsOf(at).flatMap((cell, index) => (index % 2 === 0 ? [name(cell)] : []))
  return {
    shown: Uint32Array.from(turns, (turn) =>
      packShown(
        names.domainOf(name(columns.primary[turn])),
        second(columns.secondary[turn]),
        columns.enriched[turn] ?? 0,
      ),
    ),
    before: Uint32Array.from(turns, (turn) => names.stateOf(states[turn] ?? initialBeliefState)),
    scores: (at) => {
      const pairs = pairsOf(at)
      return namesOf(at).map((domain, index) => ({ domain, score: pairs[index * 2 + 1] ?? 0 }))
    },
    fires: columns.kind === undefined ? null : (at) => namesOf(at).toSorted().join('+'),
  }
}

/** [L38] Turns of two replays that classify the same event, in order: their numbers need not be the same. */
function sharedTurns(a: Replay, b: Replay) {
  const inB = new Map(b.columns.seq.map((seq, turn) => [seq, turn]))
  return a.columns.seq.flatMap((seq, turn) => {
    const other = inB.get(seq)
    return other === undefined ? [] : [{ turn, other }]
  })
}

/** [L38] Counts the turns that only one of two replays of a session has. */
export function oneSided(a: Replay, b: Replay): OneSided {
  const shared = sharedTurns(a, b).length
  return { base: a.columns.turns - shared, other: b.columns.turns - shared }
}

/** Flips between two replays of one session. Only texts that both classify are compared. */
export function diffReplays(a: Replay, b: Replay): readonly Flip[] {
  const shared = sharedTurns(a, b)
  const turns = shared.map(({ turn }) => turn)
  const names = createFoldNames()
  const answers = [
    answerOfReplay(a, turns, names),
    answerOfReplay(
      b,
      shared.map(({ other }) => other),
      names,
    ),
  ] as const
  const flips: Flip[] = []
  flipsOfSession({ first: 0, end: turns.length }, answers, (flip) => {
    const from = flip.carriedFrom()
    const turn = turns[flip.turn] ?? 0
    flips.push({
      turn,
      other: shared[flip.turn]?.other ?? 0,
      fields: changedFields(flip),
      cause: from < 0 ? 'direct' : 'momentum',
      since: from < 0 ? turn : (turns[from] ?? turn),
    })
  })
  return flips
}

/**
 * Whether a turn has the same ranking in two answers by the same rules: only domains for which something counts
 * otherwise are looked at. Undefined where nothing can be told without the rankings.
 */
function sameRankings(a: ScoredCorpus, b: ScoredCorpus): ((turn: number) => boolean) | undefined {
  const one = insideOf(a)
  const other = insideOf(b)
  if (one === undefined || other === undefined) return undefined
  if (one.folded.memo !== other.folded.memo) return undefined
  const changed = changedColumns(one.columns, other.columns)
  if (changed.has(null)) return undefined
  const { domains } = b.pipeline.belief.set
  const places = [...domains.keys()].filter((place) => changed.has(domains[place]?.name ?? null))
  return (turn) =>
    places.every((place) => {
      const was = one.rules.taking(place, turn)
      const is = other.rules.taking(place, turn)
      return was === is
    })
}
