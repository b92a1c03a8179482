import { buildPlan } from '../belief/enrichment.ts'
import type { Rules } from '../belief/rules.ts'
import { applyMomentum } from '../belief/momentum.ts'
import { extractCompound, parseSignature, type Scored } from '../belief/score.ts'
import type { Pipeline } from '../pipeline.ts'
import type { CountColumns, Counts } from './count-columns.ts'
import { shownOf, type FoldNames, type Shown } from './fold-rules.ts'
import { createGrowing } from './growing.ts'
import { createInterner } from './interner.ts'
import { createPairTable } from './pair-table.ts'
import type { SlotPlan } from './score-class.ts'
import { createLevels } from './score-levels.ts'
import { createScoreEntries } from './score-entries.ts'
import { createTurnScores, type TurnScores } from './turn-scores.ts'

/** A pipeline, and what counts on every turn under it. */
export interface Ruled {
  readonly pipeline: Pipeline
  readonly plan: SlotPlan
  readonly counts: Counts
  readonly columns: CountColumns
}

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
  readonly staysWithout: (rules: TurnRules, turn: number, text: number, place: number) => boolean
  /** Places of the domains that a state holds. */
  readonly held: (state: number) => readonly number[]
  readonly size: number
}

/** Lists of numbers by number, made by adding at the end; the empty one is 0. */
function createChains() {
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
function createTexts() {
  const chains = createChains()
  const ids = createInterner<Scored>()
  const byChain: number[] = []
  return {
    add: chains,
    at: ids.at,
    /** Number of the text with this ranking; -1: not known yet. */
    of: (chain: number): number => (byChain[chain] ?? 0) - 1,
    learn: (chain: number, key: string, scored: Scored): number => {
      const text = ids.idOf(key, () => scored)
      while (byChain.length <= chain) byChain.push(0)
      byChain[chain] = text + 1
      return text
    },
  }
}

/** First and second of a text, with all that momentum sees of their scores (L113). */
function keyOf({ primary, secondary }: Scored, levelOf: (score: number) => number): string {
  const parts = secondary === null ? [primary] : [primary, secondary]
  return JSON.stringify(parts.map(({ domain, confidence }) => [domain, levelOf(confidence)]))
}

const NOWHERE = -1

/**
 * [L105] A domain that is neither first nor second, and scores less than both, decides nothing of a text; where
 * there is no second, less than a second needs. The default domain is first only where no other could be (B5),
 * so that of such a text nothing is said.
 */
function createStays(
  text: (of: number) => Scored,
  places: ReadonlyMap<string, number>,
  { options }: Rules,
): RuleMemo['staysWithout'] {
  const { defaultDomain, secondaryMinSignals } = options
  const firsts: number[] = []
  const seconds: number[] = []
  return (rules, turn, of, place) => {
    while (firsts.length <= of) {
      const { primary, secondary } = text(firsts.length)
      firsts.push(primary.domain === defaultDomain ? NOWHERE : (places.get(primary.domain) ?? NOWHERE))
      seconds.push(secondary === null ? NOWHERE : (places.get(secondary.domain) ?? NOWHERE))
    }
    const [first = NOWHERE, second = NOWHERE] = [firsts[of], seconds[of]]
    if (first === NOWHERE || first === place || second === place) return false
    const least = second === NOWHERE ? secondaryMinSignals : rules.points(second, turn)
    return rules.points(place, turn) < Math.min(rules.points(first, turn), least)
  }
}

/**
 * What momentum makes of a turn depends on the state, on first and second of the text with their scores, and on
 * the scores of the domains that the state holds. Where a challenger wins ties (L4), or all domains fire
 * together (K12), it depends on the whole ranking.
 */
export function createRuleMemo({ belief }: Pipeline, names: FoldNames): RuleMemo {
  const { set, rules, disabled } = belief
  const isWhole = rules.allTogether || rules.options.challengerWinsTies
  const levelOf = createLevels(rules)
  const entries = createScoreEntries(rules, levelOf)
  const texts = createTexts()
  const holds = createChains()
  const situations = createChains()
  const outcomes = createPairTable()
  const after = createGrowing()
  const shown = createGrowing()
  const places = new Map(set.domains.map(({ name }, place) => [name, place]))
  const heldPlaces: Array<readonly number[]> = []
  const nothingHeld: readonly number[] = []

  function held(state: number): readonly number[] {
    if (isWhole) return nothingHeld
    const known = heldPlaces[state]
    if (known !== undefined) return known
    const domains = parseSignature(names.state(state).signature)
    const found = domains.flatMap((domain) => places.get(domain) ?? [])
    heldPlaces[state] = found
    return found
  }

  function decide(scored: Scored, state: number): number {
    const decision = applyMomentum(scored, names.state(state), rules)
    const plan = buildPlan(decision, disabled, rules.options)
    after.push(names.stateOf(decision.state))
    shown.push(shownOf(names, { ...decision, plan }))
    return shown.length - 1
  }

  function on(ruled: Ruled): TurnRules {
    const scores = createTurnScores(ruled, entries)
    const { rank, ranked, entry } = scores

    function text(turn: number): number {
      const length = rank(turn)
      let [chain, taking, used] = [0, 0, 0]
      // What stands below two domains that may both become first decides nothing.
      for (; used < length && (isWhole || taking < 2); used += 1) {
        const one = ranked[used] ?? 0
        chain = texts.add(chain, isWhole ? one : entries.kind(one))
        if (entries.takesPart(one)) taking += 1
      }
      const known = texts.of(chain)
      if (known >= 0) return known
      const of = extractCompound(scores.ranking(turn).slice(0, used), rules)
      return texts.learn(chain, isWhole ? String(chain) : keyOf(of, levelOf), of)
    }

    function outcome(turn: number, of: number, state: number): number {
      let own = 0
      for (const place of held(state)) own = holds(own, entries.level(entry(place, turn)))
      const situation = situations(of, own)
      const known = outcomes.get(situation, state)
      if (known >= 0) return known
      const made = decide(scores.scored(turn), state)
      outcomes.add(situation, state, made)
      return made
    }

    return { ...scores, text, outcome }
  }

  return {
    on,
    after: after.at,
    shown: shown.at,
    staysWithout: isWhole ? () => false : createStays(texts.at, places, rules),
    held,
    get size() {
      return shown.length
    },
  }
}
