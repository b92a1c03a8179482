import type { TurnLabel } from '../../schema/label.ts'
import { speaksFor } from '../metrics/label.ts'
import { LEAST_OWN, LEAST_Z, weigh } from '../signals/suggest-phrases.ts'
import { type Feature, patternOf } from './features.ts'

/** A labelled text, with what it has. */
export interface Example {
  readonly turn: number
  readonly label: TurnLabel
  readonly features: ReadonlyMap<string, Feature>
  readonly fold: number
}

/** A feature as a signal of a domain, with its evidence where it was made. */
export interface Mined {
  readonly domain: string
  readonly feature: Feature
  readonly pattern: string
  readonly own: number
  readonly other: number
  readonly z: number
}

/** Candidates of one domain from one part of the labels: enough to choose from, few enough to try each. */
const MOST_FOR_DOMAIN = 40
/** Turns of the domain for each other one, at least: below it only a better combination could help. */
const LEAST_ODDS = 0.5

interface Tally {
  readonly feature: Feature
  /** Turns of any domain with it. */
  all: number
  /** By domain: turns labelled with it, and turns that speak for it (accepted, secondary) beside those. */
  readonly own: Map<string, number>
  readonly near: Map<string, number>
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function tally(
  examples: readonly Example[],
  domains: readonly string[],
): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>()
  for (const { label, features } of examples) {
    const near = domains.filter((name) => name !== label.primary && speaksFor(label, name))
    for (const [key, feature] of features) {
      const one = tallies.get(key) ?? { feature, all: 0, own: new Map(), near: new Map() }
      one.all += 1
      add(one.own, label.primary)
      for (const name of near) add(one.near, name)
      tallies.set(key, one)
    }
  }
  return tallies
}

/** Examples of a domain, and those that are no evidence for it at all. */
function sizesOf(examples: readonly Example[], domain: string) {
  const own = examples.filter(({ label }) => label.primary === domain).length
  const other = examples.filter(({ label }) => !speaksFor(label, domain)).length
  return { own, other }
}

/**
 * [L90] Candidates of a part of the labels, best first for each domain: features that at least 3 of its turns
 * have, more of them than of others, and more than chance. The same rule as that of suggestions (T18).
 */
export function mine(examples: readonly Example[], domains: readonly string[]): readonly Mined[] {
  const tallies = tally(examples, domains)
  return domains.flatMap((domain) => {
    const of = sizesOf(examples, domain)
    const found: Mined[] = []
    for (const { feature, all, own: byDomain, near } of tallies.values()) {
      const own = byDomain.get(domain) ?? 0
      if (own < LEAST_OWN) continue
      const other = all - own - (near.get(domain) ?? 0)
      const { z } = weigh(own, of.own, other, of.other)
      if (z < LEAST_Z || own < other * LEAST_ODDS) continue
      found.push({ domain, feature, pattern: patternOf(feature), own, other, z })
    }
    return found
      .toSorted((a, b) => b.z - a.z || (a.pattern < b.pattern ? -1 : 1))
      .slice(0, MOST_FOR_DOMAIN)
  })
}
