import { compileSignal } from '../../matcher/signal.ts'
import { placeOfSignal, prepareTurn } from '../../pipeline.ts'
import type { DomainEdit } from '../../schema/domain-edit.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { speaksFor } from '../metrics/label.ts'
import type { PipelinePatch } from '../why/patch.ts'
import { type Feature, featuresOf, patternOf } from './features.ts'

/** Texts, each a session of one turn, that should and should not be of a domain. */
export interface RepairExamples {
  readonly scored: ScoredCorpus
  readonly domain: string
  /** Turns of `scored`. */
  readonly wanted: readonly number[]
  readonly unwanted: readonly number[]
}

/** A change of the domain file, and the same as a patch of the pipeline. */
export interface RepairCandidate {
  readonly edits: readonly DomainEdit[]
  readonly patch: PipelinePatch
}

/** New signals that are tried; each costs one scan of the corpus. */
const MOST_ADDED = 24
/** Wanted texts whose scores are looked at for other changes. */
const MOST_LOOKED_AT = 5
/** Signals of the domain that won which are tried without. */
const MOST_REMOVED = 4
/** [F160] Matches that several new signals may bring together. */
const MOST_TOGETHER = 3

const textAt = ({ corpus, pipeline }: ScoredCorpus, turn: number): string =>
  prepareTurn(pipeline, corpus.turn(turn).text).input.text

interface Counted {
  readonly feature: Feature
  own: number
  other: number
}

function countFeatures(
  { scored, wanted, unwanted, domain }: RepairExamples,
  evidence: { readonly scored: ScoredCorpus; readonly labels: CorpusLabels } | null,
): readonly Counted[] {
  const counts = new Map<string, Counted>()
  for (const turn of wanted)
    for (const [key, feature] of featuresOf(textAt(scored, turn))) {
      const one = counts.get(key) ?? { feature, own: 0, other: 0 }
      one.own += 1
      counts.set(key, one)
    }
  for (const turn of unwanted)
    for (const key of featuresOf(textAt(scored, turn)).keys()) counts.delete(key)
  for (const [turn, label] of evidence?.labels ?? []) {
    if (evidence === null || speaksFor(label, domain)) continue
    for (const key of featuresOf(textAt(evidence.scored, turn)).keys()) {
      const one = counts.get(key)
      if (one !== undefined) one.other += 1
    }
  }
  return [...counts.values()]
}

/** In most wanted texts, in fewest of others, and of those alike the one that says most. */
function rank(a: Counted, b: Counted): number {
  const words = ({ feature }: Counted) => Math.min(2, feature.words.length)
  const chars = ({ feature }: Counted) => feature.words.join(' ').length
  return b.own - a.own || a.other - b.other || words(b) - words(a) || chars(b) - chars(a)
}

/** [F160] A new signal as a candidate; null if the pattern does not compile. */
export function addition(
  { scored, domain }: Pick<RepairExamples, 'scored' | 'domain'>,
  patterns: readonly string[],
): RepairCandidate | null {
  const { options } = scored.pipeline.belief.set
  const add = patterns.flatMap((pattern) => {
    const signal = compileSignal(pattern, `signal for "${domain}"`, options)
    return signal.ok ? [{ domain, signal: signal.value }] : []
  })
  if (add.length < patterns.length) return null
  return { edits: patterns.map((pattern) => ({ kind: 'add', domain, pattern })), patch: { add } }
}

function additions(
  examples: RepairExamples,
  counted: readonly Counted[],
): readonly RepairCandidate[] {
  const known = new Set(
    examples.scored.pipeline.belief.set.byName.get(examples.domain)?.signals.map((s) => s.pattern),
  )
  const patterns = counted
    .toSorted(rank)
    .map(({ feature }) => patternOf(feature))
    .filter((pattern) => !known.has(pattern))
    .slice(0, MOST_ADDED)
  // Combines the best patterns, for cases in which one match is not enough.
  const together = Array.from({ length: MOST_TOGETHER - 1 }, (_, at) => patterns.slice(0, at + 2))
  return [...patterns.map((pattern) => [pattern]), ...together].flatMap(
    (some) => addition(examples, some) ?? [],
  )
}

/** Changes to the counting of an existing domain, by the scores of one wanted text. */
function changesAt({ scored, domain }: RepairExamples, turn: number): readonly RepairCandidate[] {
  const { scores, primary } = scored.decided(turn).scored
  const own = scores.find((one) => one.domain === domain)
  const winner = scores.find((one) => one.domain === primary.domain && one.domain !== domain)
  const found: RepairCandidate[] = []
  const setDomain = (
    name: string,
    edit: DomainEdit,
    patch: { readonly priority?: number; readonly minSignals?: number },
  ) => found.push({ edits: [edit], patch: { domains: new Map([[name, patch]]) } })
  if (own !== undefined) {
    const value = Math.max(1, own.matched)
    setDomain(domain, { kind: 'minSignals', domain, value }, { minSignals: value })
  }
  if (own !== undefined && own.score === winner?.score) {
    const better = winner.priority - 1
    setDomain(domain, { kind: 'priority', domain, priority: better }, { priority: better })
    const worse = { kind: 'priority', domain: winner.domain, priority: own.priority + 1 } as const
    setDomain(winner.domain, worse, { priority: worse.priority })
  }
  return found
}

/** Weights that are not 1, and signals of the winner, among those that fired on one wanted text. */
function firedAt({ scored, domain }: RepairExamples, turn: number): readonly RepairCandidate[] {
  const { pipeline } = scored
  const { primary } = scored.decided(turn).scored
  const found: RepairCandidate[] = []
  let removed = 0
  for (const number of scored.fired(turn)) {
    const signal = pipeline.signals[number]
    if (signal === undefined || number >= pipeline.belief.set.signals.length) continue
    const { domain: owner, index } = placeOfSignal(pipeline, number)
    const place = { domain: owner, signal: index + 1 }
    if (signal.weight !== 1)
      found.push({
        edits: [{ kind: 'weight', ...place, weight: 1 }],
        patch: { weights: new Map([[number, 1]]) },
      })
    if (owner !== primary.domain || owner === domain || removed === MOST_REMOVED) continue
    removed += 1
    found.push({ edits: [{ kind: 'remove', ...place }], patch: { without: new Set([number]) } })
  }
  return found
}

/**
 * [F160] Candidate edits that might move the wanted texts to the domain: new signals made of words that only the wanted
 * texts contain, a different priority or minimum number of signals, a weight reset to 1, or one signal of the winner
 * removed.
 */
export function repairCandidates(
  examples: RepairExamples,
  evidence: { readonly scored: ScoredCorpus; readonly labels: CorpusLabels } | null,
): readonly RepairCandidate[] {
  const wrong = examples.wanted.filter(
    (turn) => examples.scored.decided(turn).primary.domain !== examples.domain,
  )
  const others = wrong
    .slice(0, MOST_LOOKED_AT)
    .flatMap((turn) => [...changesAt(examples, turn), ...firedAt(examples, turn)])
  const added = additions(examples, countFeatures(examples, evidence))
  const seen = new Map([...others, ...added].map((one) => [JSON.stringify(one.edits), one]))
  return [...seen.values()]
}
