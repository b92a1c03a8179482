import { counted } from '../result.ts'
import type { FigureBasis } from '../schema/basis.ts'
import { measuredWords } from './queue/words.ts'

const NAMED = 4

const some = (names: readonly string[]): string => {
  const rest = names.length - NAMED
  return `${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function placeLine({ labelled, sources, byFold }: FigureBasis): string {
  const on = `measured on ${counted(labelled, 'labelled turn')} of ${counted(sources, 'source')}`
  if (byFold === null) return `${on}: nothing is known of other sources`
  const { folds, mean, deviation } = byFold
  return `${on}, ${folds} folds of whole sources: right ${percent(mean)} on average, ± ${percent(deviation)}`
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Which figures are marked, and on how many labelled turns. */
type Marked = Pick<FigureBasis, 'madeFrom' | 'labelled'>

/** [L101] The mark of figures on labels that signals were made from. */
export function madeFromWords({ madeFrom, labelled }: Marked): string | null {
  const { turns, sources } = madeFrom
  if (turns === 0) return null
  return `signals were made from these: ${turns} of ${counted(labelled, 'turn')} (${some(sources)})`
}

function othersLine({ madeFrom, labelled }: Marked): string {
  if (madeFrom.turns === 0)
    return 'the domain file names none of these sources as one that signals were made from (madeFrom)'
  if (madeFrom.turns === labelled) return 'figures for new sources are lower'
  return `on the sources that they were not made from: right ${measuredWords(madeFrom.others)}`
}

/** [L101] The mark, and the figure of the other sources, a sentence a line. */
export function madeFromLines(marked: Marked): readonly string[] {
  const mark = madeFromWords(marked)
  return [...(mark === null ? [] : [mark]), othersLine(marked)]
}

/**
 * [L100] [L101] What stands beside every figure about labels, a sentence a line, the same in the window and on
 * the command line: sources and folds, the mark, the most frequent answer, the ceiling.
 */
export function basisLines(basis: FigureBasis): readonly string[] {
  const { mostFrequent, ceiling } = basis
  return [
    placeLine(basis),
    ...madeFromLines(basis),
    `always ${mostFrequent.domain ?? 'nothing'}, the most frequent answer: ${measuredWords(mostFrequent.share)}`,
    ceiling === null
      ? 'ceiling: not known, no turn has labels of two readers'
      : `ceiling: ${ceiling.readers.join(' and ')} agree on ${measuredWords(ceiling.same)}`,
  ]
}
