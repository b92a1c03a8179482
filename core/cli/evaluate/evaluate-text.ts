import { madeFromLines } from '../../engine/lab/metrics/basis-words.ts'
import type { FoldMetrics } from '../../engine/lab/metrics/fold-metrics.ts'
import type { Interval } from '../../engine/lab/metrics/interval.ts'
import type { FigureBasis } from '../../engine/schema/basis.ts'
import type { AbstainRow } from '../../engine/schema/metrics.ts'
import type { Ratio } from '../../engine/schema/ratio.ts'

/** Notes shown next to the figures of a labeled file. */
export interface FigureNotes {
  readonly name: string
  /** [L73] Share on which two readers agree: the ceiling of strict accuracy. Null = not known. */
  readonly agreement: number | null
  /** [L72] The signals were made from these turns, or chosen by them. */
  readonly madeFrom: boolean
  /** [L101] The sources that the signals were made from, according to the domain file. */
  readonly basis: FigureBasis['madeFrom']
  /** Lines without a label, a text or a source. */
  readonly skipped: number
  /** [L72] Sources that occur in more than one fold. */
  readonly split: readonly string[]
}

function share(value: number | null | undefined): string {
  return typeof value === 'number' ? value.toFixed(3) : '  -  '
}

function interval(ends: Interval | null): string {
  return ends === null ? '' : ` [${ends.low.toFixed(3)}, ${ends.high.toFixed(3)}]`
}

function counted({ hits, of, value }: Ratio): string {
  return `${share(value)} (${hits}/${of})`
}

function notes(
  { agreement, madeFrom, basis, skipped, split }: FigureNotes,
  labelled: number,
): readonly string[] {
  return [
    ...madeFromLines({ madeFrom: basis, labelled }).map((line) => `  ${line}`),
    ...(madeFrom
      ? [
          '  made from these turns: the signals were written or chosen on them, a figure for new sources is lower',
        ]
      : []),
    ...(split.length > 0
      ? [`  folds split ${split.length} sources: ${split.slice(0, 3).join(', ')}`]
      : []),
    ...(skipped > 0 ? [`  skipped: ${skipped} lines without text, label or source`] : []),
    agreement === null
      ? '  readers’ agreement (ceiling of strict): not known, give it with --agreement'
      : `  readers’ agreement (ceiling of strict): ${share(agreement)}`,
  ]
}

function spreads(figures: FoldMetrics): readonly string[] {
  const rows = [
    ['strict', figures.strictSpread],
    ['with alternatives', figures.alternativesSpread],
    ['macro-F1', figures.macroF1Spread],
  ] as const
  return rows.map(([name, spread]) =>
    spread === null
      ? `  ${name}: no folds`
      : `  ${name}: mean ${share(spread.mean)}, standard deviation ${share(spread.deviation)} over ${spread.of} folds`,
  )
}

/** [L70] The figures of one labelled file as lines: never a text of a turn. */
export function figureLines(figures: FoldMetrics, about: FigureNotes): readonly string[] {
  const { all, mostFrequent } = figures
  const parts = (heading: string, of: FoldMetrics['folds']): readonly string[] => [
    `  ${heading}: strict, with alternatives, macro-F1, n`,
    ...of.map(({ name, metrics }) => {
      const { strict, withAlternatives, macroF1 } = metrics
      const cells = [strict.value, withAlternatives.value, macroF1.value].map(share).join('  ')
      return `    ${name.padEnd(36)} ${cells}  n=${strict.of}`
    }),
  ]
  return [
    `${about.name}: n=${all.strict.of}, ${figures.sources.length} sources`,
    ...notes(about, all.strict.of),
    `  strict ${counted(all.strict)}${interval(figures.strictInterval)}`,
    `  with alternatives ${counted(all.withAlternatives)}${interval(figures.alternativesInterval)}`,
    `  macro-F1 ${share(all.macroF1.value)} over ${all.macroF1.of} domains`,
    `  most frequent answer: ${mostFrequent.domain ?? '-'} ${counted(mostFrequent)}`,
    '  intervals: Wilson, 95 %, turns taken as independent',
    ...spreads(figures),
    ...parts('by fold', figures.folds),
    '  by domain: precision, recall, F1',
    ...all.domains.map(
      ({ domain, precision, recall, f1 }) =>
        `    ${domain.padEnd(20)} ${counted(precision)}  ${counted(recall)}  ${share(f1)}`,
    ),
    ...parts('by source', figures.sources),
  ]
}

const CELL = 26

/** [L95] Risk against coverage as lines; none without rows. */
export function abstainLines(rows: readonly AbstainRow[]): readonly string[] {
  if (rows.length === 0) return []
  return [
    '  abstaining: margin, answered, right among answered, with alternatives, mean (deviation) over folds',
    ...rows.map(({ margin, answered, strict, interval: ends, withAlternatives, folds }) => {
      const name = margin === null ? 'off' : margin === 0 ? '0 (ties)' : String(margin)
      const over =
        folds === null
          ? 'no folds'
          : `${share(folds.mean)} (${share(folds.deviation)}) over ${folds.of}`
      const right = `${counted(strict)}${interval(ends)}`
      return `    ${name.padEnd(9)} ${counted(answered).padEnd(CELL - 6)} ${right.padEnd(2 * CELL - 12)} ${counted(withAlternatives).padEnd(CELL - 6)} ${over}`
    }),
  ]
}
