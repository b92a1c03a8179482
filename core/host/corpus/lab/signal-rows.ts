import { ratio } from '../../../engine/lab/metrics/metrics.ts'
import type { CorpusLabels, ScoredCorpus } from '../../../engine/lab/corpus/corpus.ts'
import { isRight } from '../../../engine/lab/metrics/label.ts'
import type { SignalRow } from '../../../engine/schema/lab.ts'
import type { DomainText } from '../../workspace/domains/text-places.ts'
import { type SavedText, listSignals } from '../../workspace/domains/signal-list.ts'

interface Around {
  readonly scored: ScoredCorpus
  readonly labels: CorpusLabels
  readonly text: DomainText
  readonly saved: SavedText | null
  /** Index of the chosen session in the corpus; -1 = none. */
  readonly session: number
}

/** The table of signals, in the order of the file. */
export function signalRows(around: Around): readonly SignalRow[] {
  const { domains } = around.scored.pipeline.belief.set
  return listSignals(domains, around).map(({ number, ...row }) => ({
    ...row,
    ...countsOf(around, number, row.domain),
  }))
}

function countsOf({ scored, labels, session }: Around, number: number, domain: string) {
  const posting = scored.posting(number)
  const place = scored.domains.indexOf(domain)
  const within = scored.corpus.sessions[session]
  const end = within === undefined ? 0 : within.first + within.turns.length
  let own = 0
  let inSession = 0
  let labelled = 0
  let right = 0
  for (const turn of posting) {
    if (scored.primary[turn] === place) own += 1
    if (within !== undefined && turn >= within.first && turn < end) inSession += 1
    const label = labels.get(turn)
    if (label === undefined) continue
    labelled += 1
    if (isRight(label, domain)) right += 1
  }
  return { corpus: posting.length, session: inSession, own, precision: ratio(right, labelled) }
}
