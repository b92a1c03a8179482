import { valueOf } from '../../app/async-data.ts'
import { type Question, call, mapped } from '../../app/question.ts'
import { createDelay } from '../../app/timing.ts'
import { flipsSoon } from '../flips/flips.ts'
import { labQuery, ofLab } from '../lab/basis.ts'
import { sideInForce } from '../lab/sides.ts'
import {
  type ShownSignal,
  type SignalColumn,
  type SignalPlace,
  type SignalsView,
  lab,
  patchLab,
  labPlace,
} from '../lab/store.ts'
import { remember } from '../../ui/remember.ts'
import { store } from '../../app/store.ts'

/** Debounce before requesting the counts of all signals, in ms. */
const PAUSE_MS = 180
const MATCHES_MS = 60
const MOST_MATCHES = 100

const signalsDue = createDelay()
const matchesDue = createDelay()

const signals = labQuery({
  place: labPlace('signals'),
  onAnswer: matchesSoon,
})

const matches = labQuery({ place: labPlace('matches') })

export function signalsSoon(): void {
  signalsDue.restart(refreshSignals, PAUSE_MS)
}

function refreshSignals(): void {
  const corpus = valueOf(lab.getState().corpus)
  if (!corpus) {
    void signals.ask(ofLab(listed()))
    return
  }
  const { document, session } = store.getState()
  const key = valueOf(document.opened)?.key ?? null
  const input = { corpus: corpus.corpus, side: sideInForce(), key, inFile: session.index }
  // Without the places of its problems: the editor shows those itself.
  const question = call('lab.signals', input, { where: 'Signals' })
  const shown = mapped(question, ({ rows, restricted, configKey }) => {
    // [U220] The files were saved between the two answers: the flips are of the files before.
    const { flips, configKey: ofFlips } = lab.getState()
    if (flips.status === 'ready' && configKey !== ofFlips) flipsSoon()
    return { rows, restricted }
  })
  void signals.ask(ofLab(shown))
}

/** [U110] Data from the domain file alone, shown before the corpus is read or without one. */
function listed(): Question<{ rows: readonly ShownSignal[]; restricted: null }> {
  const question = call('draft.signals', { side: sideInForce() }, { where: 'Signals' })
  return mapped(question, ({ rows }) => ({ rows, restricted: null }))
}

/** Chooses a signal, by the cursor or in the table: its matches are shown. */
export function chooseSignalRow(place: SignalPlace | null): void {
  const { signal } = lab.getState()
  if (signal?.domain === place?.domain && signal?.index === place?.index) return
  patchLab({ signal: place })
  if (place) matchesSoon()
  else matches.show(null)
}

/** [K21] [K22] [K23] A message on which a signal fires, the proof that none exists, or neither. */
export function reachWords(reach: NonNullable<ShownSignal['reach']>): string {
  if (reach.status === 'reached') return `fires on ${JSON.stringify(reach.text)}`
  return `${reach.status === 'never' ? 'fires on no message' : 'not decided'}: ${reach.why}`
}

export function rowOf(rows: readonly ShownSignal[], place: SignalPlace | null): ShownSignal | null {
  if (!place) return null
  return rows.find(({ domain, index }) => domain === place.domain && index === place.index) ?? null
}

function matchesSoon(): void {
  matchesDue.restart(refreshMatches, MATCHES_MS)
}

function refreshMatches(): void {
  const { corpus, signals: shown, signal } = lab.getState()
  const opened = valueOf(corpus)
  const row = rowOf(valueOf(shown)?.rows ?? [], signal)
  if (!opened || !row) return
  const { pattern, dialect } = row
  const about = { corpus: opened.corpus, side: sideInForce() }
  const input = { ...about, pattern, dialect, flags: null, most: MOST_MATCHES }
  void matches.ask(ofLab(call('lab.matches', input, { where: pattern })))
}

export function patchSignalsView(patch: Partial<SignalsView>): void {
  patchLab({ signalsView: { ...lab.getState().signalsView, ...patch } })
}

const CHANGES = { changed: 0, added: 1, same: 2 } as const

/** Sort key of each column. A share of nothing and uncounted values sort last. */
const KEY: Readonly<Record<Exclude<SignalColumn, 'place'>, (row: ShownSignal) => number>> = {
  reach: ({ reach }) => ['reached', 'undecided', 'never'].indexOf(reach?.status ?? ''),
  session: ({ session = -1 }) => session,
  corpus: ({ corpus = -1 }) => corpus,
  own: ({ own = 0, corpus = 0 }) => (corpus === 0 ? -1 : own / corpus),
  precision: ({ precision }) => precision?.value ?? -1,
  change: ({ change }) => -CHANGES[change],
  edited: ({ editedAt }) => editedAt ?? -1,
}

/** The rows that the table shows. */
export const shownSignals = remember(
  (rows: readonly ShownSignal[], view: SignalsView): readonly ShownSignal[] => {
    const words = view.filter.toLowerCase().split(/\s+/u).filter(Boolean)
    const found = words.length === 0 ? rows : rows.filter((row) => hasWords(row, words))
    if (view.sort === 'place') return view.down ? found.toReversed() : found
    const key = KEY[view.sort]
    return found.toSorted((a, b) => (view.down ? key(b) - key(a) : key(a) - key(b)))
  },
)

function hasWords({ domain, id, pattern, note }: ShownSignal, words: readonly string[]): boolean {
  const hay = `${domain} ${id ?? ''} ${pattern} ${note ?? ''}`.toLowerCase()
  return words.every((word) => hay.includes(word))
}

/** The other direction for the column sorted by already, else the one that says most first. */
export function sortSignals(sort: SignalColumn): void {
  const { signalsView } = lab.getState()
  const same = signalsView.sort === sort
  patchSignalsView({ sort, down: same ? !signalsView.down : sort !== 'place' })
}
