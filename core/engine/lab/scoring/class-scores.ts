import {
  compareScores,
  type DomainScore,
  extractCompound,
  scoreDomain,
  type Scored,
} from '../../belief/score.ts'
import { antiSignalFactors, splitFired } from '../../belief/step.ts'
import type { Pipeline } from '../../pipeline.ts'
import { createPairTable } from '../corpus/pair-table.ts'
import type { ScoreClasses, SlotPlan } from './score-class.ts'

/** Counts of a slot stay below this, as slots do: a domain file has at most some thousands of signals. */
const MOST = 1 << 16

/** Lists of slots with their counts, as numbers: a list is the one before its last step, and that step. */
function createSteps(roots: number) {
  const steps = createPairTable()
  let made = roots
  return (before: number, slot: number, count: number): number => {
    const step = slot * MOST + count
    const known = steps.get(before, step)
    if (known >= 0) return known
    steps.add(before, step, made)
    made += 1
    return made - 1
  }
}

/** Inserts a score at its position in the ranking. */
function rankIn(scores: DomainScore[], score: DomainScore): void {
  let at = scores.length
  scores.push(score)
  for (let before = scores[at - 1]; at > 0 && before !== undefined; before = scores[at - 1]) {
    if (compareScores(before, score) <= 0) break
    scores[at] = before
    at -= 1
  }
  scores[at] = score
}

/** Place of the domain that each slot counts for; the number of domains for an anti-signal. */
function ownersOfSlots({ belief: { set } }: Pipeline, { slots }: SlotPlan): Uint32Array {
  const owners = new Uint32Array(slots.reduce((most, slot) => Math.max(most, slot + 1), 0))
  owners.fill(set.domains.length)
  for (const [place, { firstSignal, signals }] of set.domains.entries())
    for (const index of signals.keys()) owners[slots[firstSignal + index] ?? 0] = place
  return owners
}

/** The score of the domain at a place on a turn with these matches; null: it does not match. */
export function scoreOfSample(
  { belief: { set, rules } }: Pipeline,
  sample: readonly number[],
  place: number,
): DomainScore | null {
  const domain = set.domains[place]
  if (domain === undefined) return null
  const [fired, against] = splitFired(set, sample)
  const factors = antiSignalFactors(rules.options.antiSignals, against)
  const indexes = fired
    .map((number) => number - domain.firstSignal)
    .filter((index) => index >= 0 && index < domain.signals.length)
  return scoreDomain(domain, indexes, factors.get(domain.name) ?? 1)
}

/** Scores of classes under one pipeline. */
export interface ClassScores {
  readonly scored: (one: number) => Scored
}

/**
 * [L103] Scores of a class, equal to those that `scoreTurn` returns for a sample of that class. A domain's score
 * depends on the counts in its slots, and on the anti-signals that fired. It is computed once for each such count, and
 * classes are assembled from the results.
 */
export function createClassScores(
  pipeline: Pipeline,
  plan: SlotPlan,
  classes: ScoreClasses,
): ClassScores {
  const { set, rules } = pipeline.belief
  const owners = ownersOfSlots(pipeline, plan)
  const antis = set.domains.length
  const step = createSteps(antis + 1)
  const places = createPairTable()
  const made: Array<DomainScore | null> = []
  // The part of a class that belongs to each domain, and last to the anti-signals. Initially empty.
  const parts = Uint32Array.from({ length: antis + 1 }, (_, place) => place)
  const { counts } = classes

  function scoreOf(one: number, place: number): DomainScore | null {
    const part = parts[place] ?? 0
    const against = parts[antis] ?? 0
    const known = places.get(part, against)
    if (known >= 0) return made[known] ?? null
    const score = scoreOfSample(pipeline, classes.sample(one, plan), place)
    places.add(part, against, made.length)
    made.push(score)
    return score
  }

  function scored(one: number): Scored {
    const touched: number[] = []
    const end = counts.endOf(one)
    for (let at = counts.startOf(one); at < end; at += 2) {
      const slot = counts.at(at)
      const place = owners[slot] ?? antis
      const part = parts[place] ?? place
      if (part === place && place !== antis) touched.push(place)
      parts[place] = step(part, slot, counts.at(at + 1))
    }
    const scores: DomainScore[] = []
    for (const place of touched) {
      const score = scoreOf(one, place)
      if (score !== null) rankIn(scores, score)
    }
    for (const place of touched) parts[place] = place
    parts[antis] = antis
    return extractCompound(scores, rules)
  }

  return { scored }
}
