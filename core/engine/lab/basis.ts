import type { FigureBasis } from '../schema/basis.ts'
import { foldsOfSources } from './folds.ts'
import { type LabelledTurn, mostFrequent } from './metrics.ts'
import { measured } from './queue/precision.ts'
import { readerReport } from './readers/agreement.ts'

/** Where labels come from, and who read them. */
export interface LabelOrigin {
  /** Source of a turn of the corpus (L91). */
  readonly sourceOf: (turn: number) => string
  /** All readings of turns, of every reader. */
  readonly readings: Parameters<typeof readerReport>[0]
}

interface Judged extends LabelledTurn {
  readonly source: string
}

const rightOf = (turns: readonly Judged[]): number =>
  turns.filter(({ expected, predicted }) => expected === predicted).length

/** Mean and standard deviation of the share of right ones over folds of whole sources. */
function byFold(turns: readonly Judged[]): FigureBasis['byFold'] {
  const folds = foldsOfSources(turns.map(({ source }) => source))
  const groups = Map.groupBy(turns, ({ source }) => folds.get(source) ?? 0)
  if (groups.size < 2) return null
  const shares = [...groups.values()].map((group) => rightOf(group) / group.length)
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const squares = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0)
  return { folds: groups.size, mean, deviation: Math.sqrt(squares / (shares.length - 1)) }
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

/** [L100] [L101] What stands beside figures of these turns. `madeFrom`: as the domain file says it. */
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
  return {
    labelled: turns.length,
    sources: new Set(turns.map(({ source }) => source)).size,
    byFold: byFold(turns),
    mostFrequent: { domain, share: measured(hits, of) },
    ceiling: ceilingOf({ readings }),
    madeFrom: {
      turns: made.length,
      sources: [...new Set(made.map(({ source }) => sourceName(source)))],
      others: measured(rightOf(others), others.length),
    },
  }
}
