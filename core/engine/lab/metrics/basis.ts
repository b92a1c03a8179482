import type { FigureBasis } from '../../schema/basis.ts'
import { byFold, spread } from './fold-metrics.ts'
import { type LabelledTurn, mostFrequent, sharesRight } from './metrics.ts'
import { measured } from '../queue/precision.ts'
import { readerReport } from '../readers/agreement.ts'

/** Sources of labels, and their readers. */
export interface LabelOrigin {
  /** Source of a turn of the corpus (L91). */
  readonly sourceOf: (turn: number) => string
  /** All readings of turns, of every reader. */
  readonly readings: Parameters<typeof readerReport>[0]
}

interface Judged extends LabelledTurn {
  readonly source: string
}

/** [L71] Share of right turns over folds of whole sources; null if there is only one source. */
function overFolds(turns: readonly Judged[]): FigureBasis['byFold'] {
  const folds = [...byFold(turns).values()]
  const shares =
    folds.length < 2 ? null : spread(folds.map((fold) => sharesRight(fold).strict.value))
  return shares && { folds: shares.of, mean: shares.mean, deviation: shares.deviation }
}

/** [L87] Of the two readers who share most turns. */
function ceilingOf({ readings }: Pick<LabelOrigin, 'readings'>): FigureBasis['ceiling'] {
  const pairs = readerReport(readings).pairs.toSorted((a, b) => b.same.of - a.same.of)
  const [most] = pairs
  return most === undefined ? null : { readers: most.readers, same: most.same }
}

/** [L101] A source as a domain file names it: of a path, which is of one machine, the file alone. */
export function sourceName(source: string): string {
  const isPath = /^(?:[/\\]|[A-Za-z]:[/\\])/u.test(source)
  return isPath ? (source.split(/[/\\]/u).at(-1) ?? source) : source
}

/** [L100] [L101] The basis of figures about these turns. `madeFrom` is the domain file's statement. */
export function basisOf(
  turns: readonly Judged[],
  madeFrom: readonly string[],
  readings: LabelOrigin['readings'],
): FigureBasis {
  const named = new Set(madeFrom)
  const isMadeFrom = ({ source }: Judged): boolean =>
    named.has(source) || named.has(sourceName(source))
  const made = turns.filter(isMadeFrom)
  const others = turns.filter((turn) => !isMadeFrom(turn))
  const { domain, hits, of } = mostFrequent(turns)
  const { strict } = sharesRight(others)
  return {
    labelled: turns.length,
    sources: new Set(turns.map(({ source }) => source)).size,
    byFold: overFolds(turns),
    mostFrequent: { domain, share: measured(hits, of) },
    ceiling: ceilingOf({ readings }),
    madeFrom: {
      turns: made.length,
      sources: [...new Set(made.map(({ source }) => sourceName(source)))],
      others: measured(strict.hits, strict.of),
    },
  }
}
