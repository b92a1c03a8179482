import { ratio } from '../../engine/lab/metrics.ts'
import type { CorpusLabels, ScoredCorpus } from '../../engine/lab/corpus.ts'
import { isRight } from '../../engine/lab/label.ts'
import type { DomainEntry, DomainFile, SignalEntry } from '../../engine/schema/domain.ts'
import type { SignalRow } from '../../engine/schema/lab.ts'
import type { DomainText } from '../shared/drafts/domain-text.ts'

/** The file as it is saved, and when each of its lines was last committed. */
export interface SavedText {
  readonly text: DomainText
  /** Epoch milliseconds by line, from 0; null without a repository. */
  readonly times: ReadonlyArray<number | null> | null
}

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
  const { scored, text, saved } = around
  const history = historyOf(text.value, saved)
  return scored.pipeline.belief.set.domains.flatMap((domain) =>
    domain.signals.map((signal, index): SignalRow => {
      const number = domain.firstSignal + index
      const { id, pattern, dialect, note } = signal
      return {
        ...{ domain: domain.name, index, id, pattern, dialect, note },
        line: text.place(domain.index, index).line,
        ...countsOf(around, number, domain.name),
        ...history(domain.name, index),
      }
    }),
  )
}

function countsOf({ scored, labels, session }: Around, number: number, domain: string) {
  const posting = scored.posting(number)
  const place = scored.domains.indexOf(domain)
  const within = scored.corpus.sessions[session]
  const end = within === undefined ? 0 : within.first + within.turns.length
  let [own, inSession, labelled, right] = [0, 0, 0, 0]
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

type History = Pick<SignalRow, 'change' | 'editedAt'>

/** What became of each signal since the file was saved. */
function historyOf(now: DomainFile | null, saved: SavedText | null) {
  const before = saved?.text.value ?? null
  return (domain: string, index: number): History => {
    const own = now?.domains.find((each) => each.name === domain)
    const old = before?.domains.find((each) => each.name === domain)
    const entry = own?.signals[index]
    if (entry === undefined || saved === null) return { change: 'same', editedAt: null }
    if (old === undefined) return { change: 'added', editedAt: null }
    const same = old.signals.findIndex((each) => meaningOf(each) === meaningOf(entry))
    if (same >= 0) {
      const at = before?.domains.indexOf(old) ?? -1
      return { change: 'same', editedAt: editedAt(saved, at, same) }
    }
    return { change: hasForerunner(own, old, index) ? 'changed' : 'added', editedAt: null }
  }
}

/** Another pattern under the same id, or in the place of one that is gone, is a changed one. */
function hasForerunner(own: DomainEntry | undefined, old: DomainEntry, index: number): boolean {
  const entry = own?.signals[index]
  const there = old.signals[index]
  const id = entry === undefined ? null : idOf(entry)
  if (id !== null && old.signals.some((each) => idOf(each) === id)) return true
  if (id !== null || there === undefined) return false
  return own?.signals.every((each) => meaningOf(each) !== meaningOf(there)) === true
}

function editedAt({ text, times }: SavedText, domain: number, signal: number): number | null {
  if (times === null) return null
  return times[text.place(domain, signal).line - 1] ?? null
}

/** What a signal matches by; its id and note do not matter. */
function meaningOf(entry: SignalEntry): string {
  if (typeof entry === 'string') return JSON.stringify([entry, 'python', null])
  return JSON.stringify([entry.pattern, entry.dialect ?? 'python', entry.flags ?? null])
}

function idOf(entry: SignalEntry): string | null {
  return typeof entry === 'string' ? null : (entry.id ?? null)
}
