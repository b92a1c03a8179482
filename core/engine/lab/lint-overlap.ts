import type { Matrix } from '../schema/lab.ts'
import type { ScoredCorpus } from './corpus.ts'
import { aboutSignal, withEvidence, type Finding, type Placed } from './lint-finding.ts'

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
 * [T15] `duplicate` (fires on exactly the same turns as an earlier signal of its domain), `subsumed`
 * (only where one other of its domain does), and `shadowed` where some other of its domain always
 * does. From 10 turns on; the strongest of the three is said. `matrix` is that of all signals.
 */
export function lintOverlap(
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
