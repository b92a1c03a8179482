import type { DomainEdit } from '../../schema/domain-edit.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { primaryFlips } from '../flips/flips.ts'
import { patchPipeline } from '../why/patch.ts'
import { partOf, type Rescore, type Work } from '../scoring/rescore.ts'
import { type RepairCandidate, type RepairExamples, repairCandidates } from './repair-candidates.ts'

/** Labelled or other turns that a repair is held against, beside its examples. */
export interface RepairEvidence {
  readonly scored: ScoredCorpus
  readonly labels: CorpusLabels
  readonly rescore: Rescore
}

/** A change of the domain file and its effects. */
export interface Repair {
  readonly edits: readonly DomainEdit[]
  /** Wanted texts whose primary is the domain with it. */
  readonly right: number
  /** Unwanted texts that become the domain's. */
  readonly spoilt: number
  /** Over the evidence: labels that become right and wrong, turns whose primary changes; null without evidence. */
  readonly fixed: number | null
  readonly broken: number | null
  readonly flips: number | null
}

export interface Repairs {
  /** Wanted texts that are the domain's already. */
  readonly rightBefore: number
  readonly tried: number
  readonly repairs: readonly Repair[]
}

function countOf(
  { domain }: RepairExamples,
  turns: readonly number[],
  after: ScoredCorpus,
): number {
  return turns.filter((turn) => after.decided(turn).primary.domain === domain).length
}

function* judge(
  examples: RepairExamples,
  { edits, patch }: RepairCandidate,
  ways: { readonly rescore: Rescore; readonly evidence: RepairEvidence | null },
): Work<Repair> {
  const { scored, wanted, unwanted } = examples
  const pipeline = patchPipeline(scored.pipeline, patch)
  const after = yield* ways.rescore(pipeline, scored)
  const right = countOf(examples, wanted, after)
  const spoilt = countOf(examples, unwanted, after) - countOf(examples, unwanted, scored)
  const { evidence } = ways
  if (evidence === null) return { edits, right, spoilt, fixed: null, broken: null, flips: null }
  const over = yield* evidence.rescore(pipeline, evidence.scored)
  const { turns, fixed, broken } = primaryFlips(evidence.scored, over, evidence.labels)
  return { edits, right, spoilt, fixed, broken, flips: turns.length }
}

/**
 * Sorts by fewest broken turns, then most fixed, then most wanted examples right, then fewest flips, then fewest edits.
 */
function compare(a: Repair, b: Repair): number {
  return (
    (a.broken ?? 0) - (b.broken ?? 0) ||
    (b.fixed ?? 0) - (a.fixed ?? 0) ||
    b.right - a.right ||
    (a.flips ?? 0) - (b.flips ?? 0) ||
    a.edits.length - b.edits.length
  )
}

/**
 * [F160] Changes of a domain file, each of which makes more of the wanted texts the domain's and no unwanted one.
 * Each is really run, over the examples and over the evidence. `only`: these candidates instead of found ones, and
 * all of them are listed. Nothing is applied.
 */
export function* proposeRepairs(
  examples: RepairExamples,
  ways: { readonly rescore: Rescore; readonly evidence: RepairEvidence | null },
  only: readonly RepairCandidate[] | null = null,
): Work<Repairs> {
  const rightBefore = countOf(examples, examples.wanted, examples.scored)
  const candidates = only ?? repairCandidates(examples, ways.evidence)
  const repairs: Repair[] = []
  for (const [done, candidate] of candidates.entries()) {
    const at = { done, total: candidates.length }
    yield at
    const repair = yield* partOf(judge(examples, candidate, ways), at)
    if (only !== null || (repair.right > rightBefore && repair.spoilt <= 0)) repairs.push(repair)
  }
  return { rightBefore, tried: candidates.length, repairs: repairs.toSorted(compare) }
}
