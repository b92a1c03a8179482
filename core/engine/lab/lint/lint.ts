import type { Guard } from '../../matcher/scan.ts'
import type { Pipeline } from '../../pipeline.ts'
import { LINT_RULES, type AblationRow, type Matrix } from '../../schema/lab.ts'
import type { SessionOutcome } from '../../schema/label.ts'
import type { DomainFile } from '../../schema/domain.ts'
import { ablate } from '../signals/ablation.ts'
import type { CorpusLabels, ScoredCorpus } from '../corpus/corpus.ts'
import { lintFired } from './lint-fired.ts'
import {
  aboutSignal,
  placedSignals,
  withEvidence,
  type Finding,
  type Placed,
} from './lint-finding.ts'
import { lintLabels, lintNames, type OtherDomains } from './lint-gates.ts'
import { lintEnrichment, lintLocks } from './lint-lessons.ts'
import { lintPatterns } from './lint-static.ts'
import { lintWords } from './lint-words.ts'
import { matrixOf } from '../signals/matrix.ts'
import type { ScoreReport } from '../scoring/score-corpus.ts'
import type { Rescore, Work } from '../scoring/rescore.ts'

/** On fewer turns, one signal beside another is a coincidence. */
const LEAST_HITS = 10

/** Signals that fired on every turn on which `row` fired, itself left out. */
function alwaysBeside(matrix: Matrix, row: number): readonly number[] {
  const size = matrix.names.length
  const total = matrix.totals[row] ?? 0
  return Array.from({ length: size }, (_, column) => column).filter(
    (column) => column !== row && matrix.both[row * size + column] === total,
  )
}

function duplicate(placed: Placed, other: string, hits: number): Finding {
  return aboutSignal(placed, {
    rule: 'duplicate',
    severity: 'warning',
    what: `It fires on the same ${hits} turns as ${other}: one piece of evidence counts twice.`,
    do: 'Delete one of them.',
  })
}

function subsumed(placed: Placed, wider: string, hits: number, of: number): Finding {
  return aboutSignal(placed, {
    rule: 'subsumed',
    severity: 'info',
    what: `On all ${hits} turns it fires on, ${wider} of the same domain fires too (on ${of} in all).`,
    do: 'Delete it, unless it is meant to count as a second piece of evidence.',
  })
}

function neverAlone(placed: Placed, hits: number): Finding {
  return aboutSignal(placed, {
    rule: 'shadowed',
    severity: 'info',
    what: `On all ${hits} turns it fires on, some other signal of ${placed.domain} fires too.`,
    do: 'Delete it, unless it is meant to count as a second piece of evidence.',
  })
}

/** Does another signal of its domain fire on every turn on which the signal fires? */
function alwaysHelped(
  { number, domainNumber }: Placed,
  of: readonly number[],
  scored: ScoredCorpus,
) {
  return scored
    .posting(number)
    .every((turn) =>
      scored.fired(turn).some((other) => other !== number && of[other] === domainNumber),
    )
}

/**
 * [T15] `duplicate`: fires on exactly the same turns as an earlier signal of its domain. `subsumed`: fires only if one
 * other signal of its domain does. `shadowed`: whenever it fires, some other signal of its domain does. From 10 turns
 * on. Only the strongest of the three is reported. `matrix` is that of all signals.
 */
function lintOverlap(
  signals: readonly Placed[],
  scored: ScoredCorpus,
  matrix: Matrix,
): readonly Finding[] {
  const domainOf = signals.map((one) => one.domainNumber)
  return signals.flatMap((placed) => {
    const { number } = placed
    const hits = matrix.totals[number] ?? 0
    if (hits < LEAST_HITS) return []
    const beside = alwaysBeside(matrix, number).filter(
      (other) => domainOf[other] === placed.domainNumber,
    )
    // The same pattern twice is said without any text (lint-static.ts).
    const same = beside.find(
      (other) =>
        matrix.totals[other] === hits && signals[other]?.signal.pattern !== placed.signal.pattern,
    )
    const wider = beside.find((other) => (matrix.totals[other] ?? 0) > hits)
    const show = (finding: Finding): Finding =>
      withEvidence(finding, scored, scored.posting(number))
    if (same !== undefined)
      // Of two duplicates only the later one is reported.
      return same < number ? show(duplicate(placed, matrix.names[same] ?? '', hits)) : []
    if (wider !== undefined)
      return show(subsumed(placed, matrix.names[wider] ?? '', hits, matrix.totals[wider] ?? 0))
    return alwaysHelped(placed, domainOf, scored) ? show(neverAlone(placed, hits)) : []
  })
}

export type { Finding } from './lint-finding.ts'

/** With fewer labels, it means nothing that no label needs a signal. */
const LEAST_LABELS = 20

const SEVERITIES = ['error', 'warning', 'info'] as const

function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const rank = (finding: Finding): readonly number[] => [
    SEVERITIES.indexOf(finding.severity),
    LINT_RULES.indexOf(finding.rule),
    finding.count ?? 0,
  ]
  return findings.toSorted((a, b) => {
    const x = rank(a)
    const y = rank(b)
    return (x[0] ?? 0) - (y[0] ?? 0) || (x[1] ?? 0) - (y[1] ?? 0) || (y[2] ?? 0) - (x[2] ?? 0)
  })
}

/**
 * [T15] Findings about a configuration alone. `others`: further domain files that should have the same domains (L11).
 * Worst first.
 */
export function lintStatic(
  file: DomainFile,
  pipeline: Pipeline,
  others: readonly OtherDomains[],
): readonly Finding[] {
  const options = pipeline.belief.set.options
  return inOrder([...lintPatterns(file, options), ...lintNames(pipeline, others)])
}

function untested(
  signals: readonly Placed[],
  rows: readonly AblationRow[],
  scored: ScoredCorpus,
  labelled: number,
): readonly Finding[] {
  return signals.flatMap((placed, at) => {
    const row = rows[at]
    if (row === undefined || row.fixed > 0 || row.broken > 0) return []
    const finding = aboutSignal(placed, {
      rule: 'untested',
      severity: 'info',
      what: `Without it, none of ${labelled} labelled turns would become right or wrong (${row.flips} of all turns would flip).`,
      do:
        row.fired === 0
          ? 'Label a turn that it is meant for, or take it out.'
          : 'Label one of the turns it fires on, or take it out.',
    })
    return withEvidence(finding, scored, scored.posting(placed.number))
  })
}

/** A scored corpus, with the cut-offs of the watchdog if it ran. */
type Linted = ScoredCorpus & Partial<Pick<ScoreReport, 'cutOffs'>>

function cutOffSignals(signals: readonly Placed[], scored: Linted): readonly Finding[] {
  return signals.flatMap((placed) => {
    const cuts = (scored.cutOffs ?? []).filter((cut) => cut.number === placed.number)
    if (cuts.length === 0) return []
    const longest = Math.max(...cuts.map((cut) => cut.chars))
    const finding = aboutSignal(placed, {
      rule: 'super-linear',
      severity: 'warning',
      what: `The watchdog cut it off on ${cuts.length} ${cuts.length === 1 ? 'text' : 'texts'} of up to ${longest} characters, where it counts as not matched.`,
      do: 'Bound its gaps, so that no two parts of it can match the same characters.',
    })
    return withEvidence(finding, scored, Uint32Array.from(cuts, (cut) => cut.turn).sort())
  })
}

/** Leaves out signals that were cut off: on which turns they do not fire is not known. */
function knownAll(findings: readonly Finding[], cut: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    (one) => !cut.some((other) => other.domain === one.domain && other.signal === one.signal),
  )
}

/** Inputs of lint besides the corpus. */
interface LintTools {
  readonly guard: Guard
  /** Null: what needs a corpus that is scored again is left out. */
  readonly rescore: Rescore | null
  /** By session of the corpus. */
  readonly outcomes?: ReadonlyMap<number, SessionOutcome>
}

/**
 * [T15] Findings about a configuration's signals on a corpus, worst first. `untested` runs an ablation (T16), and only
 * from 20 labels on.
 */
export function* lintCorpus(
  scored: Linted,
  labels: CorpusLabels,
  { guard, rescore, outcomes = new Map() }: LintTools,
): Work<readonly Finding[]> {
  const signals = placedSignals(scored.pipeline)
  const cut = cutOffSignals(signals, scored)
  const counted = [
    ...signals.flatMap((placed) => lintFired(placed, scored, labels)),
    ...lintOverlap(signals, scored, matrixOf(scored, 'signals', null)),
  ]
  const words = yield* lintWords(signals, scored, guard)
  if (rescore !== null && labels.size >= LEAST_LABELS)
    counted.push(...untested(signals, yield* ablate(scored, labels, rescore), scored, labels.size))
  const lessons = [...lintLocks(scored), ...lintEnrichment(scored, outcomes)]
  const all = [...lintLabels(scored, labels), ...cut, ...knownAll(counted, cut), ...words]
  return inOrder([...all, ...lessons])
}
