import { ownersOf } from '../../matcher/domains.ts'
import type { Matrix } from '../../schema/lab.ts'
import type { CorpusLabels, Posting, ScoredCorpus } from '../corpus/corpus.ts'
import { uncoveredTurns } from './coverage.ts'
import { signalNames } from '../corpus/signal-name.ts'

/** Axis of the matrix: names, and for each turn which of them fired. */
interface Axis {
  readonly names: readonly string[]
  /** Numbers of the names that fired on a turn, without repetition. */
  readonly on: (turn: number) => readonly number[]
  /** Number of the domain of each name. */
  readonly domain: readonly number[]
}

function domainAxis(scored: ScoredCorpus): Axis {
  const firing = ownersOf(scored.pipeline.belief.set)
  return {
    names: scored.domains,
    on: (turn) => [...new Set(scored.fired(turn).flatMap((number) => firing[number]?.index ?? []))],
    domain: scored.domains.map((_, index) => index),
  }
}

function signalAxis(scored: ScoredCorpus): Axis {
  const domain = ownersOf(scored.pipeline.belief.set).map(({ index }) => index)
  return {
    names: signalNames(scored.pipeline).slice(0, domain.length),
    on: (turn) => scored.fired(turn).filter((number) => number < domain.length),
    domain,
  }
}

/** The names that fired on some turn together with a signal of the domain, and all of the domain's own names. */
function neighbours(scored: ScoredCorpus, axis: Axis, domain: number): readonly number[] {
  const own = axis.domain.flatMap((of, name) => (of === domain ? name : []))
  const found = new Set(own)
  for (let turn = 0; turn < scored.corpus.turns; turn += 1) {
    const on = axis.on(turn)
    if (on.some((name) => axis.domain[name] === domain)) for (const name of on) found.add(name)
  }
  return [...found].sort((a, b) => a - b)
}

function narrowed(axis: Axis, kept: readonly number[]): Axis {
  const place = new Map(kept.map((name, index) => [name, index]))
  return {
    names: kept.map((name) => axis.names[name] ?? ''),
    on: (turn) => axis.on(turn).flatMap((name) => place.get(name) ?? []),
    domain: kept.map((name) => axis.domain[name] ?? -1),
  }
}

function bump(counts: number[], at: number): void {
  counts[at] = (counts[at] ?? 0) + 1
}

/** Cells while they grow. */
type Counts = Record<'totals' | 'both' | 'conflict', number[]>

/** Row and column fired, and the turn went to the column's domain instead of the row's. */
function lostTo(axis: Axis, row: number, column: number, primary: number): boolean {
  return axis.domain[column] === primary && axis.domain[row] !== primary
}

function countTurn(axis: Axis, on: readonly number[], primary: number, counts: Counts): void {
  const size = axis.names.length
  for (const row of on) {
    bump(counts.totals, row)
    for (const column of on) {
      bump(counts.both, row * size + column)
      if (lostTo(axis, row, column, primary)) bump(counts.conflict, row * size + column)
    }
  }
}

/**
 * [T12] Separates two measures that users of weak supervision confuse. Overlap (`both`): both fired on the turn, for
 * any domains; it is symmetric, and its diagonal is the total. Conflict: both fired for different domains, and the
 * turn's primary (after momentum) is the column's domain, so the row lost to the column. `domain` limits signals to
 * those of one domain and all that fired together with one of them.
 */
export function matrixOf(
  scored: ScoredCorpus,
  by: 'signals' | 'domains',
  domain: string | null,
): Matrix {
  const all = by === 'domains' ? domainAxis(scored) : signalAxis(scored)
  const only = domain === null ? -1 : scored.domains.indexOf(domain)
  const axis = only < 0 ? all : narrowed(all, neighbours(scored, all, only))
  const size = axis.names.length
  const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)
  const counts = { totals: zeros(size), both: zeros(size * size), conflict: zeros(size * size) }
  for (const [turn, primary] of scored.primary.entries())
    countTurn(axis, axis.on(turn), primary, counts)
  return { names: axis.names, ...counts }
}

/** A cell of a matrix. The names of `conflict` are domains or signals. */
interface OverlapCell {
  readonly kind: 'signals' | 'domains' | 'conflict'
  readonly row: string
  readonly column: string
}

/** A drill-down target: a cell of a matrix, of the confusion matrix, or the turns without any match. */
export type Cell =
  | OverlapCell
  | { readonly kind: 'confusion'; readonly expected: string; readonly predicted: string }
  | { readonly kind: 'uncovered' }

function overlapTurns(scored: ScoredCorpus, cell: OverlapCell): readonly number[] {
  const inDomains = scored.domains.includes(cell.row) && scored.domains.includes(cell.column)
  const byDomain = cell.kind === 'domains' || (cell.kind === 'conflict' && inDomains)
  const axis = byDomain ? domainAxis(scored) : signalAxis(scored)
  const row = axis.names.indexOf(cell.row)
  const column = axis.names.indexOf(cell.column)
  const turns: number[] = []
  for (const [turn, primary] of scored.primary.entries()) {
    const on = axis.on(turn)
    if (!on.includes(row) || !on.includes(column)) continue
    if (cell.kind !== 'conflict' || lostTo(axis, row, column, primary)) turns.push(turn)
  }
  return turns
}

/** [T12] The turns that a cell counts, ascending: as many as its number says. Unknown names have none. */
export function turnsOfCell(scored: ScoredCorpus, labels: CorpusLabels, cell: Cell): Posting {
  if (cell.kind === 'uncovered') return uncoveredTurns(scored)
  if (cell.kind !== 'confusion') return Uint32Array.from(overlapTurns(scored, cell))
  const predicted = scored.domains.indexOf(cell.predicted)
  return Uint32Array.from(
    [...labels]
      .filter(([turn, label]) => {
        return label.primary === cell.expected && scored.primary[turn] === predicted
      })
      .map(([turn]) => turn),
  ).sort()
}
