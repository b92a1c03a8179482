import type { Scored } from '../../belief/score.ts'
import type { BeliefContext } from '../../belief/step.ts'
import { createInterner } from './interner.ts'
import { createPairTable } from './pair-table.ts'
import type { TurnScores } from '../scoring/turn-scores.ts'

/** Lists of numbers by number, made by adding at the end; the empty one is 0. */
export function createChains(): (before: number, next: number) => number {
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
export interface KnownTexts {
  /** Number of a beginning with one more score at its end. */
  readonly add: (beginning: number, next: number) => number
  /** Number of the text with this beginning; -1: not known yet. */
  readonly of: (beginning: number) => number
  /** Texts with equal keys are one. */
  readonly learn: (beginning: number, key: string, scored: Scored) => number
  /** An example of the text. */
  readonly at: (text: number) => Scored
}

export function createTexts(): KnownTexts {
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
export function keyOfText(
  { primary, secondary }: Scored,
  levelOf: (score: number) => number,
): string {
  const parts = secondary === null ? [primary] : [primary, secondary]
  return JSON.stringify(parts.map(({ domain, confidence }) => [domain, levelOf(confidence)]))
}

/** Whether the text of a turn stays what it was when the score at a place becomes another one. */
export type Stays = (scores: TurnScores, turn: number, text: number, place: number) => boolean

const NOWHERE = -1

/**
 * [L105] A domain that is neither first nor second, and scores less than both, decides nothing of a text; where
 * there is no second, less than a second needs. The default domain is first only where no other could be (B5),
 * so that of such a text nothing is said.
 */
export function createStays(
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
    const [first = NOWHERE, second = NOWHERE] = [firsts[of], seconds[of]]
    if (first === NOWHERE || first === place || second === place) return false
    const least = second === NOWHERE ? secondaryMinSignals : scores.points(second, turn)
    return scores.points(place, turn) < Math.min(scores.points(first, turn), least)
  }
}
