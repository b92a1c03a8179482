import { buildPlan } from '../belief/enrichment.ts'
import { applyMomentum } from '../belief/momentum.ts'
import { extractCompound, parseSignature, type Scored } from '../belief/score.ts'
import type { Pipeline } from '../pipeline.ts'
import type { CountColumns, Counts } from './count-columns.ts'
import { shownOf, type FoldNames, type Shown } from './fold-rules.ts'
import { createGrowing } from './growing.ts'
import { createInterner } from './interner.ts'
import { createPairTable } from './pair-table.ts'
import type { SlotPlan } from './score-class.ts'
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
  const ids = createInterner<string>()
  const byChain: number[] = []
  return {
    add: chains,
    /** Number of the text with this ranking; -1: not known yet. */
    of: (chain: number): number => (byChain[chain] ?? 0) - 1,
    learn: (chain: number, key: string): number => {
      const text = ids.idOf(key, () => key)
      while (byChain.length <= chain) byChain.push(0)
      byChain[chain] = text + 1
      return text
    },
  }
}

/** First and second of a text, with their scores: all that momentum sees of it, but for the domains that it holds. */
function keyOf({ primary, secondary }: Scored): string {
  const second = secondary === null ? [] : [secondary.domain, secondary.confidence]
  return JSON.stringify([primary.domain, primary.confidence, ...second])
}

/**
 * What momentum makes of a turn depends on the state, on first and second of the text with their scores, and on
 * the scores of the domains that the state holds. Where a challenger wins ties (L4), or all domains fire
 * together (K12), it depends on the whole ranking.
 */
export function createRuleMemo({ belief }: Pipeline, names: FoldNames): RuleMemo {
  const { set, rules, disabled } = belief
  const isWhole = rules.allTogether || rules.options.challengerWinsTies
  const entries = createScoreEntries(rules)
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
        chain = texts.add(chain, one)
        if (entries.takesPart(one)) taking += 1
      }
      const known = texts.of(chain)
      if (known >= 0) return known
      const beginning = scores.ranking(turn).slice(0, used)
      return texts.learn(chain, isWhole ? String(chain) : keyOf(extractCompound(beginning, rules)))
    }

    function outcome(turn: number, of: number, state: number): number {
      let own = 0
      for (const place of held(state)) own = holds(own, entry(place, turn))
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
    held,
    get size() {
      return shown.length
    },
  }
}
