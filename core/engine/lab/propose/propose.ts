import { compileSignal, type CompiledSignal } from '../../matcher/signal.ts'
import { prepareTurn } from '../../pipeline.ts'
import type { TurnLabel } from '../../schema/label.ts'
import type { Proposal, Proposals } from '../../schema/proposal.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { primaryFlips } from '../flips/flips.ts'
import { sourceName } from '../metrics/basis.ts'
import { FOLDS, foldsBySource } from '../metrics/folds.ts'
import { isRight, speaksFor } from '../metrics/label.ts'
import type { Adviser } from '../opinion/opinion.ts'
import { measured } from '../queue/precision.ts'
import { partOf, type Rescore, type Work } from '../scoring/rescore.ts'
import { LEAST_OWN, LEAST_Z, weigh } from '../signals/suggest-phrases.ts'
import { patchPipeline } from '../why/patch.ts'
import { featuresOf, patternOf, type Feature } from './features.ts'
import { changedBy, expectedGain, onFolds, wins } from './judge.ts'

/**
 * A candidate must be found with at least this many different folds held out. A phrase of a single source is its
 * author's habit.
 */
const LEAST_FOLDS = 2

interface Asked {
  readonly scored: ScoredCorpus
  readonly labels: CorpusLabels
  /** The source of a labelled turn (L91). */
  readonly sourceOf: (turn: number) => string
  /** Null = for each domain that is configured. */
  readonly domain: string | null
  readonly most: number
  /** [L94] Judges the unlabelled turns that a signal flips; null if unavailable. */
  readonly adviser: Pick<Adviser, 'share'> | null
}

/** A candidate, and the folds that it was found without. */
interface Candidate extends Mined {
  readonly held: Set<number>
}

function examplesOf(
  { scored, labels }: Asked,
  folds: ReadonlyMap<number, number>,
): readonly Example[] {
  return [...folds].flatMap(([turn, fold]) => {
    const label = labels.get(turn)
    if (label === undefined) return []
    const { text } = prepareTurn(scored.pipeline, scored.corpus.turn(turn).text).input
    return [{ turn, label, fold, features: featuresOf(text) }]
  })
}

/** [L91] Mines once for each fold, without it. */
function* mineFolds(
  { scored, domain }: Asked,
  examples: readonly Example[],
): Work<readonly Candidate[]> {
  const { domains, byName } = scored.pipeline.belief.set
  const names = domains.map(({ name }) => name).filter((name) => domain === null || name === domain)
  const known = new Map<string, Candidate>()
  for (let fold = 0; fold < FOLDS; fold += 1) {
    yield { done: fold, total: FOLDS }
    if (!examples.some((one) => one.fold === fold)) continue
    const rest = examples.filter((one) => one.fold !== fold)
    for (const mined of mine(rest, names)) {
      const there = byName
        .get(mined.domain)
        ?.signals.some(({ pattern }) => pattern === mined.pattern)
      if (there === true) continue
      const key = `${mined.domain} ${mined.pattern}`
      const one = known.get(key) ?? { ...mined, held: new Set<number>() }
      one.held.add(fold)
      known.set(key, one)
    }
  }
  return [...known.values()].filter(({ held }) => held.size >= LEAST_FOLDS)
}

interface Judged {
  readonly proposal: Proposal
  /** Labelled turns that it makes right. */
  readonly fixed: readonly number[]
}

function judged(
  { scored, labels, adviser }: Asked,
  after: ScoredCorpus,
  { held, feature, z: _, ...mined }: Candidate,
  folds: ReadonlyMap<number, number>,
): Judged | null {
  const changed = changedBy(scored, after, labels)
  const result = onFolds(changed, (turn) => folds.get(turn) ?? -1, held)
  const expected = expectedGain(scored, after, labels, adviser)
  if (!wins(result) || (expected !== null && expected < 0)) return null
  const { fixes, breaks } = result
  const proposal = {
    ...mined,
    ...result,
    kind: feature.kind,
    words: feature.words.join(' '),
    held: [...folds.values()].filter((fold) => held.has(fold)).length,
    folds: held.size,
    expected,
    precision: measured(fixes, fixes + breaks),
    flips: primaryFlips(scored, after, new Map()).turns.length,
  }
  return { proposal, fixed: changed.fixed }
}

/**
 * Sorts by gain, largest first: on held labels, and by the second opinion on all other turns. Ties: fewer breaks first,
 * then by name.
 */
function compare({ proposal: a }: Judged, { proposal: b }: Judged): number {
  const gain = ({ fixes, breaks, expected }: Proposal): number => fixes - breaks + (expected ?? 0)
  const byName = a.pattern < b.pattern ? -1 : 1
  return gain(b) - gain(a) || a.breaks - b.breaks || byName
}

/** Drops proposals that repair only turns already repaired by a better one of the same domain. */
function withoutEchoes(all: readonly Judged[]): readonly Proposal[] {
  const repaired = new Map<string, Set<number>>()
  return all.toSorted(compare).flatMap(({ proposal, fixed }) => {
    const before = repaired.get(proposal.domain) ?? new Set<number>()
    if (fixed.every((turn) => before.has(turn))) return []
    for (const turn of fixed) before.add(turn)
    repaired.set(proposal.domain, before)
    return [proposal]
  })
}

function rightNow({ scored, labels }: Asked) {
  const right = [...labels].filter(([turn, label]) =>
    isRight(label, scored.domains[scored.primary[turn] ?? -1] ?? ''),
  )
  return measured(right.length, labels.size)
}

const ONE_SOURCE =
  'all labels come from one source: a signal is measured on sources that it was not made from, so label another session'

/**
 * [L90] [L92] Signals that the labels suggest. Each candidate is found without one fold of sources and measured on that
 * fold. It is proposed only if it wins there. Nothing is applied. The order is by the gain on held folds, so the first
 * figures are slightly optimistic: lucky candidates rank higher.
 */
export function* proposeSignals(asked: Asked, rescore: Rescore): Work<Proposals> {
  const { scored, labels, most } = asked
  const turns = [...labels.keys()].filter((turn) => turn < scored.corpus.turns)
  const sources = new Map(turns.map((turn) => [turn, asked.sourceOf(turn)]))
  const folds = foldsBySource(sources)
  const names = [...new Set(sources.values())]
  const madeFrom = [...new Set(names.map(sourceName))]
  const counts = { labels: turns.length, sources: names.length, madeFrom }
  const nothing = {
    ...counts,
    right: rightNow(asked),
    folds: 0,
    tried: 0,
    refused: 0,
    proposals: [],
  }
  if (folds === null) return { ...nothing, note: ONE_SOURCE }
  const candidates = yield* mineFolds(asked, examplesOf(asked, folds))
  const found: Judged[] = []
  for (const [done, candidate] of candidates.entries()) {
    const at = { done, total: candidates.length }
    yield at
    const signal = compiled(scored, candidate)
    if (signal === null) continue
    const add = [{ domain: candidate.domain, signal }]
    const after = yield* partOf(rescore(patchPipeline(scored.pipeline, { add }), scored), at)
    const one = judged(asked, after, candidate, folds)
    if (one !== null) found.push(one)
  }
  return {
    ...nothing,
    proposals: withoutEchoes(found).slice(0, most),
    folds: new Set(folds.values()).size,
    tried: candidates.length,
    refused: candidates.length - found.length,
    note: null,
  }
}

function compiled({ pipeline }: ScoredCorpus, { pattern, domain }: Mined): CompiledSignal | null {
  const signal = compileSignal(pattern, `proposal for "${domain}"`, pipeline.belief.set.options)
  return signal.ok ? signal.value : null
}

/** A labelled text with its features. */
interface Example {
  readonly turn: number
  readonly label: TurnLabel
  readonly features: ReadonlyMap<string, Feature>
  readonly fold: number
}

/** A feature as a signal of a domain, with its evidence in the training data. */
interface Mined {
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
function mine(examples: readonly Example[], domains: readonly string[]): readonly Mined[] {
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
