import { wrongWords } from '../../engine/lab/why/why-wrong.ts'
import type { CheckedTurn } from '../../host/check/lab/check-report.ts'
import type { LabCorpus } from '../lab/lab-corpus.ts'
import { type Linker, placeInCorpus } from '../kit/links.ts'

/** The number of a turn, which may be a link. */
export type TurnWords = (each: CheckedTurn) => string

const turnWords: TurnWords = ({ turn }) => `turn ${turn + 1}`

/** [F189] Turns as links. What was checked stands in the order of the turns that have a label. */
export function linkedTurns(
  { read }: LabCorpus,
  checked: readonly CheckedTurn[],
  link: Linker,
): TurnWords {
  const turns = [...read.labels.keys()].toSorted((a, b) => a - b)
  const places = new Map(
    checked.map((each, at) => {
      const session = read.corpus.sessionOf(turns[at] ?? -1)
      return [each, placeInCorpus(read, session, each.seq)]
    }),
  )
  return (each) => link(places.get(each) ?? null, turnWords(each))
}

/** What was decided of a labelled turn, and why; `turn` says its number. */
export function wordsOf(each: CheckedTurn, turn: TurnWords = turnWords): string {
  return `${each.session}, ${turn(each)} ${verdictWords(each)}`
}

function verdictWords({
  seq,
  expected,
  accepted,
  primary,
  secondary,
  wrong,
  because,
  why,
  fires,
}: CheckedTurn): string {
  const other = accepted.length === 0 ? '' : ` (or ${accepted.join(', ')})`
  const pair = secondary === null ? primary : `${primary} + ${secondary}`
  // [K12] Of skills all that fire count.
  const got = fires === null ? pair : fires.join(', ')
  const reason = [...because, wrongWords(expected, why)].join('; ')
  const bad = wrong === 'forbidden-domain' ? ', which the label forbids' : ''
  return `(event ${seq + 1}): expected ${expected}${other}, got ${got}${bad} (${reason})`
}
