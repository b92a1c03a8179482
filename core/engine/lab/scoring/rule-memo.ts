import type { Rules } from '../../belief/rules.ts'
import { extractCompound, parseSignature, type Scored } from '../../belief/score.ts'
import type { BeliefContext } from '../../belief/step.ts'
import type { Pipeline } from '../../pipeline.ts'
import { createInterner } from '../corpus/interner.ts'
import { createPairTable } from '../corpus/pair-table.ts'
import { createOutcomes, type FoldNames, type Outcomes } from './fold-rules.ts'
import { createScoreEntries, type ScoreEntries } from './score-entries.ts'
import { createTurnScores, type Ruled, type TurnScores } from './turn-scores.ts'

/** The rules of a pipeline on the turns of a corpus. */
export interface TurnRules extends TurnScores {
  /** Number of all that momentum sees of the text alone. */
  readonly text: (turn: number) => number
  /** Number of the decision on a turn with that text in a state. */
  readonly outcome: (turn: number, text: number, state: number) => number
}

/** [L112] Caches the decisions of one set of rules. Shared by pipelines that differ only in signals. */
export interface RuleMemo extends Omit<Outcomes, 'add'> {
  readonly on: (ruled: Ruled) => TurnRules
  /** [L105] Whether a text's decision stays the same when one domain's score changes. */
  readonly staysWithout: Stays
  /** Places of the domains that a state holds. */
  readonly held: (state: number) => readonly number[]
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
    readonly texts: TextNumbers
    readonly entries: ScoreEntries
    readonly rules: Rules
    /** Null: the whole ranking is the key. */
    readonly keyOf: ((scored: Scored) => string) | null
  },
): TurnRules['text'] {
  const { rank, ranked } = scores
  return (turn) => {
    const length = rank(turn)
    let beginning = 0
    let taking = 0
    let used = 0
    // Scores below two domains that may both become first have no effect.
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
 * The effect of momentum on a turn depends on three inputs: the state, the first and second domain of the text with
 * their scores, and the scores of the domains that the state holds. If a challenger wins ties (L4), or all domains fire
 * together (K12), it depends on the whole ranking.
 */
export function createRuleMemo({ belief }: Pipeline, names: FoldNames): RuleMemo {
  const { rules } = belief
  const isWhole = rules.allTogether || rules.options.challengerWinsTies
  const levelOf = createLevels(rules)
  const entries = createScoreEntries(rules, levelOf)
  const texts = createTexts()
  const holds = createChains()
  const situations = createChains()
  const outcomes = createPairTable()
  const decided = createOutcomes(names)
  const held = isWhole ? () => [] : createHeld(belief, names)
  const keyOf = isWhole ? null : (scored: Scored) => keyOfText(scored, levelOf)

  function on(ruled: Ruled): TurnRules {
    const scores = createTurnScores(ruled, entries)
    const outcome: TurnRules['outcome'] = (turn, text, state) => {
      let own = 0
      for (const place of held(state)) own = holds(own, entries.level(scores.entry(place, turn)))
      const situation = situations(text, own)
      const known = outcomes.get(situation, state)
      if (known >= 0) return known
      const made = decided.add(belief, scores.scored(turn), state)
      outcomes.add(situation, state, made)
      return made
    }
    return { ...scores, text: createText(scores, { texts, entries, rules, keyOf }), outcome }
  }

  return {
    on,
    after: decided.after,
    shown: decided.shown,
    staysWithout: isWhole ? () => false : createStays(texts.at, belief),
    held,
    get size() {
      return decided.size
    },
  }
}

/** Default score with which a domain breaks momentum (B1). */
const USUAL_BREAK = 1

/**
 * [L113] All that momentum and the plan of enrichment see of a score: whether it is more than nothing, and which of
 * the limits it reaches: that of a second (C4, B8), of one that joins (B4), of those that break (B1, B2).
 */
function createLevels({ options, breakMinSignals }: Rules): (score: number) => number {
  const breaks = [...(breakMinSignals?.values() ?? [])]
  const given = [options.secondaryMinSignals, options.widenMinSignals, USUAL_BREAK, ...breaks]
  const limits = [...new Set(given.filter((limit) => limit !== null))]
  return (score) => {
    const reached = limits.reduce((count, limit) => (score >= limit ? count + 1 : count), 0)
    return reached * 3 + Math.sign(score) + 1
  }
}

/** Lists of numbers by number, made by adding at the end; the empty one is 0. */
function createChains(): (before: number, next: number) => number {
  const steps = createPairTable()
  let made = 0
  return (before: number, next: number): number => {
    const known = steps.get(before, next)
    if (known >= 0) return known
    made += 1
    steps.add(before, next, made)
    return made
  }
}

/** Numbers of texts, by the beginning of the ranking that decides them. */
interface TextNumbers {
  /** Number of a beginning with one more score at its end. */
  readonly add: (beginning: number, next: number) => number
  /** Number of the text with this beginning; -1: not known yet. */
  readonly of: (beginning: number) => number
  /** Texts with equal keys are one. */
  readonly learn: (beginning: number, key: string, scored: Scored) => number
  /** An example of the text. */
  readonly at: (text: number) => Scored
}

function createTexts(): TextNumbers {
  const chains = createChains()
  const ids = createInterner<Scored>()
  const byChain: number[] = []
  return {
    add: chains,
    at: ids.at,
    of: (chain) => (byChain[chain] ?? 0) - 1,
    learn: (chain, key, scored) => {
      const text = ids.idOf(key, () => scored)
      while (byChain.length <= chain) byChain.push(0)
      byChain[chain] = text + 1
      return text
    },
  }
}

/** First and second of a text, with all that momentum sees of their scores (L113). */
function keyOfText({ primary, secondary }: Scored, levelOf: (score: number) => number): string {
  const parts = secondary === null ? [primary] : [primary, secondary]
  return JSON.stringify(parts.map(({ domain, confidence }) => [domain, levelOf(confidence)]))
}

/** Whether a turn's decision by its text stays the same when one domain's score changes. */
type Stays = (scores: TurnScores, turn: number, text: number, place: number) => boolean

const NOWHERE = -1

/**
 * [L105] A domain that is neither first nor second, and scores less than both, does not affect a text's decision.
 * Without a second, it must score less than a second needs. The default domain is first only if no other could be (B5),
 * so such a text always returns false.
 */
function createStays(
  text: (of: number) => Scored,
  { set, rules }: Pick<BeliefContext, 'set' | 'rules'>,
): Stays {
  const { defaultDomain, secondaryMinSignals } = rules.options
  const places = new Map(set.domains.map(({ name }, place) => [name, place]))
  const firsts: number[] = []
  const seconds: number[] = []
  return (scores, turn, of, place) => {
    while (firsts.length <= of) {
      const { primary, secondary } = text(firsts.length)
      firsts.push(
        primary.domain === defaultDomain ? NOWHERE : (places.get(primary.domain) ?? NOWHERE),
      )
      seconds.push(secondary === null ? NOWHERE : (places.get(secondary.domain) ?? NOWHERE))
    }
    const first = firsts[of] ?? NOWHERE
    const second = seconds[of] ?? NOWHERE
    if (first === NOWHERE || first === place || second === place) return false
    const least = second === NOWHERE ? secondaryMinSignals : scores.points(second, turn)
    return scores.points(place, turn) < Math.min(scores.points(first, turn), least)
  }
}
