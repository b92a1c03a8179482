import { buildPlan } from '../../belief/enrichment.ts'
import { applyMomentum } from '../../belief/momentum.ts'
import type { Rules } from '../../belief/rules.ts'
import { extractCompound, parseSignature, type Scored } from '../../belief/score.ts'
import type { BeliefContext } from '../../belief/step.ts'
import type { Pipeline } from '../../pipeline.ts'
import { shownOf, type FoldNames, type Shown } from './fold-rules.ts'
import { createGrowing } from '../corpus/growing.ts'
import {
  createChains,
  createStays,
  createTexts,
  keyOfText,
  type KnownTexts,
  type Stays,
} from '../corpus/known-texts.ts'
import { createPairTable } from '../corpus/pair-table.ts'
import { createLevels } from './score-levels.ts'
import { createScoreEntries, type ScoreEntries } from './score-entries.ts'
import { createTurnScores, type Ruled, type TurnScores } from './turn-scores.ts'

/** The rules of a pipeline on the turns of a corpus. */
export interface TurnRules extends TurnScores {
  /** Number of all that momentum sees of the text alone. */
  readonly text: (turn: number) => number
  /** Number of what is decided on a turn with that text in a state. */
  readonly outcome: (turn: number, text: number, state: number) => number
}

/** [L112] Remembers what one set of rules decides; shared by pipelines that differ in nothing but signals. */
export interface RuleMemo {
  readonly on: (ruled: Ruled) => TurnRules
  readonly after: (outcome: number) => number
  readonly shown: (outcome: number) => Shown
  /** [L105] Whether the text stays what it was when the score at a place becomes another one. */
  readonly staysWithout: Stays
  /** Places of the domains that a state holds. */
  readonly held: (state: number) => readonly number[]
  readonly size: number
}

/** Places of the domains that states hold, each found once. */
function createHeld({ set }: BeliefContext, names: FoldNames): RuleMemo['held'] {
  const places = new Map(set.domains.map(({ name }, place) => [name, place]))
  const known: Array<readonly number[]> = []
  return (state) =>
    (known[state] ??= parseSignature(names.state(state).signature).flatMap(
      (domain) => places.get(domain) ?? [],
    ))
}

/** Numbers of texts on the turns of a pipeline. */
function createText(
  scores: TurnScores,
  {
    texts,
    entries,
    rules,
    keyOf,
  }: {
    readonly texts: KnownTexts
    readonly entries: ScoreEntries
    readonly rules: Rules
    /** Null: the whole ranking is the key. */
    readonly keyOf: ((scored: Scored) => string) | null
  },
): TurnRules['text'] {
  const { rank, ranked } = scores
  return (turn) => {
    const length = rank(turn)
    let [beginning, taking, used] = [0, 0, 0]
    // What stands below two domains that may both become first decides nothing.
    for (; used < length && (keyOf === null || taking < 2); used += 1) {
      const one = ranked[used] ?? 0
      beginning = texts.add(beginning, keyOf === null ? one : entries.kind(one))
      if (entries.takesPart(one)) taking += 1
    }
    const known = texts.of(beginning)
    if (known >= 0) return known
    const scored = extractCompound(scores.ranking(turn).slice(0, used), rules)
    return texts.learn(beginning, keyOf?.(scored) ?? String(beginning), scored)
  }
}

/**
 * What momentum makes of a turn depends on the state, on first and second of the text with their scores, and on
 * the scores of the domains that the state holds. Where a challenger wins ties (L4), or all domains fire
 * together (K12), it depends on the whole ranking.
 */
export function createRuleMemo({ belief }: Pipeline, names: FoldNames): RuleMemo {
  const { rules, disabled } = belief
  const isWhole = rules.allTogether || rules.options.challengerWinsTies
  const levelOf = createLevels(rules)
  const entries = createScoreEntries(rules, levelOf)
  const texts = createTexts()
  const holds = createChains()
  const situations = createChains()
  const outcomes = createPairTable()
  const after = createGrowing()
  const shown = createGrowing()
  const held = isWhole ? () => [] : createHeld(belief, names)
  const keyOf = isWhole ? null : (scored: Scored) => keyOfText(scored, levelOf)

  function decide(scored: Scored, state: number): number {
    const decision = applyMomentum(scored, names.state(state), rules)
    const plan = buildPlan(decision, disabled, rules.options)
    after.push(names.stateOf(decision.state))
    shown.push(shownOf(names, { ...decision, plan }))
    return shown.length - 1
  }

  function on(ruled: Ruled): TurnRules {
    const scores = createTurnScores(ruled, entries)
    const outcome: TurnRules['outcome'] = (turn, text, state) => {
      let own = 0
      for (const place of held(state)) own = holds(own, entries.level(scores.entry(place, turn)))
      const situation = situations(text, own)
      const known = outcomes.get(situation, state)
      if (known >= 0) return known
      const made = decide(scores.scored(turn), state)
      outcomes.add(situation, state, made)
      return made
    }
    return { ...scores, text: createText(scores, { texts, entries, rules, keyOf }), outcome }
  }

  return {
    on,
    after: after.at,
    shown: shown.at,
    staysWithout: isWhole ? () => false : createStays(texts.at, belief),
    held,
    get size() {
      return shown.length
    },
  }
}
