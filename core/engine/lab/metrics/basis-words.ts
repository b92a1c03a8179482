import { counted } from '../../result.ts'
import type { FigureBasis } from '../../schema/basis.ts'
import { measuredWords } from '../queue/words.ts'

const NAMED = 4

/** The labelled unit, and the words for figures on labels that the rules were made from. */
export interface BasisNouns {
  readonly unit: string
  readonly made: string
  /** Text used if none of the labels is marked as a source of the rules. */
  readonly unmarked: string
}

/** For labels of turns: a domain file states the data that its signals were made from. */
const TURNS: BasisNouns = {
  unit: 'turn',
  made: 'signals were made from these',
  unmarked: 'no known overlap between these labels and the data that the signals were written from',
}

/** [V22] Of labels of an agent's outputs: the coach's rules were written on the examples that ship. */
export const OUTPUTS: BasisNouns = {
  unit: 'output',
  made: 'the rules were written on these',
  unmarked: 'the rules were written on none of these',
}

const some = (names: readonly string[]): string => {
  const rest = names.length - NAMED
  return `${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function placeLine({ labelled, sources, byFold }: FigureBasis, { unit }: BasisNouns): string {
  const on = `measured on ${counted(labelled, `labelled ${unit}`)} of ${counted(sources, 'source')}`
  if (byFold === null) return `${on}: nothing is known of other sources`
  const { folds, mean, deviation } = byFold
  return `${on}, ${folds} folds of whole sources: right ${percent(mean)} on average, ± ${percent(deviation)}`
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Which figures are marked, and on how many labelled turns. */
type Marked = Pick<FigureBasis, 'madeFrom' | 'labelled'>

/** [L101] The mark of figures on labels that signals were made from. */
export function madeFromWords({ madeFrom, labelled }: Marked, nouns = TURNS): string | null {
  const { turns, sources } = madeFrom
  if (turns === 0) return null
  return `${nouns.made}: ${turns} of ${counted(labelled, nouns.unit)} (${some(sources)})`
}

function othersLine({ madeFrom, labelled }: Marked, { unmarked }: BasisNouns): string {
  if (madeFrom.turns === 0) return unmarked
  if (madeFrom.turns === labelled) return 'figures for new sources are lower'
  return `on the sources that they were not made from: right ${measuredWords(madeFrom.others)}`
}

/** [L101] The mark, and the figure of the other sources, a sentence a line. */
export function madeFromLines(marked: Marked, nouns = TURNS): readonly string[] {
  const mark = madeFromWords(marked, nouns)
  return [...(mark === null ? [] : [mark]), othersLine(marked, nouns)]
}

/**
 * [L100] [L101] The lines next to every figure about labels, one sentence per line, the same in the window and on the
 * command line: sources and folds, the mark, the most frequent answer, the ceiling.
 */
export function basisLines(basis: FigureBasis, nouns = TURNS): readonly string[] {
  const { mostFrequent, ceiling } = basis
  return [
    placeLine(basis, nouns),
    ...madeFromLines(basis, nouns),
    `always ${mostFrequent.domain ?? 'nothing'}, the most frequent answer: ${measuredWords(mostFrequent.share)}`,
    ceiling === null
      ? `reader agreement unknown: no ${nouns.unit} has labels of two readers`
      : `reader agreement: ${ceiling.readers.join(' and ')} agree on ${measuredWords(ceiling.same)}`,
  ]
}
