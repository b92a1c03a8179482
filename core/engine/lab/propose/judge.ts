import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { wilson } from '../metrics/interval.ts'
import { isRight } from '../metrics/label.ts'
import type { Adviser } from '../opinion/opinion.ts'

/** As many right as wrong. */
const EVEN = 0.5

/** Labelled turns that a change makes right, and wrong. */
export interface Changed {
  readonly fixed: readonly number[]
  readonly broken: readonly number[]
}

/** [L92] The effect of a change on labelled turns. */
export function changedBy(
  before: ScoredCorpus,
  after: ScoredCorpus,
  labels: CorpusLabels,
): Changed {
  const fixed: number[] = []
  const broken: number[] = []
  const name = (scored: ScoredCorpus, turn: number) =>
    scored.domains[scored.primary[turn] ?? -1] ?? ''
  for (const [turn, label] of labels) {
    if (before.primary[turn] === after.primary[turn]) continue
    const [was, is] = [before, after].map((scored) => isRight(label, name(scored, turn)))
    if (was === is) continue
    if (is === true) fixed.push(turn)
    else broken.push(turn)
  }
  return { fixed, broken }
}

/**
 * [L94] The effect of a change on turns without a label, by the second opinion: the sum of its share for the new domain
 * minus its share for the old one. Labels given to turns that the rules got wrong reveal little about the turns that a
 * signal breaks, so this covers all turns that it flips. Null without a second opinion.
 */
export function expectedGain(
  before: ScoredCorpus,
  after: ScoredCorpus,
  labels: CorpusLabels,
  adviser: Pick<Adviser, 'share'> | null,
): number | null {
  if (adviser === null) return null
  const name = (scored: ScoredCorpus, turn: number) =>
    scored.domains[scored.primary[turn] ?? -1] ?? ''
  let gain = 0
  for (let turn = 0; turn < before.primary.length; turn += 1) {
    if (before.primary[turn] === after.primary[turn] || labels.has(turn)) continue
    const [was, is] = [before, after].map((scored) => adviser.share(turn, name(scored, turn)) ?? 0)
    gain += (is ?? 0) - (was ?? 0)
  }
  return gain
}

/** A change on the folds that it was not made from. */
export interface HeldResult {
  readonly fixes: number
  readonly breaks: number
  readonly won: number
  readonly lost: number
}

/** [L92] Counts a change on held folds only. */
export function onFolds(
  { fixed, broken }: Changed,
  foldOf: (turn: number) => number,
  held: ReadonlySet<number>,
): HeldResult {
  const byFold = new Map<number, number>()
  const count = (turns: readonly number[], by: 1 | -1): number => {
    const counted = turns.filter((turn) => held.has(foldOf(turn)))
    for (const turn of counted) byFold.set(foldOf(turn), (byFold.get(foldOf(turn)) ?? 0) + by)
    return counted.length
  }
  const fixes = count(fixed, 1)
  const breaks = count(broken, -1)
  const nets = [...byFold.values()]
  return {
    fixes,
    breaks,
    won: nets.filter((net) => net > 0).length,
    lost: nets.filter((net) => net < 0).length,
  }
}

/**
 * [L92] It wins on held folds, beyond chance: of the turns that it changes there more become right than wrong
 * even at the low end of the interval, and more folds gain than lose. Without the interval one of a few
 * hundred candidates always looks good on a few labels, and the next source shows that it was luck.
 */
export function wins({ fixes, breaks, won, lost }: HeldResult): boolean {
  return won > lost && (wilson(fixes, fixes + breaks)?.low ?? 0) > EVEN
}
